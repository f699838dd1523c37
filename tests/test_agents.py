"""The players: found by name, path or class; legal and reproducible whatever the batch."""

import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from goldgriff.agents.checkpoints import CheckpointError, load_network, save_network
from goldgriff.agents.ensemble import PlayerCountEnsemble
from goldgriff.agents.features.description import find_feature_spec
from goldgriff.agents.heuristics.catalog import AgentEntry, find_base_policy
from goldgriff.agents.network import ActionValueNetwork, Network
from goldgriff.agents.registry import AGENTS, CHAMPIONS, fingerprint, load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import ACTIONS, Settings
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.game import GAMES, Game, get_game
from goldgriff.envs.match import Match
from goldgriff.envs.policy import ObservationBatch, Policy, observation_batch
from goldgriff.errors import AgentError
from goldgriff.eval.config import tournament_config
from goldgriff.eval.guard import Player
from goldgriff.eval.tournament import run_tournament

from .players import First


def random_network(seed: int = 0, sizes: tuple[int, ...] = (16,)) -> Network:
    rng = np.random.default_rng(seed)
    widths = (AURUXXX.observation_spec.size, *sizes, len(AURUXXX.actions))
    return Network(
        [
            (rng.normal(size=(out, into)).astype(np.float32), np.zeros(out, np.float32))
            for into, out in pairwise(widths)
        ]
    )


def some_views(
    rows: int = 64, decisions: int = 30, game: Game = AURUXXX, **settings: int
) -> ObservationBatch:
    """What the movers of some games in their middle see."""
    batch = Batch(game, game.settings.from_dict(settings), rows)
    batch.start(derive_seeds(1, rows))
    rng = np.random.default_rng(1)
    for _ in range(decisions):
        _, masks = batch.observe(batch.current_players)
        batch.step((masks * rng.random(masks.shape)).argmax(axis=1))
    return observation_batch(batch, np.arange(rows), derive_seeds(2, rows), information_states=True)


def rows_of(
    observations: ObservationBatch, rows: list[int], random_bits: NDArray[np.uint64] | None = None
) -> ObservationBatch:
    """Some rows of the views, with their own words or new ones."""
    chosen = observations.take(np.array(rows))
    return chosen if random_bits is None else replace(chosen, random_bits=random_bits)


def choose(policy: Policy, hands: list[list[str]], discard: str, **fields: object) -> str:
    """What a player of Auruxxx does in a position."""
    match = Match(AURUXXX, Settings(num_players=len(hands)))
    match.start(1, {"hands": hands, "discard": [discard], **fields})
    return decide(policy, match)


def decide(policy: Policy, match: Match) -> str:
    """What a player does at a table."""
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
    observations, policy = some_views(game=game), load_agent(entry.name, game)
    actions = policy.act(observations)
    assert observations.masks[np.arange(len(observations)), actions].all()
    single = [int(policy.act(rows_of(observations, [row]))[0]) for row in range(len(observations))]
    assert actions.tolist() == single


def test_random_picks_every_legal_move_as_often() -> None:
    observations = some_views(rows=1, decisions=3)
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


def test_a_network_reads_what_was_written(tmp_path: Path) -> None:
    network, observations = random_network(), some_views()
    save_network(tmp_path / "policy.safetensors", network, AURUXXX, {"steps": "5"})
    loaded = load_network(tmp_path / "policy.safetensors", AURUXXX)
    assert (loaded.act(observations) == network.act(observations)).all()
    assert [path.name for path in tmp_path.iterdir()] == ["policy.safetensors"]
    assert isinstance(load_agent(str(tmp_path), AURUXXX), Network)
    assert isinstance(load_agent(str(tmp_path / "policy.safetensors"), AURUXXX), Network)


def test_the_same_network_is_the_same_file(tmp_path: Path) -> None:
    """However safetensors orders what is noted; by the file a network's name is known."""
    network, path = random_network(), tmp_path / "policy.safetensors"
    notes = {f"note {number}": "Glücksgriff" * number for number in range(8)}
    files = set()
    for _ in range(5):
        save_network(path, network, AURUXXX, notes)
        files.add(path.read_bytes())
    assert len(files) == 1
    with safe_open(path, framework="numpy") as file:
        assert notes.items() <= file.metadata().items()


def test_a_network_hears_its_adviser_wherever_it_is_loaded(tmp_path: Path) -> None:
    """With no weight on what it sees it does as it is told."""
    actions, size = len(ACTIONS), AURUXXX.observation_spec.size
    weight = np.hstack([np.zeros((actions, size)), 100 * np.eye(actions)]).astype(np.float32)
    layer = weight, np.zeros(actions, np.float32)
    network = Network([layer], find_base_policy("saver", AURUXXX))
    save_network(tmp_path / "policy.safetensors", network, AURUXXX, {})
    loaded, observations = load_network(tmp_path / "policy.safetensors", AURUXXX), some_views()
    saver, expert = (load_agent(name, AURUXXX).act(observations) for name in ("saver", "expert"))
    assert (loaded.act(observations) == saver).all()
    assert (saver != expert).any()


