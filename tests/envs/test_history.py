"""Histories: the same events through every way to play, in each seat's eyes, and nothing hidden."""

import copy
import hashlib
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray
from pettingzoo.test import api_test, seed_test

import goldgriff
from goldgriff.envs.aec import CardGameEnv
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine import kernels
from goldgriff.envs.engine import threads as threads_module
from goldgriff.envs.engine.game import Game, get_game
from goldgriff.envs.match import Match, replay
from goldgriff.envs.policy import Policy, RandomPolicy
from goldgriff.envs.self_play import SelfPlayBatch
from goldgriff.envs.single_agent import SingleAgentEnv, learner_batch
from goldgriff.envs.vector import SingleAgentVectorEnv
from goldgriff.errors import MoveError, SettingsError

from .loops import GAMES, Crafty, Hidden, derive, random_action, short
from .test_environment import EXPECTED_WARNINGS

both_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
K = 12
EVERYTHING: dict[str, dict[str, Any]] = {
    "auruxxx": {"num_players": 3, "rounds": 2},
    "gluecksgriff": {
        "num_players": 3,
        "bluffing": True,
        "penalties": True,
        "late_knock": 30,
        "challenge_prize": "both",
        "magic_hands": 4,
        "blanks": [
            {"name": effect, "points": 3, "effect": effect, "amount": 2}
            for effect in ("joker", "sit_out", "draw", "look", "swap")
        ],
    },
}


def newest(match: Match, seat: int, length: int = K) -> NDArray[np.int32]:
    """The last events of a match, zeros before."""
    events = match.events(seat)
    history = np.zeros((length, 6), np.int32)
    kept = events[-length:]
    history[length - len(kept) :] = kept.view(np.int32).reshape(-1, 6)
    return history


def actions_for(masks: NDArray[np.int8], step: int) -> NDArray[np.int64]:
    """A random legal action for each row, drawn with plain Python."""
    picked = [random_action(mask, derive(row, step)) for row, mask in enumerate(masks)]
    return np.array(picked, np.int64)


@both_games
def test_a_batch_and_its_matches_agree(game: Game) -> None:
    """Every seat's newest events, decision by decision, over rounds and games."""
    settings = game.settings.from_dict(EVERYTHING[game.name])
    batch = Batch(game, settings, 2, history=K)
    seeds, matches = derive_seeds(3, 2), [Match(game, settings) for _ in range(2)]
    batch.start(seeds)
    for match, seed in zip(matches, seeds, strict=True):
        match.start(int(seed))
    rows, longest = np.arange(2), 0
    for step in range(700):
        for seat in range(3):
            histories = batch.observe_history(np.full(len(rows), seat), rows)
            for row, history in zip(rows, histories, strict=True):
                assert (history == newest(matches[row], seat)).all()
                longest = max(longest, len(matches[row].events(seat)))
        masks = batch.observe(batch.current_players[rows], rows)[1]
        actions = actions_for(masks, step)
        batch.step(actions, rows)
        for row, action in zip(rows, actions, strict=True):
            matches[row].act(action)
        rows = rows[~batch.over[rows]]
        if not len(rows):
            break
    assert longest > 3 * K


@both_games
def test_aec_single_and_vector_show_the_events_of_their_match(game: Game) -> None:
    opponents: list[Policy] = [
        RandomPolicy(),
        Hidden(Crafty()),
    ]  # one plays in kernels, one is asked
    env = SingleAgentEnv(game, short(game), opponents=opponents, history=K, player=None)
    envs = SingleAgentVectorEnv(game, short(game), 2, opponents=opponents, history=K, player=None)
    observation, _ = env.reset(seed=4)
    observations, infos = envs.reset(seed=4)
    plain = SingleAgentVectorEnv(game, short(game), 2, opponents=opponents, player=None)
    without, _ = plain.reset(seed=4)
    ended = 0
    for step in range(3000):
        assert (observation["history"] == newest(env.match, env.player)).all()
        for part in ("observation", "history"):
            assert (observation[part] == observations[part][0]).all()
        assert (observations["observation"] == without).all()
        assert env.observation_space.contains(observation)
        assert envs.observation_space.contains(observations)
        masks = infos["action_mask"]
        actions = actions_for(masks, step)
        observation, *_ = env.step(actions[0])
        observations, _, *flags, infos = envs.step(actions)
        without, *_ = plain.step(actions)
        if flags[0][0] or flags[1][0]:
            assert env.match.over
            last = infos["final_obs"]
            assert (last["history"][0] == observation["history"]).all()
            assert (observation["history"] == newest(env.match, env.player)).all()
            assert (last["observation"][0] == observation["observation"]).all()
            assert last["_history"][0]
            observation, _ = env.reset()
            ended += 1
            if ended == 2:
                return
    raise AssertionError


