"""Networks in ONNX, run by onnxruntime and compared with ours."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray

import goldgriff as gg
from goldgriff.agents.network import ActionValueNetwork, Network
from goldgriff.agents.onnx_export import LOWEST, onnx_inputs, trained_network
from goldgriff.files import FileError

from .helpers import random_action_value_network, some_observations

GAMES = ("auruxxx", "gluecksgriff")


def run(path: Path, inputs: dict[str, NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the logits and probabilities that onnxruntime computes."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert {one.name for one in session.get_inputs()} == set(inputs)
    logits, probabilities = session.run(["logits", "probabilities"], inputs)
    return logits, probabilities


def assert_same(network: Network, path: Path, game: str, num_players: int) -> None:
    """Compare a file with its network in some decisions."""
    batch = some_observations(game=gg.get_game(game), num_players=num_players)
    logits, probabilities = run(path, onnx_inputs(network, batch))
    legal = batch.masks == 1
    ours = network.logits(batch)
    assert (logits[~legal] == LOWEST).all()
    largest = abs(ours[legal]).max()
    assert abs(logits[legal] - ours[legal]).max() < 1e-5 * max(1, largest)
    limit = 1e-4 if isinstance(network, ActionValueNetwork) else 1e-5  # its logits are thousands
    assert abs(probabilities - network.action_probabilities(batch)).max() < limit
    assert (probabilities[~legal] == 0).all()
    one_row = onnx_inputs(network, batch.take(np.array([0])))
    assert np.allclose(run(path, one_row)[1], probabilities[:1], atol=1e-6)


@pytest.mark.parametrize("num_players", [2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_champions(game: str, num_players: int, tmp_path: Path) -> None:
    path = gg.export_onnx("champion", game, tmp_path / "x.onnx", num_players=num_players)
    network = trained_network("champion", game, num_players)
    assert_same(network, path, game, num_players)
    labels = {entry.key: entry.value for entry in onnx.load(path).metadata_props}
    assert labels["environment"] == gg.get_game(game).id
    assert labels["base_policy"] == "expert"


@pytest.mark.parametrize("advice", [True, False])
@pytest.mark.parametrize("game", GAMES)
def test_a_network_that_values_actions_one_by_one(game: str, advice: bool, tmp_path: Path) -> None:
    network = random_action_value_network(gg.get_game(game), 0.002, advice=advice)
    assert_same(network, gg.export_onnx(network, game, tmp_path / "x.onnx"), game, 3)
    weight, bias = network.layers[0]
    one_layer = network.with_layers([(weight[:1] / np.float32(1000), bias[:1])])
    assert_same(one_layer, gg.export_onnx(one_layer, game, tmp_path / "y.onnx"), game, 2)


@pytest.mark.parametrize("game", GAMES)
def test_a_trained_run(game: str, tmp_path: Path) -> None:
    """Such a network takes what an environment gives, and nothing else."""
    run_ = gg.train_agent(game, "ppo", preset="smoke", num_players=[2, 4], out=tmp_path / "run")
    path = gg.export_onnx(run_.best, game, tmp_path / "run.onnx")
    assert_same(trained_network(tmp_path / "run", game), path, game, 4)
    env = gg.make(gg.get_game(game), num_players=2)
    env.reset(seed=1)
    seen = env.last()[0]
    row = {name: seen[name][None] for name in ("observation", "action_mask")}
    _, (probabilities,) = run(path, row)
    assert probabilities.sum() == pytest.approx(1)
    assert not probabilities[seen["action_mask"] == 0].any()


def test_what_cannot_be_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(gg.AgentError, match=r"^only trained networks can be exported, not a "):
        gg.export_onnx("expert", "auruxxx", tmp_path / "x.onnx")
    with pytest.raises(gg.AgentError, match=r"several networks: give num_players"):
        gg.export_onnx("champion", "auruxxx", tmp_path / "x.onnx")
    with pytest.raises(gg.GoldgriffError, match=r"^cannot write "):
        gg.export_onnx("champion", "gluecksgriff", tmp_path / "no" / "x.onnx")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(gg.GoldgriffError, match=r"pip install 'goldgriff\[onnx\]'$"):
        gg.export_onnx("champion", "gluecksgriff", tmp_path / "x.onnx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", [5, "a\0b", "a\ud800"])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(FileError, match="the path of a file or folder is needed, not "):
        gg.export_onnx("champion", "auruxxx", path, num_players=2)
