"""How fast training is, beside PettingZoo's tutorial loop: same game, same network, same threads.

The tutorial's loop is the published way to train with action masks: stable-baselines3's one
environment is a wrapper around PettingZoo's AEC environment, which shows whoever is to move, and
MaskablePPO learns from all seats with its default settings; in a second mode, with the passes and
batches of `goldgriff train`. Beside it stand both PPOs of the latter on hidden layers of the same
widths: MaskablePPO with one learner a table, and the one in which all seats learn.
"""

import importlib
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import configure
from threadpoolctl import threadpool_limits

from ..agents.network import Network
from ..envs.engine.game import Game
from ..envs.policy import RandomPolicy
from ..eval.bench.loops import RandomPlay
from ..eval.bench.machine import machine
from ..eval.bench.measure import Mode, Play, measure, ratio
from ..eval.bench.own import TABLES
from ..eval.bench.report import OWN, Bench
from ..eval.bench.run import all_versions, check_request
from ..eval.bench.targets import Fact
from .algorithms import ALGORITHMS
from .maskable_ppo import MaskableSettings, shared_trunk
from .opponent_pool import OpponentPool
from .runner import Run, set_up_torch
from .settings import RunSettings
from .tables import Tables
from .vec_env import SelfPlayVecEnv

TUTORIAL = "PettingZoo's SB3 tutorial"
OVER_TUTORIAL, OVER_MASKABLE = 20.0, 3.0  # targets: MaskablePPO's and PPO's samples a second

# What `OwnTraining.profile` watches beside games and opponents: methods of the learner, and the
# part of the work that each does.
_PARTS = {
    "maskable": {
        "model.policy.forward": "learner's policy",
        "model.train": "update",
        "model.collect_rollouts": "rest of the rollout",
    },
    "ppo": {
        "net.forward": "learner's policy",
        "_learn": "update",
        "_collect": "rest of the rollout",
    },
}


def vec_env_mode(game: Game) -> Mode:
    """The self-play VecEnv at random play; counted are the learners' decisions alone."""

    def start() -> Play:
        pool = OpponentPool([], 1, 1.0)
        pool.add(RandomPolicy())
        sizes = [game.settings.from_dict({})]
        env = SelfPlayVecEnv(
            Tables(game, sizes, TABLES, pool, reward="points", seed=1, one_learner=True)
        )
        env.reset()
        policy = RandomPlay(TABLES)

        def play(steps: int) -> int:
            for _ in range(steps):
                env.step(policy.pick(env.env_method("action_masks").view(np.int8)))
            return steps * TABLES

        return play

    return Mode(
        f"{game.name}-sb3-vecenv",
        f"SB3 VecEnv, {TABLES} learners, random others",
        OWN,
        "float32 observation, mask",
        start,
        unit="learners' decisions",
    )


