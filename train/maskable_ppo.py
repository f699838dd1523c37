"""Self-play with sb3-contrib's MaskablePPO.

Invalid action masking: Huang and Ontanon, "A closer look at invalid action masking in policy
gradient algorithms", 2020 (arXiv 2006.14171); PPO: Schulman et al., 2017 (arXiv 1707.06347).
"""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from threadpoolctl import threadpool_limits

from goldgriff.agents.network import Network, save_network
from goldgriff.agents.registry import CHECKPOINT
from goldgriff.envs.core.errors import GoldgriffError
from goldgriff.envs.core.files import FileError, make_folder, write_whole
from goldgriff.envs.core.game import Game
from goldgriff.train.actor_critic import LeanPolicy, shared_trunk
from goldgriff.train.progress import TrainingBar
from goldgriff.train.selfplay import SelfPlayVecEnv
from goldgriff.train.settings import TrainSettings

SETTINGS = "settings.json"
STATE = "state.pt"
# Of float32 matrix products: may round factors to bfloat16 where that is faster; sums keep float32.
PRECISION = "medium"


class ResumeError(GoldgriffError):
    """A run that cannot be gone on with."""


def train(game: Game, settings: TrainSettings, out: Path, *, resume: bool = False) -> Path:
    """Train a policy, and return the path of its checkpoint.

    Writes into the folder `out`: settings.json, policy.safetensors (the newest policy),
    checkpoints/ (all of them), state.pt (what resuming needs) and TensorBoard's event files.

    Sets torch's number of threads and its precision of matrix products for the process.

    Raises FileError when `out` cannot be written to and ResumeError when a run is already there
    and `resume` is not set, or when there is none to resume.
    """
    begun = (out / SETTINGS).exists()
    if begun and not resume:
        raise ResumeError(f"{out} holds a run; add --resume to go on with it or choose another")
    make_folder(out / "checkpoints")
    torch.set_num_threads(settings.threads)
    torch.set_float32_matmul_precision(PRECISION)
    run = Run(game, settings, out)
    if resume:
        run.restore()
    text = json.dumps({"game": game.id, **settings.to_dict()}, indent=2) + "\n"
    write_whole(out / SETTINGS, text.encode())
    with threadpool_limits(settings.threads):  # NumPy's and torch's would fight for the cores
        run.learn()
    return out / CHECKPOINT


def read_settings(game: Game, out: Path) -> TrainSettings:
    """The settings that a run was begun with. Raises ResumeError when there is no such run."""
    try:
        stored = json.loads((out / SETTINGS).read_text())
    except (OSError, ValueError) as error:
        raise ResumeError(f"no run to resume in {out}: {error}") from None
    if not isinstance(stored, dict) or stored.pop("game", None) != game.id:
        raise ResumeError(f"the run in {out} is not of {game.id}")
    return TrainSettings.from_dict(stored)