@both_games
def test_aec_shows_every_agent_its_events(game: Game) -> None:
    env = CardGameEnv(game, short(game), history=K)
    env.reset(seed=2)
    for step in range(150):
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert list(seen) == ["observation", "action_mask", "history"]
            assert env.observation_space(agent).contains(seen)
            assert (seen["history"] == newest(env.match, seat)).all()
        env.step(random_action(env.match.mask, derive(1, step)))
        if env.match.over:
            break


@both_games
@pytest.mark.parametrize("threads", [1, 3])
def test_auto_reset_writes_the_current_players_events(
    game: Game, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads_module, "MIN_DECISIONS", 1)
    monkeypatch.setattr("goldgriff.envs.engine.threads.cores", lambda: 8)
    history = np.full((5, K, 6), 9, np.int32)
    batch = Batch(
        game, short(game), 5, auto_reset=True, threads=threads, history=K, out=(None, None, history)
    )
    plain = Batch(game, short(game), 5, auto_reset=True)
    batch.reset(1)
    plain.reset(1)
    assert batch.history is history
    assert not history.any()
    ended = 0
    for step in range(400):
        actions = actions_for(plain.masks, step)
        results = batch.step(actions)
        plain.step(actions)
        assert (batch.observations == plain.observations).all()
        assert (history == batch.observe_history(batch.current_players)).all()
        ended += len(results.rows)
        for row in results.rows:
            assert not history[row].any()
        assert (history[:, -1, 1] > 0).sum() >= 5 - len(results.rows) - batch.states[
            "round_ended"
        ].sum()
    assert ended > 3


@both_games
def test_results_do_not_depend_on_the_threads(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_module, "MIN_DECISIONS", 1)
    monkeypatch.setattr("goldgriff.envs.engine.threads.cores", lambda: 8)
    seen = []
    for threads in (1, 3):
        batch = Batch(game, short(game), 9, threads=threads, history=K)
        games = learner_batch(batch, [RandomPolicy(), Crafty()], None)
        games.reset(5)
        for step in range(60):
            masks = games.observe()[1]
            games.step(actions_for(masks, step))
        seen.append((games.observe_history(), games.observe_history(seats=games.seats_of(1))))
    for one, other in zip(*seen, strict=True):
        assert one.any()
        assert (one == other).all()


def test_a_short_history_keeps_the_newest_events() -> None:
    """Also within a decision that has more events than are kept."""
    hands = [["blessing", "blessing"], *([f"{colour}1", f"{colour}2"] for colour in "ygbvr")]
    position, settings = {"hands": hands, "discard": ["b7"]}, AURUXXX.settings(num_players=6)
    match = Match(AURUXXX, settings)
    match.start(1, position)
    batches = [Batch(AURUXXX, settings, 1, history=length) for length in (1, 2, 5, 40)]
    for batch in batches:
        batch.start([1], position=position)
    for move in ("draw", "blessing", "draw", "blessing"):
        match.play(move)
        for batch in batches:
            batch.step([AURUXXX.actions.index(move)])
    assert len(match.events(0)) == 14
    for batch in batches:
        (history,) = batch.observe_history([0])
        assert (history == newest(match, 0, batch.past.length)).all()