class TutorialEnv(gymnasium.Env[NDArray[np.float32], int]):
    """An AEC environment as one agent's: every step is the next mover's, whoever that is."""

    def __init__(self, aec: Any) -> None:
        self.aec = aec
        agent = aec.possible_agents[0]
        self.observation_space: spaces.Space[Any] = aec.observation_space(agent)["observation"]
        self.action_space: spaces.Space[Any] = aec.action_space(agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a new game; what the first player to move sees."""
        super().reset(seed=seed)
        self.aec.reset(seed=seed, options=options)
        return self.aec.last()[0]["observation"], {}

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play a decision; everything returned is the next mover's."""
        self.aec.step(action)
        seen, reward, terminated, truncated, info = self.aec.last()
        return seen["observation"], reward, terminated, truncated, info

    def action_masks(self) -> NDArray[np.int8]:
        """What the player to move may do."""
        mask: NDArray[np.int8] = self.aec.observe(self.aec.agent_selection)["action_mask"]
        return mask


def _tutorial(game: Game, settings: RunSettings, **recipe: Any) -> Play:
    aec = importlib.import_module(f"goldgriff.envs.{game.id}").env(**settings.rules)
    model = MaskablePPO(
        MaskableActorCriticPolicy,
        TutorialEnv(aec),
        policy_kwargs=shared_trunk(settings.hidden),
        seed=settings.seed,
        device="cpu",
        **recipe,
    )
    model.set_logger(configure(None, []))

    def play(updates: int) -> int:
        before = model.num_timesteps
        torch.set_float32_matmul_precision("highest")  # torch's own, as published
        model.learn(updates * model.n_steps, reset_num_timesteps=False)
        return model.num_timesteps - before

    return play


class OwnTraining:
    """What `goldgriff train` does between its first and its last file, in a folder of its own."""

    def __init__(self, game: Game, algorithm: str, settings: RunSettings, out: Path) -> None:
        (out / "checkpoints").mkdir(parents=True)
        self.run = Run(game, algorithm, settings, out)
        self.run.begin()

    def play(self, updates: int) -> int:
        """Train for some updates; returns how many samples they used."""
        learner = self.run.learner
        before = learner.num_timesteps
        set_up_torch(self.run.settings.threads)
        for _ in range(updates):
            learner.update()
        return learner.num_timesteps - before

    def profile(self, updates: int) -> dict[str, float]:
        """The share of CPU time that each part of training takes."""
        watch = Stopwatch()
        with ExitStack() as watched:

            def on(owner: Any, path: str, part: str) -> None:
                *inner, method = path.split(".")
                for name in inner:
                    owner = getattr(owner, name)
                watched.enter_context(watch.on(owner, method, part))

            on(self.run.envs, "step", "games")
            on(self.run.envs, "observe", "what is seen")
            on(self.run.envs, "hidden_hands", "what is seen")
            on(Network, "act", "opponents' policy")
            for path, part in _PARTS[self.run.algorithm].items():
                on(self.run.learner, path, part)
            on(self, "play", "everything else")
            self.play(updates)
        total = sum(watch.seconds.values())
        return {part: seconds / total for part, seconds in watch.seconds.items()}


class Stopwatch:
    """CPU seconds spent in methods, those of other watched methods inside them left out."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._inside = [0.0]  # seconds of watched calls within each one that is running

    @contextmanager
    def on(self, owner: Any, method: str, part: str) -> Iterator[None]:
        """Watch a method of an object, or of a class for all its objects."""
        original: Callable[..., Any] = getattr(owner, method)
        self.seconds[part] = 0.0

        def timed(*args: Any, **kwargs: Any) -> Any:
            self._inside.append(0.0)
            begun = time.process_time()
            try:
                return original(*args, **kwargs)
            finally:
                taken = time.process_time() - begun
                self.seconds[part] += taken - self._inside.pop()
                self._inside[-1] += taken

        setattr(owner, method, timed)
        try:
            yield
        finally:
            if isinstance(owner, type):
                setattr(owner, method, original)
            else:
                delattr(owner, method)


def bench_training(
    games: Sequence[Game],
    preset: str,
    *,
    repeats: int,
    seconds: float,
    on_start: Callable[[int], None] = lambda _: None,
    on_turn: Callable[[Mode], None] = lambda _: None,
) -> Bench:
    """Samples a second of `goldgriff train` and of the tutorial's loop for each game, in turns.

    preset: of both algorithms, on hidden layers as MaskablePPO's. on_start, on_turn: as `run_bench`
    calls them. Sets torch's number of threads for the process. Raises SettingsError.
    """
    check_request(repeats, seconds)
    maskable = cast(MaskableSettings, ALGORITHMS["maskable"].preset(preset))
    ppo = replace(ALGORITHMS["ppo"].preset(preset), hidden=maskable.hidden)
    set_up_torch(maskable.threads)
    about = machine()
    with threadpool_limits(maskable.threads), tempfile.TemporaryDirectory() as folder:
        runs: dict[str, OwnTraining] = {}
        modes: list[Mode] = []
        for game in games:
            for name, settings in (("maskable", maskable), ("ppo", ppo)):
                key = f"{game.name}-train-{name}"
                runs[key] = OwnTraining(game, name, settings, Path(folder) / key)
                modes.append(_own_mode(key, runs[key]))
            modes += _tutorial_modes(game, maskable)
        on_start(len(modes) * (repeats + 1))
        tracks = measure(modes, repeats=repeats, seconds=seconds, on_turn=on_turn)
        profiles = {key: run.profile(1) for key, run in runs.items()}
    facts = []
    for first, second, third in zip(tracks[::4], tracks[1::4], tracks[2::4], strict=True):
        for mine, theirs, target in (
            (first, third, OVER_TUTORIAL),
            (second, first, OVER_MASKABLE),
        ):
            what = f"{mine.mode.key} / {theirs.mode.key}"
            facts.append(Fact(what, "times", target, None, ratio(mine, theirs)))
    return Bench(
        tracks=tracks,
        facts=facts,
        missing=[],
        machine=about,
        versions=all_versions(),
        repeats=repeats,
        seconds=seconds,
        profiles=profiles,
    )


def _own_mode(key: str, own: OwnTraining) -> Mode:
    settings = own.run.settings
    return Mode(
        key,
        f"goldgriff train --algorithm {own.run.algorithm}, {settings.n_envs} tables",
        OWN,
        "one seat's samples" if own.run.tables.one_learner else "all seats' samples",
        lambda: own.play,
        threads=settings.threads,
        unit="samples",
    )


def _tutorial_modes(game: Game, settings: MaskableSettings) -> list[Mode]:
    """The tutorial's loop as published, and with the passes and batches of other settings."""
    recipe = {"n_epochs": settings.n_epochs, "batch_size": settings.batch_size}
    return [
        Mode(
            f"{game.name}-{key}",
            f"MaskablePPO on the AEC environment, {about}",
            TUTORIAL,
            "all seats' samples",
            start,
            threads=settings.threads,
            unit="samples",
        )
        for key, about, start in (
            ("tutorial", "as published", lambda: _tutorial(game, settings)),
            ("tutorial-batches", "our batches", lambda: _tutorial(game, settings, **recipe)),
        )
    ]
