"""A training run: its files, the opponent pool, evaluations, resuming and stopping."""

import io
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from threadpoolctl import threadpool_limits

from ..agents.checkpoints import labels_of, save_network
from ..agents.model_card import model_files
from ..agents.model_folder import CARD, CHECKPOINT, CONFIG
from ..agents.network import Network
from ..agents.registry import fingerprint, load_agent
from ..cli.stopping import deferred, is_requested
from ..envs.engine.game import Game, get_game
from ..envs.engine.threads import cores
from ..errors import GoldgriffError, SettingsError
from ..eval.tournament.statistics import Estimate
from ..eval.workers.ray import RayCluster
from ..files import claimed, is_filled, make_folder, write_together
from ..naming import counted
from .actors import Actors, new_learner
from .episodes import episode_figures
from .evaluator import Evaluator
from .logging import TrainingLog
from .opponent_pool import win_share
from .progress import training_bar
from .run_folder import (
    STATE,
    ResumeError,
    is_usable_run_folder,
    read_state,
    write_settings,
    write_state,
)
from .settings import RunSettings

CHECKPOINTS = "checkpoints"  # the folder of all policies that were saved
AGENT_FILES = (CHECKPOINT, CONFIG, CARD)  # of the run's agent
OnUpdate = Callable[[dict[str, float]], object]  # see `run_training`


