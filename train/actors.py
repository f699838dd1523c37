"""Sampling apart from learning: actors play with the learner's newest weights.

Each actor has an equal part of the games, and random numbers of its own that follow from the seed
of the run. All play, then the learner learns from what all have played, joined in their order: one
seed and one number of actors give the same weights, wherever the actors are.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits
from torch import Tensor

from ..agents.network import Network
from ..envs.batch import derive_seeds
from ..envs.engine.game import Game
from ..envs.policy import Policy
from ..errors import GoldgriffError
from ..eval.workers.process import ProcessEndedError, WorkerProcess
from ..eval.workers.ray import RayCluster
from .algorithms import get_algorithm
from .episodes import Recent
from .opponent_pool import OpponentPool
from .self_play import SelfPlayEnvs

_MAX_SEED = 2**32
_Weights = dict[str, dict[str, Tensor]]


def new_learner(
    game: Game, algorithm: str, settings: Any, agents: Mapping[str, Policy]
) -> tuple[OpponentPool, SelfPlayEnvs, Any]:
    """Return the opponent pool, the games and the learner of a run or of an actor.

    Args:
        game: The game.
        algorithm: A name in ALGORITHMS.
        settings: Of that algorithm.
        agents: The fixed opponents by their names.
    """
    learner = get_algorithm(algorithm).learner
    fixed = [agents[name] for name in settings.fixed_opponents]
    pool = OpponentPool(
        fixed,
        settings.pool_size,
        settings.self_play,
        mixed=getattr(settings, "mixed_tables", 0.0),
        priority=getattr(settings, "priority", 0.0),
    )
    envs = SelfPlayEnvs(
        game,
        settings.tables(game),
        settings.n_envs,
        pool,
        reward=settings.reward,
        threads=settings.threads,
        one_learner=learner.ONE_LEARNER,
    )
    return pool, envs, learner(envs, settings)


class Actor:
    """Plays a part of the games of a run; for the arguments see `new_learner`."""

    def __init__(
        self, game: Game, algorithm: str, settings: Any, agents: Mapping[str, Policy]
    ) -> None:
        torch.set_num_threads(settings.threads)
        threadpool_limits(settings.threads)
        self.pool, self.envs, self.learner = new_learner(game, algorithm, settings, agents)

    def add(self, policy: Network) -> None:
        """Add a past version to the opponent pool."""
        self.envs.add(policy)

    def begin(self) -> None:
        """Start the first games."""
        self.learner.begin()

    def play(
        self, weights: _Weights, num_timesteps: int
    ) -> tuple[bytes, Recent, NDArray[np.float64]]:
        """Play on in all games.

        Args:
            weights: Those of the learner's networks, on the CPU.
            num_timesteps: The learner's.

        Returns:
            What the learner learns from, as `torch.save` writes it, the newest episodes, and the
            pool's table of results.
        """
        self.learner.load_weights(weights)
        self.learner.num_timesteps = num_timesteps
        samples = _to_bytes(self.learner.collect())
        return samples, self.envs.episodes.recent, self.pool.results()

    def state(self) -> bytes:
        """Return what `restore` needs: tensors and plain data, as `torch.save` writes them."""
        return _to_bytes({"pool": self.pool.state(), "games": self.learner.games_state()})

    def restore(self, content: bytes, like: Network) -> None:
        """Play on exactly where `state` was called."""
        state = _from_bytes(content)
        self.pool.restore(state["pool"], like)
        self.learner.restore_games(state["games"])


class Actors:
    """The actors of a run, in processes of this machine or on a Ray cluster."""

    def __init__(
        self,
        game: Game,
        algorithm: str,
        settings: Any,
        agents: Mapping[str, Policy],
        count: int,
        cluster: RayCluster | None = None,
    ) -> None:
        """Start them.

        Args:
            game: The game.
            algorithm: A name in ALGORITHMS.
            settings: Of the run.
            agents: The fixed opponents by their names.
            count: Number of actors.
            cluster: Where they are; None for this machine.
        """
        start: Callable[..., Any] = cluster.start if cluster else WorkerProcess
        seeds = derive_seeds(settings.seed, count, 0) % np.uint64(_MAX_SEED)
        sizes = [len(games) for games in np.array_split(np.arange(settings.n_envs), count)]
        cpu = {"device": "cpu"} if hasattr(settings, "device") else {}
        parts = [
            replace(settings, n_envs=size, seed=int(seed), actors=0, **cpu)
            for size, seed in zip(sizes, seeds, strict=True)
        ]
        self._processes = [start(Actor, game, algorithm, part, dict(agents)) for part in parts]

    def add(self, policy: Network) -> None:
        """Add a past version to the pools of all actors."""
        self._call_all("add", policy)

    def begin(self) -> None:
        """Start the first games."""
        self._call_all("begin")

    def update(self, learner: Any) -> tuple[dict[str, float], list[Recent], NDArray[np.float64]]:
        """Let all play with the learner's weights, and it learn from that.

        Returns:
            The figures of the update, the newest episodes of each actor, and the sum of their
            tables of results.
        """
        answers = self._call_all("play", learner.weights(), learner.num_timesteps)
        contents, recent, results = zip(*answers, strict=True)
        samples = [_from_bytes(content, learner.device) for content in contents]
        return learner.learn(_join(samples)), list(recent), np.sum(results, axis=0)

    def state(self) -> list[Any]:
        """Return what `restore` needs, as tensors and plain data."""
        return [_from_bytes(content) for content in self._call_all("state")]

    def restore(self, states: Sequence[Any], like: Network) -> None:
        """Play on exactly where `state` was called."""
        self._call("restore", [(_to_bytes(state), like) for state in states])

    def _call_all(self, method: str, *arguments: Any) -> list[Any]:
        """Call a method of all actors with the same arguments."""
        return self._call(method, [arguments] * len(self._processes))

    def _call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of all actors at once, each with its arguments."""
        for process, its_arguments in zip(self._processes, arguments, strict=True):
            process.send(method, *its_arguments)
        try:
            return [process.receive() for process in self._processes]
        except ProcessEndedError:
            raise GoldgriffError("the process of an actor has ended; --resume goes on") from None

    def close(self) -> None:
        """End them."""
        for process in self._processes:
            process.stop()


def _to_bytes(content: Any) -> bytes:
    """Return tensors and what holds them as bytes; `pickle` alone cannot write all dtypes."""
    buffer = io.BytesIO()
    torch.save(content, buffer)
    return buffer.getvalue()


def _from_bytes(content: bytes, device: torch.device | str = "cpu") -> Any:
    """Return what `_to_bytes` was given, its tensors on a device."""
    return torch.load(io.BytesIO(content), map_location=device, weights_only=False)


def _join(parts: Sequence[Any]) -> Any:
    """Return the samples of all actors, in their order: tensors in a row, tuples one by one."""
    joined = [
        torch.cat(columns) if isinstance(columns[0], Tensor) else sum(columns, ())
        for columns in zip(*parts, strict=True)
    ]
    return parts[0]._make(joined)