@both_games
def test_copies_pickles_and_records_go_on_with_the_events(game: Game) -> None:
    batch = Batch(game, short(game), 3, history=K)
    batch.start(derive_seeds(1, 3))
    play_on(batch, 40)
    copies = [
        batch.copy(np.array([2, 0, 2])),
        copy.deepcopy(batch),
        pickle.loads(pickle.dumps(batch)),
    ]
    for each, rows in zip(copies, ([2, 0, 2], [0, 1, 2], [0, 1, 2]), strict=True):
        assert (each.observe_history([0, 0, 0]) == batch.observe_history([0, 0, 0])[rows]).all()
    play_on(batch, 20)
    for each in copies[1:]:
        play_on(each, 20)
        assert (each.observe_history([1, 1, 1]) == batch.observe_history([1, 1, 1])).all()
    bare = batch.copy(np.arange(3), history=False)
    assert bare.observe_history([0, 0, 0]).shape == (3, 0, 6)
    bare.play_out()
    match = Match(game, short(game))
    match.start(9)
    for step in range(30):
        match.act(random_action(match.mask, derive(0, step)))
        match.events(0)
    again, middle = replay(match.record()), copy.deepcopy(match)
    assert (again.events(1) == match.events(1)).all()
    assert (middle.events(1) == match.events(1)).all()
    position = match.position()
    match.start(9, position)
    assert len(match.events(0)) == 0  # a position has no past
    batch.start(derive_seeds(1, 1), np.array([1]), position)
    assert not batch.observe_history([0, 0, 0])[1].any()
    assert batch.observe_history([0, 0, 0])[0].any()


def play_on(batch: Batch, decisions: int) -> None:
    """Play random moves in all games that go on."""
    for step in range(decisions):
        rows = np.flatnonzero(~batch.over)
        masks = batch.observe(batch.current_players[rows], rows)[1]
        batch.step(actions_for(masks, step), rows)


@both_games
def test_self_play_batches_restore_and_copy_their_events(game: Game) -> None:
    def new() -> SelfPlayBatch:
        games = learner_batch(Batch(game, short(game), 3, history=K), [RandomPolicy(), Crafty()], 1)
        games.reset(7)
        return games

    def act(games: SelfPlayBatch) -> None:
        games.step(games.observe()[1].argmax(axis=1))

    first, again = new(), new()
    for _ in range(9):
        act(first)
    again.restore({name: array.copy() for name, array in first.state().items()})
    rows = np.arange(3)
    copies = first.copy(rows)
    for _ in range(9):
        assert (again.observe_history() == first.observe_history()).all()
        assert (copies.observe_history() == first.observe_history()).all()
        act(first)
        act(again)
        act(copies)


@both_games
def test_without_a_history_nothing_changes(game: Game) -> None:
    batch = Batch(game, short(game), 2)
    batch.start(derive_seeds(1, 2))
    assert batch.history.size == batch.past.logs.size == 0
    assert batch.observe_history([0, 0]).shape == (2, 0, 6)
    env = CardGameEnv(game, short(game))
    env.reset(seed=1)
    assert list(env.observe("player_0")) == ["observation", "action_mask"]
    games = learner_batch(batch, None, 0)
    assert not games._log.size
    assert not [name for name in games.state() if name.startswith("events")]


@pytest.mark.parametrize("wrong", [-1, 1.5, True, None, 10_001])
def test_numbers_of_events_that_are_none_are_refused(wrong: Any) -> None:
    message = f"history must be a whole number from 0 to 10000, not {wrong}"
    for make in (CardGameEnv.make, SingleAgentEnv.make, SingleAgentVectorEnv.make):
        with pytest.raises(SettingsError, match=message):
            make(AURUXXX, history=wrong)


def test_what_keeps_no_history_is_refused() -> None:
    batch = Batch(AURUXXX, short(AURUXXX), 2, history=3)
    batch.start([1, 2])
    for play in (batch.play_out, lambda: batch.play_until_turn([0, 0], 1, lambda *_: 0)):
        with pytest.raises(
            MoveError, match=r"keeps no history: call it on batch.copy\(rows, history"
        ):
            play()
    with pytest.raises(
        SettingsError, match=r"history must be a writable .* int32 of shape \(2, 3, 6\)"
    ):
        Batch(AURUXXX, short(AURUXXX), 2, history=3, out=(None, None, np.zeros((2, 3, 6))))
    with pytest.raises(SettingsError, match="out must be a pair"):
        Batch(AURUXXX, short(AURUXXX), 2, out=(None, None, None))
    with pytest.raises(MoveError, match="seat must be from 0 to 2"):
        Match(AURUXXX, short(AURUXXX)).events(3)