class Run:
    """One training run in its folder; for the arguments see `run_training`.

    Attributes:
        stopped: Whether `on_update` stopped it.
        seconds: How long it has learnt since it was begun or resumed.
    """

    def __init__(
        self,
        game: Game,
        algorithm: str,
        settings: RunSettings,
        out: Path,
        on_update: OnUpdate | None = None,
        objects: Mapping[str, Any] | None = None,
        cluster: RayCluster | None = None,
    ) -> None:
        self.game, self.algorithm, self.settings, self.out = game, algorithm, settings, out
        self._on_update, self.stopped, self.seconds = on_update, False, 0.0
        names, objects = settings.fixed_opponents, objects or {}
        agents = {name: load_agent(objects.get(name, name), game) for name in names}
        self._opponents = ["past versions", *{id(a): name for name, a in agents.items()}.values()]
        self.pool, self.envs, self.learner = new_learner(game, algorithm, settings, agents)
        self._results = self.pool.results()
        self.actors: Actors | None = None
        if count := getattr(settings, "actors", 0):
            self.actors = Actors(game, algorithm, settings, agents, count, cluster)
        elif cluster:
            raise SettingsError("on Ray train actors: give actors, in ppo or rollout")
        opponent = settings.eval_opponent
        self.evaluator = Evaluator(game, settings, objects.get(opponent, opponent))
        selves = ["ever newer selves"] if settings.pool_size else []
        pool = " and ".join([*selves, *(["fixed opponents"] if names else [])])
        player_counts = self.evaluator.config.player_counts
        self.log = TrainingLog(opponent, player_counts, settings.eval_deals, pool)
        self.updates = 0
        self._to_resume: dict[str, Any] | None = None  # the state before an evaluation at the end

    @property
    def finished(self) -> bool:
        """Return whether all timesteps are made, or no better policy was found for too long."""
        return self.evaluator.should_stop or self._is_done

    @property
    def _is_done(self) -> bool:
        """Return whether all timesteps are made."""
        return bool(self.learner.num_timesteps >= self.settings.total_timesteps)

    def begin(self) -> None:
        """Start from nothing: the untrained policy is the pool's first member."""
        self._add_past()
        self.learner.begin()
        if self.actors:
            self.actors.begin()
        self.save()

    def learn(self) -> None:
        """Train until the run is `finished`, or `stopped`, or a signal has come; then save it."""
        began = time.monotonic()
        with (
            training_bar(self.settings.total_timesteps, self.learner.num_timesteps) as show,
            self.log.open(self.out, self.learner.num_timesteps),
        ):
            while not (self.finished or self.stopped or is_requested()):
                self._after_update(self._update())
                if self._is_done and self.settings.eval_every_updates:
                    self._evaluate_at_end()
                show(self.log)
                if self._on_update:
                    newest = {**self.log.rows[-1], "updates": self.updates}
                    self.stopped = self._on_update(newest) is False
        self.save()
        self.seconds = time.monotonic() - began

    def _update(self) -> dict[str, float]:
        """Play and learn once, and return the figures of the update."""
        if self.actors:
            figures, recent, self._results = self.actors.update(self.learner)
        else:
            figures, recent = self.learner.update(), [self.envs.episodes.recent]
            self._results = self.pool.results()
        self.updates += 1
        return episode_figures(recent) | figures

    def _after_update(self, figures: dict[str, float]) -> None:
        """Add past versions to the pool, evaluate and save when it is time."""
        settings = self.settings
        if self.updates % settings.snapshot_every_updates == 0:
            self._add_past()
        if settings.eval_every_updates and self.updates % settings.eval_every_updates == 0:
            figures |= self.log.evaluation_figures(self._evaluate())
        self.log.add(self.learner.num_timesteps, figures)
        if self.updates % settings.checkpoint_every_updates == 0:
            self.save()

    def _evaluate(self) -> Estimate:
        """Evaluate the newest policy, and make it the run's agent where none was clearly better."""
        share = self.evaluator.evaluate(self.learner.export())
        if share.mean >= self.evaluator.floor:
            self._save_agent(share)
        return share

    def _evaluate_at_end(self) -> None:
        """Evaluate the last policy, unless its update had an evaluation.

        A longer run has none here, so what resuming needs is kept as it was before.
        """
        if not self.log.is_evaluated:
            self._to_resume = self._state()
            if self.evaluator.best >= 0:
                agent = {name: (self.out / name).read_bytes() for name in AGENT_FILES}
                self._to_resume["agent"] = agent
            self.log.add_evaluation_at_end(self._evaluate())

    def _add_past(self) -> None:
        """Add the newest policy to the pool, also to that of each actor."""
        policy = self.learner.export()
        self.envs.add(policy)
        if self.actors:
            self.actors.add(policy)

    def save(self) -> None:
        """Write the newest policy's numbered copy, the log and all that resuming needs."""
        if self.evaluator.best < 0:
            self._save_agent()
        numbered = self.out / CHECKPOINTS / f"{self.learner.num_timesteps:012d}.safetensors"
        network = self._export()
        save_network(numbered, network, self.game, network.notes)
        buffer = io.BytesIO()
        torch.save(self._to_resume or self._state(), buffer)
        write_state(self.out, buffer)
        self.log.write(self.out)  # last: no chart keeps the state from being written

    def _save_agent(self, share: Estimate | None = None) -> None:
        """Make the newest policy the run's agent; `share` is its win share, if it has one."""
        evaluation = None if share is None else self.log.evaluation(share)
        files = model_files(self._export(), self.game, self.out.resolve().name, evaluation)
        write_together({self.out / name: content for name, content in files.items()})

    def _export(self) -> Network:
        """Return the newest policy with the notes that its checkpoint has."""
        network: Network = self.learner.export()
        network.notes = {
            "algorithm": self.algorithm,
            "timesteps": str(self.learner.num_timesteps),
            "settings": json.dumps(self.settings.to_dict()),
            "opponents": json.dumps(self._opponent_results()),
        }
        return network

    def _opponent_results(self) -> list[tuple[str, int, float]]:
        """Return name, games and win share (see `win_share`) for each kind of opponent met."""
        games, *wins = self._results.T
        rows = zip(self._opponents, games.tolist(), win_share(*wins).tolist(), strict=True)
        return [(name, int(count), round(share, 4)) for name, count, share in rows if count]

    def restore(self) -> None:
        """Continue where `save` was last called.

        Raises:
            ResumeError: The file is damaged or of another run.
        """
        path = self.out / STATE
        try:
            content = io.BytesIO(read_state(self.out))
            state = torch.load(content, map_location="cpu", weights_only=True)
            identity = self._identity().items()
            different = [name for name, value in identity if state["of"].get(name) != value]
            if different:
                names = ", ".join(different)
                raise ResumeError(f"cannot resume from {path}: begun with other {names}")
            self.pool.restore(state["pool"], self.learner.export())
            self.learner.restore(state["learner"])
            if self.actors:
                self.actors.restore(state["actors"], self.learner.export())
            self.log.rows = state["log"]
            self.updates = state["updates"]
            self.evaluator.best, self.evaluator.floor = state["best"], state["floor"]
            self.evaluator.since_best = state["since_best"]
            # No other name: it is written to, and a state may come from a stranger.
            files = AGENT_FILES if state["agent"] else ()
            agent = {self.out / name: state["agent"][name] for name in files}
        except (ResumeError, MemoryError):
            raise
        except Exception:  # torch's own message would advise to unpickle it
            raise ResumeError(f"cannot resume from {path}: it is damaged") from None
        if agent and not self.finished:
            write_together(agent)

    def why_finished(self) -> str:
        """Return why a run that is `finished` does not go on."""
        if self._is_done:
            return (
                f"the run in {self.out} has made {self.learner.num_timesteps} timesteps; to go on "
                "give more in all (--steps, in Python total_timesteps)"
            )
        return (
            f"the run in {self.out} has stopped: no better policy was found in its last "
            f"{counted(self.evaluator.since_best, 'evaluation')}"
        )

    def _state(self) -> dict[str, Any]:
        """Return everything as tensors and plain data, so that loading unpickles no code."""
        return {
            "of": self._identity(),
            "pool": self.pool.state(),
            "learner": self.learner.state(),
            "actors": self.actors.state() if self.actors else [],
            "log": [*self.log.rows],
            "updates": self.updates,
            "best": self.evaluator.best,
            "floor": self.evaluator.floor,
            "since_best": self.evaluator.since_best,
            "agent": {},  # its files, where an evaluation at the end may have replaced them
        }

    def _identity(self) -> dict[str, str]:
        """Return what must be the same when a run is resumed: all but the number of timesteps."""
        settings = self.settings.to_dict()
        del settings["total_timesteps"]
        identity = {"algorithm": self.algorithm, **labels_of(self.game)}
        identity |= {name: json.dumps(value, sort_keys=True) for name, value in settings.items()}
        agents = (*self.settings.fixed_opponents, self.settings.eval_opponent)
        return identity | {f"weights of {name}": fingerprint(name, self.game) for name in agents}