class Run:
    """One training run: the environment, the learner, and what is kept on disk."""

    def __init__(self, game: Game, settings: TrainSettings, out: Path) -> None:
        self.game = game
        self.settings = settings
        self.out = out
        self.env = SelfPlayVecEnv(
            game,
            game.settings.from_dict(settings.rules),
            settings.tables,
            reward=settings.reward,
            seed=settings.seed,
            pool_size=settings.pool_size,
            threads=settings.threads,
        )
        self.model = MaskablePPO(
            LeanPolicy,
            self.env,
            learning_rate=settings.learning_rate,
            n_steps=settings.steps_per_table,
            batch_size=settings.batch_size,
            n_epochs=settings.epochs,
            gamma=settings.discount,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip_range,
            ent_coef=settings.entropy_weight,
            vf_coef=settings.value_weight,
            max_grad_norm=settings.max_grad_norm,
            policy_kwargs=shared_trunk(settings.hidden),
            seed=settings.seed,
            device="cpu",
        )
        self.updates = 0

    def learn(self) -> None:
        """Train for what is left of the settings' steps."""
        try:
            self.model.set_logger(configure(str(self.out / "tensorboard"), ["tensorboard"]))
        except OSError as error:
            raise FileError(f"cannot write to folder {self.out}: {error.strerror}") from None
        left = self.settings.total_steps - self.model.num_timesteps
        with TrainingBar(self.settings.total_steps, self.model.num_timesteps) as bar:
            if not self.env.pool:
                self._begin()
            self.model.learn(left, callback=Keeper(self, bar), reset_num_timesteps=False)
        self.after_update()
        self.save()

    def _begin(self) -> None:
        """Deal the first games, against the untrained self, and keep that for resuming."""
        self.env.add_opponent(self.network())
        self.model._last_obs = self.env.reset()
        self.model._last_episode_starts = np.ones(self.env.num_envs, bool)
        self.save()

    def after_update(self) -> None:
        """Add past selves to the pool and write checkpoints when it is time."""
        self.updates += 1
        if self.updates % self.settings.snapshot_every == 0:
            self.env.add_opponent(self.network())
        if self.updates % self.settings.checkpoint_every == 0:
            self.save()

    def network(self) -> Network:
        """The policy as it stands, as a player."""
        policy: Any = self.model.policy
        layers = (*policy.features_extractor.layers, policy.action_net)
        return Network(
            [
                (layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy())
                for layer in layers
            ]
        )

    def save(self) -> None:
        """Write the newest policy, its numbered copy and all that resuming needs."""
        steps = self.model.num_timesteps
        notes = {"steps": str(steps), "settings": json.dumps(self.settings.to_dict())}
        for path in (CHECKPOINT, f"checkpoints/{steps:012d}.safetensors"):
            save_network(self.out / path, self.network(), self.game, notes)
        buffer = io.BytesIO()
        torch.save(self._state(), buffer)
        write_whole(self.out / STATE, buffer.getvalue())

    def restore(self) -> None:
        """Go on where `save` was last called. Raises ResumeError when the file is unusable."""
        path = self.out / STATE
        try:
            state = torch.load(path, weights_only=True)
            self._set_state(state)
        except FileNotFoundError:
            raise ResumeError(f"nothing to resume in {self.out}: {STATE} is missing") from None
        except Exception:  # torch's own words would advise to unpickle it
            raise ResumeError(
                f"cannot resume from {path}: it is damaged, or of other settings or rules"
            ) from None
        if self.settings.total_steps <= self.model.num_timesteps:
            raise ResumeError(
                f"the run in {self.out} has made {self.model.num_timesteps} steps; to go on give "
                "--steps with more in all"
            )

    def _state(self) -> dict[str, Any]:
        """Everything as tensors and plain data, so that loading needs no pickled code."""
        return {
            "steps": self.model.num_timesteps,
            "updates": self.updates,
            "policy": self.model.policy.state_dict(),
            "optimizer": self.model.policy.optimizer.state_dict(),
            "torch_random": torch.get_rng_state(),
            "numpy_random": _numpy_random(),
            "episode_starts": torch.from_numpy(np.asarray(self.model._last_episode_starts)),
            "env": {name: torch.from_numpy(array) for name, array in self.env.state().items()},
            "pool": self.env.pool,
            "members": {
                key: [(torch.from_numpy(weight), torch.from_numpy(bias)) for weight, bias in layers]
                for key, layers in self._member_layers()
            },
        }

    def _member_layers(self) -> list[tuple[int, Any]]:
        return [
            (key, member.layers)
            for key, member in self.env.members.items()
            if isinstance(member, Network)
        ]

    def _set_state(self, state: dict[str, Any]) -> None:
        self.updates = state["updates"]
        model, env = self.model, self.env
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps = state["steps"]
        env.learners.opponents = {
            key: Network([(weight.numpy(), bias.numpy()) for weight, bias in layers])
            for key, layers in state["members"].items()
        }
        env.pool = state["pool"]
        model._last_obs = env.restore({name: t.numpy() for name, t in state["env"].items()})
        model._last_episode_starts = state["episode_starts"].numpy()
        _set_numpy_random(state["numpy_random"])
        torch.set_rng_state(state["torch_random"])


def _numpy_random() -> dict[str, Any]:
    """State of NumPy's global generator, which SB3 shuffles its batches with."""
    state: Any = np.random.get_state(legacy=False)  # noqa: NPY002
    return {
        "key": torch.from_numpy(state["state"]["key"].astype(np.int64)),
        "pos": int(state["state"]["pos"]),
    }


def _set_numpy_random(saved: dict[str, Any]) -> None:
    state: Any = np.random.get_state(legacy=False)  # noqa: NPY002
    state["state"] = {"key": saved["key"].numpy().astype(np.uint32), "pos": saved["pos"]}
    np.random.set_state(state)  # noqa: NPY002


class Keeper(BaseCallback):
    """Lets the run keep its files between two updates, and moves the progress bar."""

    def __init__(self, run: Run, bar: TrainingBar) -> None:
        super().__init__()
        self.run = run
        self.bar = bar
        self.begun = False

    def _on_rollout_start(self) -> None:
        if self.begun:  # an update lies behind
            self.run.after_update()
        self.begun = True

    def _on_step(self) -> bool:
        self.bar.move_to(self.num_timesteps, self.model.ep_info_buffer or ())
        return True
