"""Checkpoints: read as written, and refused where they do not fit."""

import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save

from goldgriff.agents.checkpoints import (
    FORMAT,
    CheckpointError,
    load_network,
    save_network,
    with_checksum,
)
from goldgriff.agents.heuristics.catalog import find_base_policy
from goldgriff.agents.network import ActionValueNetwork, Network
from goldgriff.agents.registry import CHAMPIONS, fingerprint, load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import ACTIONS
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.engine.preview import action_spec, state_spec

from .helpers import random_action_value_network, random_network, some_observations


def test_a_network_reads_what_was_written(tmp_path: Path) -> None:
    network, observations = random_network(), some_observations()
    save_network(tmp_path / "model.safetensors", network, AURUXXX, {"steps": "5"})
    loaded = load_network(tmp_path / "model.safetensors", AURUXXX)
    assert (loaded.act(observations) == network.act(observations)).all()
    assert [path.name for path in tmp_path.iterdir()] == ["model.safetensors"]
    assert isinstance(load_agent(str(tmp_path), AURUXXX), Network)
    assert isinstance(load_agent(str(tmp_path / "model.safetensors"), AURUXXX), Network)


def test_the_same_network_is_the_same_file(tmp_path: Path) -> None:
    """However safetensors orders what is noted; by the file a network's name is known."""
    network, path = random_network(), tmp_path / "model.safetensors"
    notes = {f"note {number}": "Glücksgriff" * number for number in range(8)}
    files = set()
    for _ in range(5):
        save_network(path, network, AURUXXX, notes)
        files.add(path.read_bytes())
    assert len(files) == 1
    with safe_open(path, framework="numpy") as file:
        assert notes.items() <= file.metadata().items()


def test_a_network_is_told_its_base_policys_action_wherever_it_is_loaded(tmp_path: Path) -> None:
    """With no weight on the observation it plays the base policy's action."""
    actions, size = len(ACTIONS), AURUXXX.observation_spec.size
    weight = np.hstack([np.zeros((actions, size)), 100 * np.eye(actions)]).astype(np.float32)
    layer = weight, np.zeros(actions, np.float32)
    network = Network([layer], find_base_policy("saver", AURUXXX))
    save_network(tmp_path / "model.safetensors", network, AURUXXX, {})
    loaded, observations = (
        load_network(tmp_path / "model.safetensors", AURUXXX),
        some_observations(),
    )
    saver, expert = (load_agent(name, AURUXXX).act(observations) for name in ("saver", "expert"))
    assert (loaded.act(observations) == saver).all()
    assert (saver != expert).any()


def test_a_network_may_value_actions_one_by_one(tmp_path: Path) -> None:
    """One that looks at nothing but whether an action is the base policy's plays that."""
    states = state_spec(AURUXXX).size
    weight = np.zeros((1, states + action_spec(AURUXXX).size), np.float32)
    weight[0, states + action_spec(AURUXXX).start("base_action")] = 1
    layer = weight, np.zeros(1, np.float32)
    network = ActionValueNetwork([layer], find_base_policy("saver", AURUXXX), AURUXXX)
    save_network(tmp_path / "model.safetensors", network, AURUXXX, {})
    loaded, observations = (
        load_network(tmp_path / "model.safetensors", AURUXXX),
        some_observations(),
    )
    assert isinstance(loaded, ActionValueNetwork)
    assert (loaded.act(observations) == load_agent("saver", AURUXXX).act(observations)).all()
    probabilities = loaded.action_probabilities(observations)
    assert (probabilities[observations.masks == 0] == 0).all()
    assert probabilities.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize("advice", [True, False])
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_action_values_and_critic_are_read_as_written(
    tmp_path: Path, game: Game, advice: bool
) -> None:
    network, path = random_action_value_network(game, 0.3, advice=advice), tmp_path / "model"
    save_network(path, network, game, {"steps": "5"})
    loaded, observations = load_network(path, game), some_observations(20, game=game)
    assert isinstance(loaded, ActionValueNetwork)
    assert network.critic is not None
    assert loaded.critic is not None
    assert loaded.notes == {"steps": "5"}
    np.testing.assert_array_equal(loaded.logits(observations), network.logits(observations))
    again = loaded.with_layers(network.layers)
    np.testing.assert_array_equal(again.logits(observations), network.logits(observations))
    states: Any = observations.information_states
    rows = np.arange(20)
    ours, theirs = (
        critic.evaluate(states, rows, rows % 2) for critic in (network.critic, loaded.critic)
    )
    np.testing.assert_array_equal(theirs, ours)
    assert loaded.critic.value_target == network.critic.value_target