def test_a_network_may_weigh_moves_one_by_one(tmp_path: Path) -> None:
    """One that looks at nothing but whose move it is does what its adviser would."""
    description = find_feature_spec(AURUXXX)
    weight = np.zeros((1, description.spec.size), np.float32)
    weight[0, description.spec.start("advised")] = 100
    layer = weight, np.zeros(1, np.float32)
    network = ActionValueNetwork([layer], find_base_policy("saver", AURUXXX), description)
    save_network(tmp_path / "policy.safetensors", network, AURUXXX, {})
    loaded, observations = load_network(tmp_path / "policy.safetensors", AURUXXX), some_views()
    assert isinstance(loaded, ActionValueNetwork)
    assert (loaded.act(observations) == load_agent("saver", AURUXXX).act(observations)).all()
    probabilities = loaded.probabilities(observations)
    assert (probabilities[observations.masks == 0] == 0).all()
    assert probabilities.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("layers missing", "not the layers of a perceptron"),
        ("layers that do not fit", "layers do not fit together"),
        ("other tables", "tables is 'hand:1/1', this needs 'players:"),
        ("no stakes", "stakes must be two numbers from 0.001 to 1000"),
        ("no layers", "a critic's layers and tables belong together"),
        ("no tables", "a critic's layers and tables belong together"),
        ("no moves", "only what weighs moves may have a critic"),
        ("a layer of nothing", "has a layer without numbers"),
        ("stakes of nothing", "stakes must be two numbers from 0.001 to 1000"),
    ],
)
def test_a_critic_that_does_not_fit_is_refused(tmp_path: Path, fault: str, message: str) -> None:
    path = CHAMPIONS / "auruxxx-rollout.safetensors"
    tensors = load_file(path)
    with safe_open(path, framework="numpy") as file:
        labels = file.metadata()
    if fault == "layers missing":
        del tensors["critic.1.bias"]
    if fault == "layers that do not fit":
        tensors["critic.0.weight"] = tensors["critic.0.weight"][:, 1:].copy()
    if fault == "other tables":
        labels["tables"] = "hand:1/1"
    if fault == "no layers":
        tensors = {name: part for name, part in tensors.items() if name[:6] != "critic"}
    if fault == "a layer of nothing":
        tensors["critic.0.weight"] = np.zeros((0, tensors["critic.0.weight"].shape[1]), np.float32)
        tensors["critic.0.bias"] = np.zeros(0, np.float32)
    if fault == "no tables":
        del labels["tables"]
    if fault == "no moves":
        del labels["moves"]
    if fault == "no stakes":
        del labels["stakes"]
    if fault == "stakes of nothing":
        labels["stakes"] = "500.0 nan"
    save_file(tensors, tmp_path / "policy.safetensors", labels)
    with pytest.raises(CheckpointError, match=message):
        load_network(tmp_path / "policy.safetensors", AURUXXX)


def test_a_network_samples_by_its_probabilities() -> None:
    network, observations = random_network(), some_views(rows=1)
    random_bits = derive_seeds(1, 40_000)
    many = rows_of(observations, [0] * len(random_bits), random_bits)
    legal = observations.masks[0] == 1
    probabilities = np.where(legal, np.exp(network.logits(observations)[0].astype(float)), 0)
    probabilities /= probabilities.sum()
    seen = np.bincount(network.act(many), minlength=len(ACTIONS)) / len(random_bits)
    assert (seen[~legal] == 0).all()
    assert np.abs(seen - probabilities).max() < 0.01


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("cut short", "cannot read checkpoint"),
        ("no checkpoint at all", "cannot read checkpoint"),
        ("other game", "environment is 'chess_v0', this needs 'auruxxx_v0'"),
        ("other observation", "observation is 'hand:1/1', this needs"),
        ("layers missing", "not the layers of a perceptron"),
        ("layers that do not fit", "layers do not fit together"),
        ("other actions", "gives 5 numbers, not 87"),
        ("not a number", "has weights that are no numbers or huge"),
        ("adviser unknown", "unknown adviser 'oracle'; there are random, expert"),
        ("adviser not told", "layers do not fit together"),
        ("adviser and moves", "moves is 'card:1/2', this needs 'players:5/1,"),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_refused(
    tmp_path: Path, fault: str, message: str
) -> None:
    path = tmp_path / "policy.safetensors"
    save_network(path, random_network(), AURUXXX, {})
    tensors = load_file(path)
    labels = {
        "format": "goldgriff policy 1",
        "environment": "auruxxx_v0",
        "observation": ",".join(f"{s.name}:{s.size}/{s.scale:g}" for s in AURUXXX.observation_spec),
    }
    if fault == "other game":
        labels["environment"] = "chess_v0"
    if fault == "other observation":
        labels["observation"] = "hand:1/1"
    if fault.startswith("adviser"):
        labels["adviser"] = "oracle" if fault == "adviser unknown" else "expert"
    if fault == "adviser and moves":
        labels["moves"] = "card:1/2"
    if fault == "layers missing":
        del tensors["1.bias"]
    if fault == "layers that do not fit":
        tensors["0.weight"] = tensors["0.weight"][:, 1:].copy()
    if fault == "other actions":
        tensors["1.weight"], tensors["1.bias"] = tensors["1.weight"][:5], tensors["1.bias"][:5]
    if fault == "not a number":
        tensors["0.bias"][3] = np.nan
    save_file(tensors, path, labels)
    if fault == "cut short":
        path.write_bytes(path.read_bytes()[:-100])
    if fault == "no checkpoint at all":
        path.write_bytes(b"import os")
    with pytest.raises(CheckpointError, match=message):
        load_network(path, AURUXXX)


