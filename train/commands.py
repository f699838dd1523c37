"""The command `train` and its options; `cli/main.py` puts all commands together."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..agents.registry import is_code
from ..agents.trust import needs_trust
from ..cli.console import command_line, print_json
from ..cli.options import named_values, option, write_value
from ..cli.shared_options import JsonOptions, RayOptions, ResumeOptions, TablesOptions
from ..cli.stopping import resumable
from ..envs.engine.game import Game, get_game
from ..errors import SettingsError
from ..eval.workers.ray import RayCluster, connect
from ..naming import counted
from .api import ALGORITHM, PRESET, training

if TYPE_CHECKING:
    from .runner import Run


@dataclass(kw_only=True)
class LearningOptions(TablesOptions, ResumeOptions, JsonOptions):
    """What is learned, by which algorithm, of a run or of all runs of a sweep.

    Attributes:
        algorithm: rollout (default: rollout policy iteration, for strong agents), maskable
            (MaskablePPO of sb3-contrib), ppo (all seats learn, the critic sees all hands), dmc
            (Deep Monte Carlo) or nfsp (neural fictitious self-play).
        preset: quick (default: a few minutes on two cores), long (an hour or so) or smoke
            (seconds); of ppo also plain (self-play alone), of rollout exploit (a best response to
            an agent).
        steps: Decisions of each run in all (default: the preset's).
        set: Other settings, which `goldgriff settings ALGORITHM` lists, values as in JSON:
            learning_rate=0.001 fixed_opponents='["expert"]'.
    """

    algorithm: str | None = None
    preset: str | None = None
    steps: int | None = None
    set: list[str] = option((), metavar="NAME=VALUE")


@dataclass(kw_only=True)
class TrainOptions(LearningOptions, RayOptions):
    """The options of `goldgriff train`.

    Attributes:
        out: Folder of the run (default: runs/GAME-ALGORITHM-PRESET).
        seed: Seed of the run (default: 1).
        ray: Let actors (--set actors=N) play on a Ray cluster in place of processes of this
            machine: HOST:PORT of its head, or auto for one that runs on this machine; without
            ADDRESS Ray starts on this machine.
        json: Print the run's policy and figures as JSON, nothing else.
    """

    seed: int | None = None


def train_command(options: TrainOptions) -> None:
    """Train an agent, or resume a run."""
    rules = options.rule_values()
    run, folder = training("runner"), training("run_folder")
    game = get_game(options.game)
    algorithm, preset = options.algorithm or ALGORITHM, options.preset or PRESET
    out = options.out or Path("runs") / f"{options.game}-{algorithm}-{preset}"
    if options.resume:
        named = () if options.out else ("algorithm", "preset")  # which only name the folder
        options.check_resumed(*named, "out", "steps", "trust", "ray")
        algorithm, settings = folder.read_settings(game, out, trust=options.trust)
        if options.steps is not None:
            settings = replace(settings, total_timesteps=options.steps)
    else:
        defaults = training("algorithms").get_algorithm(algorithm).preset(preset)
        values = given_values(options, rules, options.seed)
        settings = training("settings").with_values(defaults, game, values)
    agents = folder.agents_of(settings.to_dict())
    with learning("train", game, out, agents, options.ray) as cluster:
        trained = run.run_training(
            game, algorithm, settings, out, resume=options.resume, cluster=cluster
        )
    policy = trained.out / run.CHECKPOINT
    if options.json:
        print_json({"policy": str(policy), "figures": trained.log.rows})
        return
    print(f"trained: {policy}")
    print("\n".join(_describe(trained)))


def _describe(trained: "Run") -> Iterator[str]:
    """Yield what training took, how strong the agent is, and the commands that come next."""
    steps, first = trained.learner.num_timesteps, trained.log.first
    minutes, seconds = divmod(round(trained.seconds), 60)
    newest = f", the last {steps - first:,}" if first else ""
    took = f"{newest} in {minutes} min {seconds} s" if trained.seconds else ""
    yield f"{counted(steps, 'timestep')}{took}"
    if strength := trained.log.describe(kept=True):
        yield strength
    settings, players = trained.settings, trained.evaluator.config.player_counts
    pairs = [f"{name}={write_value(value)}" for name, value in settings.rules.items()]
    rules = ["--rules", *pairs] if pairs else []
    command = [trained.game.name, "--agents", trained.out]
    yield f"play against it: {command_line('play', *command, '--players', players[-1], *rules)}"
    command += [settings.eval_opponent, "--players", *players, "--deals", 500, *rules]
    yield f"compare it: {command_line('tournament', *command)}"


@contextmanager
def learning(
    command: str, game: Game, out: Path, agents: Sequence[str], ray: str | bool
) -> Iterator[RayCluster | None]:
    """Connect to Ray if it is asked for; a command that is stopped here says how to go on.

    Args:
        command: `train` or `sweep`.
        game: The game.
        out: Its folder.
        agents: Names of the agents that it loads.
        ray: Address of the cluster, as `connect` takes it; empty for none.
    """
    trust = ["--trust"] if any(map(needs_trust, agents)) else []
    go_on = command_line(command, game.name, "--out", out, "--resume", *trust)
    code = any(map(is_code, agents))
    with resumable(go_on), connect(ray, code=code) if ray else nullcontext() as cluster:
        yield cluster


def given_values(
    options: LearningOptions, rules: Mapping[str, Any], seed: int | None = None
) -> dict[str, Any]:
    """Return the settings given on the command line. Raises SettingsError for one given twice."""
    values = named_values("--set", options.set)
    rules = dict(rules)
    players = [rules.pop("num_players")] if "num_players" in rules else options.players
    own = {
        "rules": rules or None,
        "players": players,
        "seed": seed,
        "total_timesteps": options.steps,
    }
    for name, value in own.items():
        if value is not None:
            if name in values:
                raise SettingsError(code="given-twice", name=name)
            values[name] = value
    return values
