"""What TensorBoard, Weights & Biases and MLflow hold of a run afterwards."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import mlflow
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import goldgriff as gg
from goldgriff.examples.loggers import to_mlflow, to_tensorboard, to_wandb


def test_all_three_hold_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WANDB_SILENT", "true")
    config: dict[str, Any] = {"total_timesteps": 3 * 512, "learning_rate": 0.001}
    with ExitStack() as stack:
        logs = [
            stack.enter_context(to_tensorboard(tmp_path / "tensorboard")),
            stack.enter_context(to_wandb(tmp_path / "wandb-here", config)),
            stack.enter_context(to_mlflow(tmp_path / "mlruns", config)),
        ]
        run = gg.train_agent(
            "auruxxx", "ppo", preset="smoke", num_players=2, out=tmp_path / "run", **config,
            on_update=lambda figures: [log(figures) for log in logs],
        )  # fmt: skip
    losses = [row["train/value_loss"] for row in run.figures]
    steps = [512, 1024, 1536]

    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    assert [event.step for event in events.Scalars("train/value_loss")] == steps
    assert [event.value for event in events.Scalars("train/value_loss")] == pytest.approx(losses)

    client = mlflow.MlflowClient((tmp_path / "mlruns").as_uri())
    experiment = client.get_experiment_by_name("goldgriff")
    assert experiment is not None
    (logged,) = client.search_runs([experiment.experiment_id])
    history = client.get_metric_history(logged.info.run_id, "train/value_loss")
    assert [(entry.step, entry.value) for entry in history] == list(zip(steps, losses, strict=True))
    assert logged.data.params["learning_rate"] == "0.001"

    (offline,) = (tmp_path / "wandb-here").rglob("*.wandb")
    assert b"train/value_loss" in offline.read_bytes()
