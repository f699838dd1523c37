"""A training run: what is kept on disk, how strong the player has become, when to stop.

`train/algorithms.py` lists what can be run.
"""

import io
import json
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from threadpoolctl import threadpool_limits

from ..agents.checkpoints import labels_of, save_network
from ..agents.registry import CHECKPOINT, fingerprint, load_agent
from ..envs.engine.game import Game
from ..envs.engine.threads import cores
from ..envs.self_play import LEARNER
from ..errors import GoldgriffError
from ..files import FileError, make_folder, write_whole
from .algorithms import ALGORITHMS, find
from .evaluator import Yardstick
from .logging import TrainingLog
from .opponent_pool import OpponentPool
from .progress import TrainingBar
from .settings import RunSettings
from .tables import Tables

SETTINGS = "settings.json"
STATE = "state.pt"
_RECENT = 200  # finished games that the progress bar speaks of


class ResumeError(GoldgriffError):
    """A run that cannot be gone on with."""


class Run:
    """One training run in its folder."""

    def __init__(self, game: Game, algorithm: str, settings: RunSettings, out: Path) -> None:
        make = find(algorithm).make
        self.game, self.algorithm, self.settings, self.out = game, algorithm, settings, out
        agents = {name: load_agent(name, game) for name in settings.rivals}
        rivals = [agents[name] for name in settings.rivals]
        self.pool = OpponentPool(rivals, settings.pool_size, settings.self_play)
        sizes = [
            game.settings.from_dict({**settings.rules, "num_players": players})
            for players in settings.players
        ]
        self.tables = Tables(
            game,
            sizes,
            settings.tables,
            self.pool,
            reward=settings.reward,
            seed=settings.seed,
            threads=settings.threads,
            one_learner=make.ONE_LEARNER,
        )
        self.learner = make(self.tables, settings)
        self.yardstick = Yardstick(game, settings)
        self.curves = TrainingLog()
        self.updates = 0
        self._recent: deque[float] = deque(maxlen=_RECENT)

    @property
    def finished(self) -> bool:
        """Whether all steps are made, or no progress was for too long."""
        return self.yardstick.stale or self.learner.steps >= self.settings.total_steps

    def begin(self) -> None:
        """Start from nothing: the untrained player is the pool's first member."""
        self.tables.add(self.learner.player())
        self.learner.begin()
        self.save()

    def learn(self) -> None:
        """Train until it is `finished`."""
        with (
            TrainingBar(self.settings.total_steps, self.learner.steps) as bar,
            self.curves.open(self.out),
        ):
            while not self.finished:
                figures = self.learner.update()
                self.updates += 1
                self._recent.extend(g.share for g in self.tables.ended if g.member != LEARNER)
                self._keep(figures)
                bar.move_to(self.learner.steps, self._recent)
        self.save()

    def _keep(self, figures: dict[str, float]) -> None:
        """Add past selves, measure and write files when it is time."""
        settings = self.settings
        if self.updates % settings.snapshot_every == 0:
            self.tables.add(self.learner.player())
        if settings.evaluate_every and self.updates % settings.evaluate_every == 0:
            figures |= self._measure()
        self.curves.add(self.learner.steps, figures)
        if self.updates % settings.checkpoint_every == 0:
            self.save()

    def _measure(self) -> dict[str, float]:
        """Meet the yardstick; the best player so far is the run's."""
        share = self.yardstick.measure(self.learner.player())
        if not self.yardstick.since_best:
            self._save_player(self.out / CHECKPOINT)
        return {
            "yardstick/share": share.mean,
            "yardstick/low": share.low,
            "yardstick/high": share.high,
        }

    def save(self) -> None:
        """Write the newest policy's numbered copy, the curves and all that resuming needs."""
        if self.yardstick.best < 0:
            self._save_player(self.out / CHECKPOINT)
        self._save_player(self.out / f"checkpoints/{self.learner.steps:012d}.safetensors")
        self.curves.write(self.out)
        buffer = io.BytesIO()
        torch.save(self._state(), buffer)
        write_whole(self.out / STATE, buffer.getvalue())

    def _save_player(self, path: Path) -> None:
        notes = {
            "algorithm": self.algorithm,
            "timesteps": str(self.learner.steps),
            "settings": json.dumps(self.settings.to_dict()),
        }
        save_network(path, self.learner.player(), self.game, notes)

    def restore(self) -> None:
        """Go on where `save` was last called.

        Raises ResumeError when the file is unusable or another run's, or when nothing is left to
        be done.
        """
        path = self.out / STATE
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
            theirs, own = state["of"], self._signs()
            other = [name for name, sign in own.items() if theirs.get(name) != sign]
            if other:
                raise ResumeError(f"cannot resume from {path}: begun with other {', '.join(other)}")
            self.pool.restore(state["pool"], self.learner.player())
            self.learner.restore(state["learner"])
            self.curves.rows = state["curves"]
            self.updates = state["updates"]
            self.yardstick.best, self.yardstick.since_best = state["best"], state["since_best"]
        except FileNotFoundError:
            raise ResumeError(f"nothing to resume in {self.out}: {STATE} is missing") from None
        except ResumeError:
            raise
        except Exception:  # torch's own words would advise to unpickle it
            raise ResumeError(f"cannot resume from {path}: it is damaged") from None
        if self.settings.total_steps <= self.learner.steps:
            raise ResumeError(
                f"the run in {self.out} has made {self.learner.steps} steps; to go on give "
                "--steps with more in all"
            )
        if self.yardstick.stale:
            raise ResumeError(
                f"the run in {self.out} has stopped: its last {self.yardstick.since_best} "
                "measurements found no better player"
            )

    def _state(self) -> dict[str, Any]:
        """Everything as tensors and plain data, so that loading needs no pickled code."""
        return {
            "of": self._signs(),
            "pool": self.pool.state(),
            "learner": self.learner.state(),
            "curves": self.curves.rows,
            "updates": self.updates,
            "best": self.yardstick.best,
            "since_best": self.yardstick.since_best,
        }

    def _signs(self) -> dict[str, str]:
        """What must be the same when a run is gone on with: all but the number of its steps."""
        settings = self.settings.to_dict()
        del settings["total_steps"]
        signs = {"algorithm": self.algorithm, **labels_of(self.game)}
        signs |= {name: json.dumps(value, sort_keys=True) for name, value in settings.items()}
        agents = (*self.settings.rivals, self.settings.yardstick)
        return signs | {f"weights of {name}": fingerprint(name, self.game) for name in agents}


