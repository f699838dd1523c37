"""Training from Python: `goldgriff.train_agent`."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray

import goldgriff as gg
from goldgriff.agents.model_folder import CHECKPOINT
from goldgriff.envs.policy import ObservationBatch
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.api import AlgorithmName, PresetName
from goldgriff.train.run_folder import SETTINGS, ResumeError

from ..players import Remembering

TINY: dict[str, Any] = {
    "preset": "smoke",
    "num_players": 2,
    "n_envs": 8,
    "n_steps": 16,
    "batch_size": 64,
    "hidden": [16],
    "rules": {"rounds": 1},
    "eval_every_updates": 2,
    "eval_deals": 2,
    "eval_opponent": "random",
}
UPDATE = 8 * 16  # decisions


def first(_observation: Any, action_mask: NDArray[np.int8], _info: Any) -> int:
    return int(action_mask.argmax())


class Counter:
    """Plays the first legal action and counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, batch: ObservationBatch) -> NDArray[np.int64]:
        self.asked += len(batch)
        actions: NDArray[np.int64] = batch.masks.argmax(axis=1)
        return actions


def test_a_run_is_an_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, float]] = []
    run = gg.train_agent(
        "Auruxxx", "ppo", total_timesteps=4 * UPDATE, on_update=seen.append, out=tmp_path, **TINY
    )
    assert run.path == tmp_path
    assert not run.stopped
    assert [figures["timesteps"] for figures in run.figures] == [UPDATE * k for k in range(1, 5)]
    assert [figures["updates"] for figures in seen] == [1, 2, 3, 4]
    assert [{**figures, "updates": k} for k, figures in enumerate(run.figures, 1)] == seen
    assert ["eval/win_share" in figures for figures in seen] == [False, True, False, True]
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=list))
    assert run.to_pandas() == run.figures
    assert repr(run) == f"TrainingRun(auruxxx, ppo, 512 timesteps, {str(tmp_path)!r})"
    env = gg.make("auruxxx", num_players=2)
    env.reset(seed=1)
    agents = [run.best, run.load_agent(), gg.load_agent(tmp_path, "auruxxx")]
    assert len({agent.act_on(env) for agent in agents}) == 1
    assert run.load_agent(4 * UPDATE).act_on(env) in range(len(env.match.mask))
    with pytest.raises(gg.AgentError, match=r"has agents of 0, .*512 timesteps, not of 5"):
        run.load_agent(5)


def test_on_update_stops_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    """The resumed run equals one that was never stopped."""
    whole = gg.train_agent(
        "auruxxx", "ppo", total_timesteps=5 * UPDATE, out=tmp_path / "whole", **TINY
    )
    stopped = gg.train_agent(
        "auruxxx",
        "ppo",
        total_timesteps=5 * UPDATE,
        on_update=lambda figures: figures["timesteps"] < 3 * UPDATE,
        out=tmp_path / "stopped",
        **TINY,
    )
    assert stopped.stopped
    assert len(stopped.figures) == 3
    resumed = gg.train_agent("auruxxx", "ppo", out=tmp_path / "stopped", resume=True)
    assert not resumed.stopped
    assert resumed.figures == whole.figures
    contents = [(run.path / CHECKPOINT).read_bytes() for run in (whole, resumed)]
    assert contents[0] == contents[1]


def test_agents_may_be_objects_and_functions(tmp_path: Path) -> None:
    counter = Counter()
    settings = {**TINY, "eval_opponent": counter, "fixed_opponents": [first, counter, "random"]}
    run = gg.train_agent(
        "auruxxx", "ppo", total_timesteps=2 * UPDATE, self_play=0, out=tmp_path, **settings
    )
    assert counter.asked > 0
    assert "eval/win_share" in run.figures[-1]
    stored = (tmp_path / SETTINGS).read_text()
    assert "test_api:first" in stored
    assert '"Counter 1"' in stored


def test_numbers_may_be_numpys(tmp_path: Path) -> None:
    settings: dict[str, Any] = {**TINY, "num_players": np.int64(2), "hidden": [np.int32(16)]}
    settings |= {"rules": {"rounds": np.int64(1)}, "learning_rate": np.float64(1e-3)}
    settings |= {"seed": np.uint32(3), "total_timesteps": np.int64(UPDATE)}
    run = gg.train_agent("auruxxx", "ppo", out=tmp_path, **settings)
    assert run.figures[-1]["timesteps"] == UPDATE
    assert type(run.figures[-1]["timesteps"]) is int
    stored = json.loads((tmp_path / SETTINGS).read_text())
    assert (stored["players"], stored["rules"], stored["seed"]) == ([2], {"rounds": 1}, 3)


def test_type_checkers_know_the_algorithms_and_their_presets() -> None:
    assert sorted(get_args(AlgorithmName)) == sorted(ALGORITHMS)
    presets = {name for algorithm in ALGORITHMS.values() for name in algorithm.presets}
    assert {*get_args(PresetName)} == presets


def test_a_run_with_objects_is_resumed_with_them(tmp_path: Path) -> None:
    """The rest of the settings may be given again, too, but none that is another."""
    settings: dict[str, Any] = {**TINY, "fixed_opponents": [Remembering()], "self_play": 0}
    settings["total_timesteps"] = 3 * UPDATE
    whole = gg.train_agent("auruxxx", "ppo", out=tmp_path / "whole", **settings)
    out = tmp_path / "stopped"
    gg.train_agent("auruxxx", "ppo", out=out, on_update=lambda _: False, **settings)
    with pytest.raises(ResumeError, match="'Remembering 1' of the run was an object"):
        gg.train_agent("auruxxx", "ppo", out=out, resume=True)
    for name, value in (("n_envs", 4), ("eval_opponent", "expert"), ("rules", {"rounds": 2})):
        with pytest.raises(ResumeError, match=f"begun with other {name}"):
            gg.train_agent("auruxxx", "ppo", out=out, resume=True, **{**settings, name: value})
    assert (
        gg.train_agent("auruxxx", "ppo", out=out, resume=True, **settings).figures == whole.figures
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": [2], "num_players": 2}, "players and num_players are the same setting"),
        ({"num_players": 9}, "num_players must be"),
        ({"num_players": 2.5}, r"players must be a list of numbers of players, not \[2\.5\]"),
        ({"num_players": True}, r"players must be a list of numbers of players, not \[True\]"),
        ({"resume": True}, "no run to resume"),
        ({"eval_opponent": 3}, "int has no method act"),
        ({"preset": "smok"}, "did you mean 'smoke'"),
        ({"reward": lambda points: points}, "put it at the top of a module"),
        ({"on_update": 3}, "on_update must be a function of the figures, not 3"),
    ],
    ids=range(9),
)
def test_what_cannot_be_trained_is_refused(
    given: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(gg.GoldgriffError, match=message):
        gg.train_agent("auruxxx", "ppo", out=tmp_path, **{"preset": "smoke", **given})
