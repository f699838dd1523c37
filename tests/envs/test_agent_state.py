"""Agents that remember their game play the same, whoever drives them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldgriff.agents.callables import as_policy
from goldgriff.envs.aec import CardGameEnv
from goldgriff.envs.agent_state import AgentState
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.envs.policy import ObservationBatch, act_on
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.envs.vector import SingleAgentVectorEnv
from goldgriff.errors import AgentError
from goldgriff.eval import play_tournament
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.matches import play_games
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.session.session import Session

from ..players import Remembering

both_games = pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=["a", "g"])
GAMES = 12


def settings_of(game: Game, num_players: int = 3) -> Any:
    short = {"rounds": 2} if game is AURUXXX else {"point_limit": 30}
    return game.settings.from_dict({"num_players": num_players, "max_turns": 20, **short})


def tournament_moves(game: Game, batch_size: int, policies: Any = None) -> list[list[int]]:
    """The moves of some games with three agents, of which two remember."""
    policies = policies or [Remembering(), Remembering(), as_policy(first_legal)]
    players = [Player(str(number), policy) for number, policy in enumerate(policies)]
    seating = np.array([[0, 1, 2], [2, 0, 1], [1, 2, 0]] * (GAMES // 3))
    seeds = np.arange(GAMES, dtype=np.uint64)
    played = play_games(game, settings_of(game), players, seating, seeds, batch_size=batch_size)
    ends = played.starts
    return [played.actions[ends[k] : ends[k + 1]].tolist() for k in range(GAMES)]


def first_legal(_: Any, action_mask: Any, __: Any) -> int:
    return int(action_mask.argmax())


@both_games
def test_results_are_equal_for_every_batch_size(game: Game) -> None:
    together = tournament_moves(game, 100)
    assert together == tournament_moves(game, 1) == tournament_moves(game, 5)


def test_results_are_equal_for_workers_and_resume(tmp_path: Path) -> None:
    names = ["tests.players:Remembering", "random"]
    options: dict[str, Any] = {"rules": {"rounds": 1}, "num_players": 3, "deals": 24}
    found = [play_tournament("auruxxx", names, workers=n, **options).to_dict() for n in (0, 2)]

    def stop(over: int, _: int) -> None:
        if over > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_tournament("auruxxx", names, out=tmp_path, on_progress=stop, **options)
    found.append(play_tournament("auruxxx", names, out=tmp_path, **options).to_dict())
    assert found[0] == found[1] == found[2]


@both_games
def test_act_on_plays_what_a_tournament_plays(game: Game) -> None:
    """In a match and in the AEC environment, and without anything kept between two calls."""
    (moves, *_) = tournament_moves(game, 4)
    agents = [as_policy(each) for each in (Remembering(), Remembering(), first_legal)]
    match = Match(game, settings_of(game))
    match.start(0)
    while not match.over:
        match.act(agents[match.current_player].act_on(match))
    assert match.moves == moves
    env = CardGameEnv(game, settings_of(game))
    env.reset(seed=0)
    while env.agents:
        dead = env.terminations[env.agent_selection]
        seat = env.possible_agents.index(env.agent_selection)
        env.step(None if dead else agents[seat].act_on(env))
    assert env.match.moves == moves


@both_games
def test_opponents_of_a_learner_remember_from_game_to_game_nothing(game: Game) -> None:
    """The vector environment's games are those that `act_on` plays one by one."""
    kwargs: dict[str, Any] = {"opponents": Remembering(), "player": 0}
    envs = SingleAgentVectorEnv(game, settings_of(game), 3, **kwargs)
    _, infos = envs.reset(seed=5)
    games: list[list[bytes]] = [[] for _ in range(3)]
    for _ in range(60):
        actions = infos["action_mask"].argmax(1)
        observations, _, ended, _, infos = envs.step(actions)
        for row in range(3):
            games[row].append(observations[row].tobytes() + bytes([int(ended[row])]))
    single = SingleAgentEnv(game, settings_of(game), **kwargs)
    single.reset(seed=5)
    seen = []
    agent = as_policy(Remembering())
    for _ in range(60):
        action = int(single.action_masks().argmax())
        before = single.match
        observation, _, over, _, _ = single.step(action)
        if not over:  # the opponents' moves since then are those of act_on
            while len(before.moves) < len(single.match.moves):
                own = before.current_player == 0
                before.act(action if own else agent.act_on(before))
            assert before.moves == single.match.moves
            seen.append(observation.tobytes() + b"\0")
        else:
            observation, _ = single.reset()
            seen.append(observation.tobytes() + b"\1")
    assert seen == games[0]


@both_games
def test_copies_of_games_go_on_with_what_was_remembered(game: Game) -> None:
    envs = SingleAgentVectorEnv(game, settings_of(game), 2, opponents=Remembering(), player=0)
    envs.reset(seed=1)
    games = envs.games
    for _ in range(5):
        games.step(games.observe()[1].argmax(1))
    copies, saved = games.copy(np.array([1, 1, 0])), {k: v.copy() for k, v in games.state().items()}
    assert any(name.startswith("opponent") for name in saved)
    later = [games.step(games.observe()[1].argmax(1)) for _ in range(5)]
    for rewards, _ in later:
        theirs, _ = copies.step(copies.observe()[1].argmax(1))
        assert (theirs == rewards[[1, 1, 0]]).all()
    games.restore(saved)
    again = [games.step(games.observe()[1].argmax(1)) for _ in range(5)]
    for (rewards, over), (theirs, ended) in zip(later, again, strict=True):
        assert (rewards == theirs).all()
        assert (over == ended).all()


def test_a_person_takes_a_move_back_and_the_agent_forgets_it(monkeypatch: Any) -> None:
    monkeypatch.setattr(
        "goldgriff.play.session.session.load_agent", lambda *_: as_policy(Remembering())
    )
    session = Session(AURUXXX, settings_of(AURUXXX, 2), [PERSON, "other"], 3)

    def until_mine() -> None:
        while not session.your_turn and not session.over:
            session.step()

    until_mine()
    session.play(session.legal[0])
    until_mine()
    first = list(session.match.moves)
    session.undo()
    session.play(session.legal[0])
    until_mine()
    assert session.match.moves == first


class WithoutState(Remembering):
    def act(self, batch: ObservationBatch, agent_state: AgentState) -> Any:
        return super().act(batch, agent_state)[0]


class Growing(Remembering):
    def act(self, batch: ObservationBatch, agent_state: AgentState) -> Any:
        actions, state = super().act(batch, agent_state)
        return actions, {**state, "seen": np.zeros((len(batch), 3))}


class Failing(Remembering):
    def initial_agent_state(self, rows: int) -> AgentState:
        raise RuntimeError(f"no memory for {rows}")


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (WithoutState, r"must return \(actions, agent_state\)"),
        (
            Growing,
            r"gave an agent state of float64 of shape \(1, 3\), not uint64 of shape \(1, 2\)",
        ),
        (Failing, "no memory"),
    ],
)
def test_an_agent_that_returns_no_agent_state_forfeits(policy: Any, message: str) -> None:
    policies = [policy(), Remembering(), Remembering()]
    with pytest.raises(AgentError, match=message):
        tournament_moves(AURUXXX, 1, policies)
    match = Match(AURUXXX, settings_of(AURUXXX))
    match.start(0)
    if policy is not Failing:
        with pytest.raises(AgentError, match=message):
            act_on(policies[0], match)