def run_training(
    game: Game | str,
    algorithm: str,
    settings: RunSettings,
    out: str | Path,
    *,
    resume: bool = False,
    on_update: OnUpdate | None = None,
    objects: Mapping[str, Any] | None = None,
    cluster: RayCluster | None = None,
) -> Run:
    """Train an agent, and return the run.

    Writes into the folder `out`: settings.json, model.safetensors (the newest policy, unless an
    earlier one was clearly better by evaluation) with config.json and README.md, which make the
    folder a model repository, checkpoints/ (all policies), curve.csv and curve.png, state.pt (what
    resuming needs) and TensorBoard's event files.

    Sets torch's number of threads and its precision of matrix products for the process.

    Args:
        game: The game, or its name.
        algorithm: A name in ALGORITHMS.
        settings: Of that algorithm, such as one of its presets; a preset of rules in them is
            replaced by its settings.
        out: Folder of the run.
        resume: Whether to continue the run in `out`. With the same settings it is continued anyway,
            and returned if it is finished.
        on_update: Called after each update with its figures by name. Where it returns False the run
            stops, and everything is saved, so that it can be resumed.
        objects: Agents by the names that the settings have for them, where nothing else loads them
            by that name.
        cluster: Where actors play, in place of processes of this machine.

    Raises:
        SettingsError: The algorithm is unknown, or has no actors for the cluster.
        FileError: `out` cannot be written to.
        ResumeError: `out` holds a run with other settings and `resume` is not set, or the run to
            resume is damaged or finished.
        GoldgriffError: The device has too little memory.
    """
    game, out = get_game(game), Path(out)
    settings.tables(game)  # refuses wrong ones before anything is loaded
    settings = resolve_rules(game, settings)
    stored = {"game": game.id, "algorithm": algorithm, **settings.to_dict()}
    if not resume and not is_usable_run_folder(out, stored):
        raise ResumeError(
            f"{out} holds a run; resume it (--resume, in Python resume=True) or choose another "
            "folder"
        )
    set_up_torch(settings.threads, getattr(settings, "device", "cpu"))
    with (
        threadpool_limits(settings.threads),  # NumPy and torch would compete for the cores
        _memory_errors(out),
        deferred(),
    ):
        run = Run(game, algorithm, settings, out, on_update, objects, cluster)
        make_folder(out / CHECKPOINTS)
        with claimed(out), closing(run.actors) if run.actors else nullcontext():
            if is_filled(out / STATE):
                run.restore()
                if run.finished and resume:
                    raise ResumeError(run.why_finished())
                if run.finished:
                    return run
                write_settings(out, stored)
            else:
                write_settings(out, stored)
                run.begin()
            run.learn()
    return run


def resolve_rules(game: Game, settings: RunSettings) -> RunSettings:
    """Return settings in which a preset of rules is replaced by its settings."""
    rules = game.settings.resolve(settings.rules)
    rules.pop("num_players", None)  # a preset's, which `players` has
    return replace(settings, rules=rules)


@contextmanager
def _memory_errors(out: Path) -> Iterator[None]:
    """Raise GoldgriffError where the device, or torch on the CPU, has too little memory."""
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, torch.OutOfMemoryError) and "allocate memory" not in str(error):
            raise
        raise GoldgriffError(
            "the device has too little memory for this run: give a smaller n_envs, a smaller "
            f"batch_size or narrower hidden layers; {out} holds what was saved before"
        ) from None


def set_up_torch(threads: int, device: str = "cpu") -> None:
    """Set torch's threads, and let hidden layers compute in bfloat16 on CPUs made for it.

    Sums keep float32. On other devices nothing is rounded, so a run does not depend on the CPU
    beside the device.
    """
    torch.set_num_threads(min(threads, cores()))
    rough = device == "cpu" and torch.cpu.get_capabilities().get("avx512_bf16", False)
    torch.set_float32_matmul_precision("medium" if rough else "highest")
