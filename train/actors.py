"""Sampling apart from learning: actors play with the learner's newest weights.

Each actor has an equal part of the games, and random numbers of its own that follow from the seed
of the run. All play, then the learner learns from what all have played, joined in their order: one
seed and one number of actors give the same weights, wherever the actors are.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import get_context
from typing import Any, NamedTuple

import cloudpickle
import numpy as np
import torch
from threadpoolctl import threadpool_limits
from torch import Tensor

from ..agents.network import Network
from ..cli.stopping import ignore_signals
from ..envs.batch import derive_seeds
from ..envs.engine.game import Game, get_game
from ..envs.policy import Policy
from ..errors import GoldgriffError
from ..eval.workers.processes import without_main
from ..eval.workers.ray import RayCluster, check_versions, versions
from .algorithms import get_algorithm
from .episodes import Recent
from .opponent_pool import OpponentPool
from .self_play import SelfPlayEnvs

_MAX_SEED = 2**32


class Order(NamedTuple):
    """Weights and progress that an actor is to play with.

    Attributes:
        version: Number of the policy.
        weights: Those of the learner's networks, as arrays.
        num_timesteps: The learner's.
    """

    version: int
    weights: Any
    num_timesteps: int


class Played(NamedTuple):
    """Samples that an actor has played.

    Attributes:
        version: Number of the policy that it played with.
        samples: What the learner learns from, as arrays.
        recent: Its newest episodes.
    """

    version: int
    samples: Any
    recent: Recent


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
    pool = OpponentPool(fixed, settings.pool_size, settings.self_play)
    envs = SelfPlayEnvs(
        game,
        [
            game.settings.from_dict({**settings.rules, "num_players": players})
            for players in settings.players
        ],
        settings.n_envs,
        pool,
        reward=settings.reward,
        threads=settings.threads,
        one_learner=learner.ONE_LEARNER,
    )
    return pool, envs, learner(envs, settings)


class Actor:
    """Plays a part of the games of a run."""

    def __init__(self, theirs: dict[str, str], content: bytes) -> None:
        check_versions(theirs)
        name, algorithm, settings, agents = cloudpickle.loads(content)
        torch.set_num_threads(settings.threads)
        threadpool_limits(settings.threads)
        self.pool, self.envs, self.learner = new_learner(
            get_game(name), algorithm, settings, agents
        )

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a method by name."""
        return getattr(self, method)(*arguments)

    def add(self, policy: Network) -> None:
        """Add a past version to the opponent pool."""
        self.envs.add(policy)

    def begin(self) -> None:
        """Start the first games."""
        self.learner.begin()

    def play(self, order: Order) -> Played:
        """Play on in all games."""
        self.learner.load_weights(_as_tensors(order.weights))
        self.learner.num_timesteps = order.num_timesteps
        samples = self.learner.collect()
        return Played(order.version, _as_arrays(samples), self.envs.episodes.recent)

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs, as arrays and plain data."""
        state = {"pool": self.pool.state(), "games": self.learner.games_state()}
        arrays: dict[str, Any] = _as_arrays(state)
        return arrays

    def restore(self, state: dict[str, Any], like: Network) -> None:
        """Play on exactly where `state` was called."""
        tensors = _as_tensors(state)
        self.pool.restore(tensors["pool"], like)
        self.learner.restore_games(tensors["games"])


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
        self.version = 0
        seeds = derive_seeds(settings.seed, count, 0) % np.uint64(_MAX_SEED)
        sizes = [len(part) for part in np.array_split(np.arange(settings.n_envs), count)]
        contents = [
            cloudpickle.dumps(
                (
                    game.name,
                    algorithm,
                    replace(settings, n_envs=size, seed=int(seed), actors=0, device="cpu"),
                    dict(agents),
                )
            )
            for size, seed in zip(sizes, seeds, strict=True)
        ]
        self._places: Any = _OnRay(contents, cluster) if cluster else _Here(contents, None)

    def add(self, policy: Network) -> None:
        """Add a past version to the pools of all actors."""
        self._places.call("add", policy)

    def begin(self) -> None:
        """Start the first games."""
        self._places.call("begin")

    def update(self, learner: Any) -> tuple[dict[str, float], list[Recent]]:
        """Let all play with the learner's weights, and it learn from that.

        Returns:
            The figures of the update, and the newest episodes of each actor.
        """
        self.version += 1
        order = Order(self.version, _as_arrays(learner.weights()), learner.num_timesteps)
        played: list[Played] = self._places.call("play", order)
        if any(one.version != self.version for one in played):
            raise GoldgriffError("an actor has played with another policy than the newest")
        parts = [
            _convert(one.samples, np.ndarray, lambda array: learner.to_device(array.copy()))
            for one in played  # what Ray sends cannot be written to
        ]
        return learner.learn(_join(parts)), [one.recent for one in played]

    def state(self) -> list[Any]:
        """Return what `restore` needs, as tensors and plain data."""
        states: list[Any] = self._places.call("state")
        return [_as_tensors(state) for state in states]

    def restore(self, states: Sequence[Any], like: Network) -> None:
        """Play on exactly where `state` was called."""
        self._places.call_each("restore", [(_as_arrays(one), like) for one in states])

    def close(self) -> None:
        """End them."""
        self._places.close()


def _as_arrays(content: Any) -> Any:
    """Return nested content with arrays for tensors, which do not travel well."""
    return _convert(content, Tensor, lambda tensor: tensor.cpu().numpy())


def _as_tensors(content: Any) -> Any:
    return _convert(content, np.ndarray, lambda array: torch.from_numpy(array.copy()))


def _convert(content: Any, kind: type, convert: Callable[[Any], Any]) -> Any:
    """Return nested tuples, lists and dicts with everything of one kind converted."""
    if isinstance(content, kind):
        return convert(content)
    if isinstance(content, dict):
        return {name: _convert(one, kind, convert) for name, one in content.items()}
    if isinstance(content, list):
        return [_convert(one, kind, convert) for one in content]
    if isinstance(content, tuple):
        parts = [_convert(one, kind, convert) for one in content]
        return content._make(parts) if hasattr(content, "_make") else tuple(parts)
    return content


def _join(parts: Sequence[Any]) -> Any:
    """Return the samples of all actors, in their order: tensors in a row, tuples one by one."""
    joined = [
        torch.cat(columns) if isinstance(columns[0], Tensor) else sum(columns, ())
        for columns in zip(*parts, strict=True)
    ]
    return parts[0]._make(joined)


_actor: Actor | None = None  # of this process, where it is one of `_Here`


def _make(theirs: dict[str, str], content: bytes) -> None:
    """Make the actor of a process."""
    global _actor  # noqa: PLW0603 (the process has one)
    ignore_signals()
    _actor = Actor(theirs, content)


def _call(method: str, arguments: bytes) -> bytes:
    """Call the actor of this process; bytes, since torch would send tensors by open files."""
    assert _actor
    answer: bytes = cloudpickle.dumps(_actor.call(method, *cloudpickle.loads(arguments)))
    return answer


class _Here:
    """Actors in processes of this machine."""

    def __init__(self, contents: Sequence[bytes], _: None) -> None:
        spawn = get_context("spawn")
        self._processes = [
            ProcessPoolExecutor(1, spawn, _make, (versions(), content)) for content in contents
        ]

    def call(self, method: str, *arguments: Any) -> list[Any]:
        """Call a method of all actors with the same arguments."""
        return self.call_each(method, [arguments] * len(self._processes))

    def call_each(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of all actors, each with arguments of its own."""
        with without_main():
            futures = [
                process.submit(_call, method, cloudpickle.dumps(each))
                for process, each in zip(self._processes, arguments, strict=True)
            ]
        try:
            return [cloudpickle.loads(future.result()) for future in futures]
        except BrokenProcessPool:
            raise GoldgriffError("the process of an actor has ended; --resume goes on") from None

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.shutdown(cancel_futures=True)


class _OnRay:
    """Actors of a Ray cluster."""

    def __init__(self, contents: Sequence[bytes], cluster: RayCluster) -> None:
        self._cluster = cluster
        kind = cluster.ray.remote(Actor).options(num_cpus=1)
        self._actors = [kind.remote(versions(), content) for content in contents]

    def call(self, method: str, *arguments: Any) -> list[Any]:
        """Call a method of all actors with the same arguments, which travel once."""
        put = [self._cluster.ray.put(one) for one in arguments]
        return self.call_each(method, [tuple(put)] * len(self._actors))

    def call_each(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of all actors, each with arguments of its own."""
        called = [
            actor.call.remote(method, *each)
            for actor, each in zip(self._actors, arguments, strict=True)
        ]
        return self._cluster.get(called)

    def close(self) -> None:
        """End them."""
        for actor in self._actors:
            self._cluster.ray.kill(actor)