def train(
    game: Game,
    algorithm: str,
    settings: RunSettings,
    out: str | Path,
    *,
    resume: bool = False,
) -> Path:
    """Train a player, and return the path of its checkpoint.

    algorithm: a name in ALGORITHMS. settings: of its kind, such as one of its presets.

    Writes into the folder `out`: settings.json, policy.safetensors (the best policy by the
    yardstick, or the newest where nothing is measured), checkpoints/ (all of them), curve.csv and
    curve.png, state.pt (what resuming needs) and TensorBoard's event files.

    Sets torch's number of threads and its precision of matrix products for the process.

    Raises SettingsError for an unknown algorithm, FileError when `out` cannot be written to,
    ResumeError when a run is already there and `resume` is not set, or when there is none to
    resume, and GoldgriffError when the device's memory is full.
    """
    out = Path(out)
    if (out / SETTINGS).exists() and not resume:
        raise _taken(out)
    set_up_torch(settings.threads, getattr(settings, "device", "cpu"))
    with threadpool_limits(settings.threads):  # NumPy's and torch's would fight for the cores
        run = Run(game, algorithm, settings, out)
        make_folder(out / "checkpoints")
        stored = {"game": game.id, "algorithm": algorithm, **settings.to_dict()}
        content = (json.dumps(stored, indent=2) + "\n").encode()
        if resume:
            run.restore()
            write_whole(out / SETTINGS, content)
        else:
            with _claimed(out / SETTINGS, content):
                run.begin()
        try:
            run.learn()
        except torch.OutOfMemoryError:
            raise GoldgriffError(
                "the device has too little memory for this run: give fewer tables, a smaller "
                f"batch_size or narrower hidden layers; {out} holds what was saved before"
            ) from None
    return out / CHECKPOINT


@contextmanager
def _claimed(path: Path, content: bytes) -> Iterator[None]:
    """Write the file that makes a folder a run's, unless what then begins there fails.

    Of several runs that begin at the same time, one gets it. Raises ResumeError, FileError.
    """
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        raise _taken(path.parent) from None
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None
    try:
        write_whole(path, content)
        yield
    except BaseException:
        path.unlink()
        raise


def _taken(out: Path) -> ResumeError:
    return ResumeError(f"{out} holds a run; add --resume to go on with it or choose another")


def set_up_torch(threads: int, device: str = "cpu") -> None:
    """Set torch's threads, and let networks round their hidden layers to bfloat16.

    That is done on a processor that is made for it, where sums keep float32, and on no other
    device: what a run learns there does not depend on the processor beside it.
    """
    torch.set_num_threads(min(threads, cores()))
    rough = device == "cpu" and torch.cpu.get_capabilities().get("avx512_bf16", False)
    torch.set_float32_matmul_precision("medium" if rough else "highest")


def read_settings(game: Game, out: Path) -> tuple[str, RunSettings]:
    """The algorithm and settings that a run was begun with.

    Raises ResumeError when there is no such run.
    """
    try:
        stored = json.loads((out / SETTINGS).read_text())
    except FileNotFoundError:
        raise ResumeError(f"no run to resume in {out}: it holds no {SETTINGS}") from None
    except (OSError, ValueError) as error:
        raise ResumeError(f"no run to resume in {out}: {error}") from None
    if not isinstance(stored, dict) or stored.pop("game", None) != game.id:
        raise ResumeError(f"the run in {out} is not of {game.id}")
    name = stored.pop("algorithm", None)
    if not isinstance(name, str) or name not in ALGORITHMS:
        raise ResumeError(f"the run in {out} is of algorithm {name!r}, which there is not")
    return name, ALGORITHMS[name].settings.from_dict(stored)
