"""Compile what a run plays, once and before its actors and its progress bar start."""

import functools
from collections.abc import Container
from typing import Any

from ..agents.registry import is_code, load_agent
from ..envs.engine.compile import COMPILED
from ..envs.engine.game import Game
from ..eval.workers.warm_up import compile_for
from .actors import new_learner
from .algorithms import get_algorithm
from .settings import RunSettings

_LATER = 10**12  # timesteps after which no algorithm imitates any more
_SMALL: dict[str, Any] = {
    "n_envs": 4,
    "n_steps": 8,
    "batch_size": 8,
    "buffer_size": 32,
    "reservoir_size": 32,
    "hidden": [4],
    "critic_hidden": [4],
    "fixed_opponents": ["random"],
    "self_play": 0.0,
    "rollout_fraction": 1.0,
    "threads": 1,
}


def compile_for_run(
    game: Game, algorithm: str, settings: RunSettings, objects: Container[str] = ()
) -> None:
    """Compile all that a run uses; nothing where that was done, or nothing is compiled.

    It draws from global random numbers, so a run makes its learner afterwards.

    Args:
        game: The game.
        algorithm: A name in ALGORITHMS.
        settings: Of the run.
        objects: Names of agents that are given as objects; these are not asked, like all code of a
            user.

    Raises:
        GoldgriffError: What the run would raise when it begins.
    """
    teacher, base_policy = (getattr(settings, name, "") for name in ("teacher", "base_policy"))
    named = {*settings.fixed_opponents, settings.eval_opponent, teacher} - {""}
    own = sorted(name for name in named if name not in objects and not is_code(name))
    if COMPILED:
        _compile(game, algorithm, tuple(own), base_policy, tuple(settings.players))


@functools.cache
def _compile(
    game: Game,
    algorithm: str,
    names: tuple[str, ...],
    base_policy: str,
    player_counts: tuple[int, ...],
) -> None:
    """Ask agents once, and let a learner of a few small games learn twice."""
    compile_for(game, names, player_counts)
    kind = get_algorithm(algorithm).settings
    given = {**_SMALL, "players": [player_counts[0]], "base_policy": base_policy}
    given = {name: value for name, value in given.items() if name in kind.__dataclass_fields__}
    agents = {"random": load_agent("random", game)}
    _, envs, learner = new_learner(game, algorithm, kind.from_dict(given), agents)
    envs.add(learner.export())
    learner.begin()
    learner.update()
    if algorithm != "maskable":  # which counts for itself
        learner.num_timesteps = _LATER
    learner.update()