CRITICS = "a critic's layers and state_features belong together"


@pytest.mark.parametrize(
    ("label", "text", "message"),
    [
        ("state_features", "hand:1/1", "state_features is 'hand:1/1', needed is 'hand:79"),
        ("state_features", None, CRITICS),
        ("action_features", "hand:1/1", "action_features is 'hand:1/1', needed is 'hand:79"),
        ("action_features", None, "a critic needs action_features and base_policy"),
        ("base_policy", None, "a critic needs action_features and base_policy"),
        ("value_target", None, "value_target must be 2 numbers from 0.001 to 1000"),
        ("value_target", "500.0 nan", "value_target must be 2 numbers from 0.001 to 1000"),
        ("value_target", "500.0", "value_target must be 2 numbers from 0.001 to 1000"),
        ("margin", None, "margin must be 1 number from 0 to 1000"),
        ("margin", "-1", "margin must be 1 number from 0 to 1000"),
        ("margin", "much", "margin must be 1 number from 0 to 1000"),
        ("advice", None, "advice must be True or False"),
        ("advice", "perhaps", "advice must be True or False"),
    ],
)
def test_labels_of_action_values_that_do_not_fit_are_refused(
    tmp_path: Path, label: str, text: str | None, message: str
) -> None:
    tensors, labels = written(tmp_path / "model.safetensors")
    labels.pop(label)
    if text is not None:
        labels[label] = text
    (tmp_path / "model.safetensors").write_bytes(with_checksum(save(tensors, labels)))
    with pytest.raises(CheckpointError, match=message):
        load_network(tmp_path / "model.safetensors", AURUXXX)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("layers missing", "not the layers of a perceptron"),
        ("layers that do not fit", "layers do not fit together"),
        ("no layers", CRITICS),
        ("a layer of nothing", "has a layer without numbers"),
        ("an input less", "layers do not fit together"),
    ],
)
def test_a_critic_that_does_not_fit_is_refused(tmp_path: Path, fault: str, message: str) -> None:
    tensors, labels = written(tmp_path / "model.safetensors")
    if fault == "layers missing":
        del tensors["critic.1.bias"]
    if fault == "layers that do not fit":
        tensors["critic.0.weight"] = tensors["critic.0.weight"][:, 1:].copy()
    if fault == "no layers":
        tensors = {name: part for name, part in tensors.items() if name[:6] != "critic"}
    if fault == "a layer of nothing":
        tensors["critic.0.weight"] = np.zeros((0, tensors["critic.0.weight"].shape[1]), np.float32)
        tensors["critic.0.bias"] = np.zeros(0, np.float32)
    if fault == "an input less":
        tensors["0.weight"] = tensors["0.weight"][:, 1:].copy()
    (tmp_path / "model.safetensors").write_bytes(with_checksum(save(tensors, labels)))
    with pytest.raises(CheckpointError, match=message):
        load_network(tmp_path / "model.safetensors", AURUXXX)


