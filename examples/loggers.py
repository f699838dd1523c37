"""Log a training run with TensorBoard, Weights & Biases and MLflow, by `on_update`.

Each `with` gives what `gg.train_agent(on_update=...)` calls. Nothing leaves this machine: W&B runs
offline, and MLflow writes into a file.

    python examples/loggers.py --out runs/logged
"""

import argparse
import math
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import mlflow
import wandb
from torch.utils.tensorboard import SummaryWriter

import goldgriff as gg

Figures = dict[str, float]
OnUpdate = Callable[[Figures], None]


def steps_of(figures: Figures) -> tuple[int, Figures]:
    """Return the timesteps, and the other figures that are numbers."""
    named = {name: value for name, value in figures.items() if math.isfinite(value)}
    return int(named.pop("timesteps")), named


@contextmanager
def to_tensorboard(folder: Path) -> Iterator[OnUpdate]:
    """Write event files of one's own; a run writes some into its folder in any case."""
    with SummaryWriter(str(folder)) as writer:

        def log(figures: Figures) -> None:
            step, named = steps_of(figures)
            for name, value in named.items():
                writer.add_scalar(name, value, step)

        yield log


@contextmanager
def to_wandb(folder: Path, config: dict[str, object]) -> Iterator[OnUpdate]:
    """Write an offline run of Weights & Biases; `wandb sync` uploads it later."""
    folder.mkdir(parents=True, exist_ok=True)
    with wandb.init(project="goldgriff", mode="offline", dir=str(folder), config=config) as run:

        def log(figures: Figures) -> None:
            step, named = steps_of(figures)
            run.log(named, step=step)

        yield log


@contextmanager
def to_mlflow(folder: Path, config: dict[str, object]) -> Iterator[OnUpdate]:
    """Write a run of MLflow into files; `mlflow ui --backend-store-uri FOLDER` shows it."""
    os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri(folder.resolve().as_uri())
    mlflow.set_experiment("goldgriff")
    with mlflow.start_run():
        mlflow.log_params(config)

        def log(figures: Figures) -> None:
            step, named = steps_of(figures)
            mlflow.log_metrics(named, step=step)

        yield log


def main() -> None:
    """Train for some seconds with all three."""
    parser = argparse.ArgumentParser(description="a short run with three loggers")
    parser.add_argument("--out", type=Path, default=Path("runs/logged"), help="(%(default)s)")
    args = parser.parse_args()
    config: dict[str, object] = {"total_timesteps": 16_384, "learning_rate": 1e-3}
    with ExitStack() as stack:
        logs = [
            stack.enter_context(to_tensorboard(args.out / "tensorboard-own")),
            stack.enter_context(to_wandb(args.out, config)),
            stack.enter_context(to_mlflow(args.out / "mlruns", config)),
        ]

        def log(figures: Figures) -> None:
            for one in logs:
                one(figures)

        run = gg.train_agent(
            *("auruxxx", "ppo"),
            preset="smoke",
            num_players=2,
            eval_every_updates=8,
            eval_deals=10,
            on_update=log,
            out=args.out / "run",
            **config,  # type: ignore[arg-type]
        )
    print(run)


if __name__ == "__main__":
    main()
