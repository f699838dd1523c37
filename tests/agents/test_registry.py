"""Agents: found by name, path or class; legal and reproducible whatever the batch."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from goldgriff.agents import hub
from goldgriff.agents.ensemble import PlayerCountEnsemble
from goldgriff.agents.heuristics.catalog import AgentEntry
from goldgriff.agents.network import ActionValueNetwork
from goldgriff.agents.registry import AGENTS, CHAMPIONS, fingerprint, load_agent, register_agents
from goldgriff.agents.search.agent import Search
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import ACTIONS, Settings
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.engine.game import GAMES, Game, get_game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.envs.policy import ObservationBatch, Policy, RandomPolicy
from goldgriff.errors import AgentError
from goldgriff.eval.tournament.config import tournament_config
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.tournament import run_tournament

from ..players import First
from .helpers import rows_of, some_observations


def choose(policy: Policy, hands: list[list[str]], discard: str, **fields: object) -> str:
    """Return what an agent of Auruxxx plays in a position."""
    match = Match(AURUXXX, Settings(num_players=len(hands)))
    match.start(1, {"hands": hands, "discard": [discard], **fields})
    return decide(policy, match)


def decide(policy: Policy, match: Match) -> str:
    """Return what an agent plays in a match."""
    observations = ObservationBatch(
        match.game, match.raw[None], match.mask[None], derive_seeds(1, 1)
    )
    return match.game.actions[int(policy.act(observations)[0])]


def test_observations_are_what_environments_show() -> None:
    match = Match(AURUXXX, Settings(num_players=3))
    match.start(1)
    observations = ObservationBatch(AURUXXX, match.raw[None], match.mask[None], derive_seeds(1, 1))
    assert observations.scaled.dtype == np.float32
    np.testing.assert_array_equal(observations.scaled, [match.observation])


@pytest.mark.parametrize("entry", AGENTS, ids=lambda entry: f"{entry.game}-{entry.name}")
def test_named_agents_play_legally_whatever_the_batch(entry: AgentEntry) -> None:
    game = get_game(entry.game)
    observations, policy = some_observations(game=game), load_agent(entry.name, game)
    actions = policy.act(observations)
    assert observations.masks[np.arange(len(observations)), actions].all()
    single = [int(policy.act(rows_of(observations, [row]))[0]) for row in range(len(observations))]
    assert actions.tolist() == single


def test_random_picks_every_legal_move_as_often() -> None:
    observations = some_observations(rows=1, decisions=3)
    random_bits = derive_seeds(1, 20_000)
    many = rows_of(observations, [0] * len(random_bits), random_bits)
    counts = np.bincount(load_agent("random", AURUXXX).act(many), minlength=len(ACTIONS))
    legal = observations.masks[0].sum()
    assert (counts[observations.masks[0] == 0] == 0).all()
    assert np.abs(counts[observations.masks[0] == 1] / len(random_bits) - 1 / legal).max() < 0.015


def test_the_expert_follows_its_tips() -> None:
    expert = load_agent("expert", AURUXXX)
    others = [["b1"] * 2, ["v1"] * 2]
    assert choose(expert, [["gold", "gold"], *others], "r5") == "lay gold"
    # Steal: somebody holds one card.
    assert choose(expert, [["swap", "r5", "r6", "y9"], ["b1", "b2"], ["v3"]], "r4") == "swap +2"
    assert choose(expert, [["steal", "r5", "r6", "y9"], ["b1"], ["v3"] * 2], "r4") == "steal"
    many = [["b3"] * 2 + ["b4"] * 2 + ["b5"] * 2, ["v3"] * 2 + ["v4"] * 2 + ["v5"] * 2]
    # Build multiples: three 6s at once before one 11.
    assert choose(expert, [["r11", "b6", "g6", "v6", "y0"], *many], "r7") in {
        "lay b6",
        "lay g6",
        "lay v6",
    }
    # A demand is passed on only when the next turn would win.
    demand = {"phase": "demand", "demand": 2}
    assert choose(expert, [["gold"], *others], "b2", **demand) == "pass"
    assert choose(expert, [["gold", "r5"], *others], "b2", **demand) == "take"


def test_users_seat_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = (Path(__file__).parents[1] / "players.py").read_text()
    (tmp_path / "own_players.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    policy = load_agent("own_players:First", AURUXXX)
    observations = some_observations()
    assert (policy.act(observations) == First().act(observations)).all()
    for name, message in (
        ("own_players:Mute", r"has no method act\(observations\)"),
        ("own_players:Broken", "RuntimeError: no such luck"),
        ("own_players:Nobody", "AttributeError"),
        ("no_such_module:First", "ModuleNotFoundError"),
        ("grandmaster", "unknown agent 'grandmaster'; give random, expert, .*, the path"),
        (str(tmp_path), "there is no checkpoint and no run folder"),
    ):
        with pytest.raises(AgentError, match=message):
            load_agent(name, AURUXXX)


def test_a_mistyped_run_folder_is_answered_with_the_one_that_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing is asked of the Hub, whether its extra is installed or not."""
    monkeypatch.chdir(tmp_path)
    load_agent("champion", AURUXXX).save_pretrained("runs/smoke")
    Path("runs/empty").mkdir()
    monkeypatch.setattr(hub, "download", None)
    for name in ("runs/smok", "run/smoke"):
        about = rf"^agent '{name}': .* \(did you mean 'runs/smoke'\?\)$"
        with pytest.raises(AgentError, match=about):
            load_agent(name, AURUXXX)
    with pytest.raises(
        AgentError, match=r"no run folder; of the Hugging Face Hub: hf://user/name$"
    ):
        load_agent("somebody/an-agent", AURUXXX)
    assert load_agent("runs/smoke", AURUXXX).game is AURUXXX