def test_users_seat_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = (Path(__file__).parent / "players.py").read_text()
    (tmp_path / "own_players.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    policy = load_agent("own_players:First", AURUXXX)
    observations = some_views()
    assert (policy.act(observations) == First().act(observations)).all()
    for name, message in (
        ("own_players:Mute", r"has no method act\(views\)"),
        ("own_players:Broken", "RuntimeError: no such luck"),
        ("own_players:Nobody", "AttributeError"),
        ("no_such_module:First", "ModuleNotFoundError"),
        ("grandmaster", "unknown agent 'grandmaster'; give random, expert, .*, the path"),
        (str(tmp_path), "unknown agent"),
    ):
        with pytest.raises(AgentError, match=message):
            load_agent(name, AURUXXX)


def test_each_size_of_table_has_its_network() -> None:
    """Asked about tables of many sizes at once, each answers for its own; the last for the rest."""
    networks = [random_network(seed) for seed in range(3)]
    together = PlayerCountEnsemble(networks)
    parts = [some_views(6, num_players=players) for players in (2, 3, 4, 6)]
    mixed = np.random.default_rng(1).permutation(24)
    every = ObservationBatch(
        AURUXXX,
        np.concatenate([part.raw for part in parts])[mixed],
        np.concatenate([part.masks for part in parts])[mixed],
        np.concatenate([part.random_bits for part in parts])[mixed],
    )
    alone = list(zip((networks[k] for k in (0, 1, 2, 2)), parts, strict=True))
    acts = np.concatenate([network.act(part) for network, part in alone])
    np.testing.assert_array_equal(together.act(every), acts[mixed])
    probabilities = np.concatenate([network.probabilities(part) for network, part in alone])
    np.testing.assert_allclose(together.probabilities(every), probabilities[mixed], atol=1e-5)
    assert together.for_num_players(6) is networks[2]


def test_auruxxx_has_a_network_that_weighs_moves_for_three_and_for_four() -> None:
    champion = load_agent("champion", AURUXXX)
    assert isinstance(champion, PlayerCountEnsemble)
    weighing = [
        isinstance(champion.for_num_players(size), ActionValueNetwork) for size in range(2, 7)
    ]
    assert weighing == [False, True, True, False, False]


def test_a_champion_is_another_when_any_of_its_files_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(CHAMPIONS, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr("goldgriff.agents.registry.CHAMPIONS", tmp_path)
    prints = {fingerprint("champion", AURUXXX)}
    for path in sorted(tmp_path.glob("auruxxx-*")):
        path.write_bytes(path.read_bytes() + b" ")
        prints.add(fingerprint("champion", AURUXXX))
    assert len(prints) == 3


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_champion_comes_along_and_beats_chance(game: Game) -> None:
    """At tables of the fewest and of the most players that the game allows, and of four."""
    champion = Player("champion", load_agent("champion", game))
    for size in (2, 4, {"auruxxx": 6, "gluecksgriff": 5}[game.name]):
        plan = tournament_config(
            game,
            ["champion", "random"],
            game.settings.from_dict({"num_players": size}),
            deals=20,
            seed=3,
            format="field",
        )
        results = run_tournament(plan, [champion, Player("random", load_agent("random", game))])
        assert results.standings[0].name == "champion"
        assert results.standings[0].win_share.low > 1.5 / size
    assert fingerprint("champion", game) == fingerprint("search+champion@5", game) != ""
    assert fingerprint("search+champion", game) == fingerprint("champion", game)
    assert fingerprint("expert", game) == fingerprint("search@5", game) == ""


def test_an_agent_of_the_other_game_is_told_so() -> None:
    with pytest.raises(AgentError, match="agent 'knocker' plays gluecksgriff, not auruxxx"):
        load_agent("knocker", AURUXXX)