@both_games
def test_the_checkers_find_nothing_to_object_to(game: Game) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", message=message)
        api_test(goldgriff.make(game, history=K), num_cycles=300)
        seed_test(lambda: goldgriff.make(game, history=K), num_cycles=100)
    name = f"goldgriff/{game.name.capitalize()}-v{game.version}"
    check_env(gymnasium.make(name, illegal="lose", history=K).unwrapped)
    envs = gymnasium.make_vec(name, num_envs=3, history=K)
    observations, _ = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    assert observations["history"].shape == (3, K, 6)


def information_states(batch: Batch, rows: list[int], seat: int) -> list[bytes]:
    """What a seat knows of some games, as bytes."""
    hidden = np.zeros(len(rows), batch.states.dtype)
    kernels.information_states(batch.states, np.array(rows), np.full(len(rows), seat), hidden)
    return [state.tobytes() for state in hidden]


@both_games
def test_games_that_a_seat_cannot_tell_apart_show_it_the_same_events(game: Game) -> None:
    """Row 0 is the game; row k + 1 differs from it only in what seat k cannot know."""
    settings = game.settings.from_dict(EVERYTHING[game.name])
    rng, match, batch = (
        np.random.default_rng(0),
        Match(game, settings),
        Batch(game, settings, 4, history=32),
    )
    compared, kinds, unlike = 0, set[int](), 0
    early = [game.actions.index("call")] if "call" in game.actions else []  # ends a round soon
    for seed in range(12):
        match.start(seed)
        while not match.over and len(match.moves) < 500:
            batch.states[0] = match._states[0]
            bits = rng.integers(2**63, size=(3, 1), dtype=np.uint64)
            for seat in range(3):
                batch.states[seat + 1] = match.sample_states(seat, bits[seat])[0]
            batch.past.clear(batch.rows)
            legal = batch.states["legal"].copy()
            if legal[0].sum() > len(early):
                legal[0, early] = 0
            common = np.flatnonzero(legal[0]), legal.sum(axis=0, dtype=float)[legal[0] == 1] ** 2
            action = int(rng.choice(common[0], p=common[1] / common[1].sum()))
            rows = np.flatnonzero(legal[:, action])
            batch.step(np.full(len(rows), action), rows)
            for seat in rows[1:] - 1:
                one, other = information_states(batch, [0, seat + 1], seat)
                if one == other:  # what the decision showed is the same, too
                    histories = batch.observe_history([seat] * 2, np.array([0, seat + 1]))
                    assert (histories[0] == histories[1]).all()
                    compared += 1
                    kinds |= {*histories[0, :, 1].tolist()}
                    unlike += (
                        batch.states["hands"][0].tobytes()
                        != batch.states["hands"][seat + 1].tobytes()
                    )
            match.act(action)
    assert compared > 1500
    assert unlike > 1000
    assert len(kinds) > (9 if game is AURUXXX else 20), kinds


def fingerprint(name: str) -> str:
    """The events of a short run in all seats, as hexadecimal digits."""
    game = get_game(name)
    batch = Batch(game, game.settings.from_dict(EVERYTHING[name]), 2, history=K)
    batch.start(derive_seeds(5, 2))
    seen = b""
    for _ in range(20):
        play_on(batch, 10)
        seen += b"".join(batch.observe_history([seat] * 2).tobytes() for seat in range(3))
    return hashlib.sha256(seen).hexdigest()


@both_games
def test_uncompiled_it_does_the_same(run_fresh: Callable[..., str], game: Game) -> None:
    code = f"from tests.envs import test_history as t; print(t.fingerprint({game.name!r}))"
    assert run_fresh(code) == fingerprint(game.name)
