"""Optuna's trials are runs, which its pruners stop."""

from pathlib import Path
from typing import Any

import optuna

from goldgriff.examples.optuna_pruning import SHARE, objective, search

TINY: dict[str, Any] = {
    "preset": "smoke",
    "num_players": 2,
    "rules": {"rounds": 1},
    "total_timesteps": 4 * 512,
    "eval_every_updates": 1,
    "eval_deals": 2,
    "eval_opponent": "random",
}


def test_trials_are_runs(tmp_path: Path) -> None:
    study = search(2, tmp_path, **TINY)
    assert len(study.trials) == 2
    assert study.best_trial.intermediate_values
    assert max(study.best_trial.intermediate_values.values()) == study.best_value
    assert {path.name for path in tmp_path.iterdir()} == {"trial-0", "trial-1"}


def test_a_pruned_trial_stops_its_run(tmp_path: Path) -> None:
    study = optuna.create_study(pruner=optuna.pruners.ThresholdPruner(lower=2.0))
    study.optimize(lambda trial: objective(trial, tmp_path, **TINY), n_trials=1)
    (trial,) = study.trials
    assert trial.state == optuna.trial.TrialState.PRUNED
    assert list(trial.intermediate_values) == [512]  # after the first of four updates
    lines = (tmp_path / "trial-0" / "curve.csv").read_text().splitlines()
    assert len(lines) == 2
    assert SHARE in lines[0]