def written(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the tensors and metadata of a network that values actions."""
    save_network(path, random_action_value_network(), AURUXXX, {})
    with safe_open(path, framework="numpy") as file:
        return load_file(path), file.metadata()


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("cut short", "cannot read checkpoint"),
        ("no checkpoint at all", "cannot read checkpoint"),
        ("older format", "format is 'goldgriff policy 1', needed is 'goldgriff policy 2'"),
        ("other game", "environment is 'chess_v0', needed is 'auruxxx_v0'"),
        ("other observation", "observation is 'hand:1/1', needed is"),
        ("layers missing", "not the layers of a perceptron"),
        ("layers that do not fit", "layers do not fit together"),
        ("other actions", "gives 5 numbers, not 87"),
        ("not a number", "has weights that are no numbers or huge"),
        ("base policy unknown", "unknown base policy 'oracle'; there are random, expert"),
        ("base policy not told", "layers do not fit together"),
        ("base policy and features", "action_features is 'card:1/2', needed is 'hand:79/20,"),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_refused(
    tmp_path: Path, fault: str, message: str
) -> None:
    path = tmp_path / "model.safetensors"
    save_network(path, random_network(), AURUXXX, {})
    tensors = load_file(path)
    labels = {
        "format": "goldgriff policy 2",
        "environment": "auruxxx_v0",
        "observation": ",".join(f"{s.name}:{s.size}/{s.scale:g}" for s in AURUXXX.observation_spec),
    }
    if fault == "older format":
        labels["format"] = "goldgriff policy 1"
    if fault == "other game":
        labels["environment"] = "chess_v0"
    if fault == "other observation":
        labels["observation"] = "hand:1/1"
    if fault.startswith("base policy"):
        labels["base_policy"] = "oracle" if fault == "base policy unknown" else "expert"
    if fault == "base policy and features":
        labels["action_features"] = "card:1/2"
    if fault == "layers missing":
        del tensors["1.bias"]
    if fault == "layers that do not fit":
        tensors["0.weight"] = tensors["0.weight"][:, 1:].copy()
    if fault == "other actions":
        tensors["1.weight"], tensors["1.bias"] = tensors["1.weight"][:5], tensors["1.bias"][:5]
    if fault == "not a number":
        tensors["0.bias"][3] = np.nan
    path.write_bytes(with_checksum(save(tensors, labels)))
    if fault == "cut short":
        path.write_bytes(path.read_bytes()[:-100])
    if fault == "no checkpoint at all":
        path.write_bytes(b"import os")
    with pytest.raises(CheckpointError, match=message):
        load_network(path, AURUXXX)


@pytest.mark.parametrize("seed", range(3))
def test_a_flipped_bit_is_found(tmp_path: Path, seed: int) -> None:
    chance, path = random.Random(seed), tmp_path / "model.safetensors"
    save_network(path, random_network(), AURUXXX, {"note": "0" * 64})
    whole = path.read_bytes()
    for _ in range(100):
        place, bit = chance.randrange(len(whole)), chance.randrange(8)
        damaged = bytearray(whole)
        damaged[place] ^= 1 << bit
        path.write_bytes(damaged)
        with pytest.raises(CheckpointError):
            load_network(path, AURUXXX)
    path.write_bytes(save(load_file(CHAMPIONS / "gluecksgriff.safetensors"), {"format": FORMAT}))
    with pytest.raises(CheckpointError, match="is damaged; its checksum differs"):
        load_network(path, AURUXXX)


def test_a_file_that_never_ends_is_refused(tmp_path: Path) -> None:
    """A pipe would be waited for, and a file of a terabyte read as long as there is memory."""
    save_network(tmp_path / "model.safetensors", random_network(), AURUXXX, {})
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(CheckpointError, match=r"cannot read .*config\.json.* no regular file"):
        load_agent(tmp_path, AURUXXX)
    (tmp_path / "config.json").unlink()
    os.truncate(tmp_path / "model.safetensors", 2**40)
    with pytest.raises(CheckpointError, match=r"cannot read .* more than 4,294,967,296 bytes"):
        load_agent(tmp_path, AURUXXX)
    with pytest.raises(CheckpointError, match="more than 4,294,967,296 bytes"):
        fingerprint(str(tmp_path), AURUXXX)