def test_auruxxx_has_networks_that_value_actions() -> None:
    champion = load_agent("champion", AURUXXX)
    assert isinstance(champion, PlayerCountEnsemble)
    valuing = [
        isinstance(champion.for_num_players(size), ActionValueNetwork) for size in range(2, 7)
    ]
    assert valuing == [True] * 5


def test_a_champion_is_another_when_any_of_its_files_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(CHAMPIONS, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr("goldgriff.agents.registry.CHAMPIONS", tmp_path)
    prints = {fingerprint("champion", AURUXXX)}
    for path in sorted(tmp_path.glob("auruxxx-*")):
        path.write_bytes(path.read_bytes() + b" ")
        prints.add(fingerprint("champion", AURUXXX))
    assert len(prints) == 5


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_champion_comes_along_and_beats_chance(game: Game) -> None:
    """With the fewest and the most players that the game allows, and with four."""
    champion = Player("champion", load_agent("champion", game))
    for size in (2, 4, {"auruxxx": 6, "gluecksgriff": 5}[game.name]):
        plan = tournament_config(
            game,
            ["champion", "random"],
            game.settings.from_dict({"num_players": size}),
            deals=40 // size,
            seed=3,
            format="field",
        )
        results = run_tournament(plan, [champion, Player("random", load_agent("random", game))])
        assert results.standings[0].name == "champion"
        assert results.standings[0].win_share.low > 1.5 / size
    assert fingerprint("champion", game) == fingerprint("search+champion@5", game) != ""
    assert fingerprint("search+champion", game) == fingerprint("champion", game)
    assert fingerprint("expert", game) == fingerprint("search@5", game) == ""


LAST_TURNS = {  # whether the champion plays its last turn, by what it holds before it
    "1": False,  # nothing falls by a card that has to be drawn for it
    "2 1": False,
    "9 9 9": True,
    "8 9 joker": True,  # the nine is knocked
}


@pytest.mark.parametrize("hand", LAST_TURNS)
def test_the_champion_declines_a_last_turn_that_costs_points(hand: str) -> None:
    """It learnt when to decline (G8.2)."""
    champion = load_agent("champion", GLUECKSGRIFF)
    decline = GLUECKSGRIFF.actions.index("decline")
    for settings in ({}, {"fend_off": "turn", "challenge_prize": "both", "joker_knock": "wide"}):
        match = Match(GLUECKSGRIFF, GLUECKSGRIFF.settings.from_dict({"num_players": 3, **settings}))
        hands = {"hands": [["1"], hand.split(), ["10"]], "discard": ["9"]}
        match.start(1, {**hands, "caller": 0, "current_player": 1, "turns_left": 2})
        observations = match.observation_batch(information_states=True)
        (probabilities,) = champion.action_probabilities(observations)
        assert match.mask[decline]
        assert probabilities[match.mask == 1].sum() == pytest.approx(1)
        assert (probabilities[decline] > 0.5) != LAST_TURNS[hand]


def test_an_agent_of_the_other_game_is_told_so() -> None:
    with pytest.raises(AgentError, match="agent 'knocker' plays gluecksgriff, not auruxxx"):
        load_agent("knocker", AURUXXX)


def test_a_game_registers_its_agents_without_touching_shared_files() -> None:
    """Scripted agents by name, a search where one is `expert`, no champion without files."""
    count, game = len(AGENTS), object.__new__(Game)
    vars(game).update(vars(AURUXXX), name="pairs")
    try:
        register_agents("pairs", {"expert": (RandomPolicy, "plays well")})
        assert [entry.name for entry in AGENTS[count:]] == ["random", "expert", "search"]
        assert AGENTS[count + 1].description == "scripted: plays well"
        assert isinstance(load_agent("expert", game), RandomPolicy)
        assert isinstance(load_agent("search@5", game), Search)
        assert fingerprint("champion", game) == ""
        with pytest.raises(AgentError, match="agent 'champion' plays auruxxx, not pairs"):
            load_agent("champion", game)
    finally:
        del AGENTS[count:]
