"""Search settings of training with Optuna; trials that fall behind are pruned by `on_update`.

python examples/optuna_pruning.py --trials 8
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any

import optuna

import goldgriff as gg

SHARE = "eval/win_share"


def objective(trial: optuna.Trial, folder: Path, **settings: Any) -> float:
    """Train with the settings of a trial, and return the best win share of its evaluations.

    Args:
        trial: Of Optuna.
        folder: Where the runs are kept, one folder for each trial.
        **settings: Of the algorithm, the same in all trials.

    Raises:
        TrialPruned: The trial was behind the others at the same timesteps.
    """

    def report(figures: dict[str, float]) -> bool:
        if SHARE not in figures:
            return True
        trial.report(figures[SHARE], step=int(figures["timesteps"]))
        return not trial.should_prune()  # False stops the run

    run = gg.train_agent(
        *("auruxxx", "ppo"),
        **settings,
        learning_rate=trial.suggest_float("learning_rate", 1e-4, 3e-3, log=True),
        ent_coef=trial.suggest_float("ent_coef", 1e-3, 3e-2, log=True),
        gae_lambda=trial.suggest_categorical("gae_lambda", [0.8, 0.9, 0.95]),
        on_update=report,
        out=folder / f"trial-{trial.number}",
    )
    if run.stopped:
        raise optuna.TrialPruned
    return max(figures.get(SHARE, 0.0) for figures in run.figures)


def search(trials: int, folder: Path, **settings: Any) -> optuna.Study:
    """Run some trials, and return the study."""
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=1),
        pruner=optuna.pruners.MedianPruner(n_startup_trials=2, n_warmup_steps=0),
    )
    study.optimize(lambda trial: objective(trial, folder, **settings), n_trials=trials)
    return study


def main() -> None:
    """Search, and print what was found."""
    parser = argparse.ArgumentParser(description="settings of ppo for two-player Auruxxx")
    parser.add_argument("--trials", type=int, default=8, help="(%(default)s)")
    parser.add_argument("--timesteps", type=int, default=400_000, help="a trial (%(default)s)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        study = search(
            args.trials,
            Path(folder),
            preset="plain",
            num_players=2,
            total_timesteps=args.timesteps,
            n_envs=256,
            eval_every_updates=4,
            eval_deals=50,
        )
    states = [trial.state.name for trial in study.trials]
    print(f"{states.count('COMPLETE')} trials complete, {states.count('PRUNED')} pruned")
    print(f"best: {study.best_value:.1%} against expert with {study.best_params}")


if __name__ == "__main__":
    main()
