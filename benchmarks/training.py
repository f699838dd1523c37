"""Training as modes that are measured: `python -m benchmarks --training`."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from threadpoolctl import threadpool_limits

from goldgriff.envs.engine.game import Game
from goldgriff.naming import counted
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.runner import Run, set_up_torch
from goldgriff.train.settings import RunSettings

from .measure import Mode, Play


def training_modes(game: Game, preset: str = "quick") -> list[Mode]:
    """Return `maskable` and `ppo` as modes, both on the hidden layers of `maskable`'s preset."""
    hidden = ALGORITHMS["maskable"].preset(preset).hidden
    modes = []
    for name in ("maskable", "ppo"):
        settings = replace(ALGORITHMS[name].preset(preset), hidden=hidden)
        title = f"goldgriff train --algorithm {name}, {counted(settings.n_envs, 'game')}; samples"
        start = partial(_start, game, name, settings)
        modes.append(Mode(f"{game.name}-train-{name}", title, start, settings.threads))
    return modes


def _start(game: Game, algorithm: str, settings: RunSettings) -> Play:
    """Begin what `goldgriff train` does between its first and its last file."""
    run = Run(game, algorithm, settings, Path())
    run.envs.add(run.learner.export())
    run.learner.begin()

    def play(updates: int) -> int:
        before = run.learner.num_timesteps
        set_up_torch(settings.threads)
        with threadpool_limits(settings.threads):
            for _ in range(updates):
                run.learner.update()
        played: int = run.learner.num_timesteps - before
        return played

    return play
