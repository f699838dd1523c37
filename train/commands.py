"""The command `train` and its options; `cli/main.py` puts all commands together."""

import argparse
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..agents.registry import is_code
from ..agents.trust import add_trust, needs_trust
from ..cli.console import command_line, print_json
from ..cli.options import add_json, import_extra, named_values
from ..cli.stopping import resumable
from ..envs.engine.game import Game, get_game
from ..errors import SettingsError
from ..eval.workers.ray import add_ray_option, connect

ALGORITHM, PRESET = "maskable", "quick"  # the defaults


def add_train_options(added: argparse.ArgumentParser) -> None:
    """Add the options of `goldgriff train` beside the game and its rules."""
    add = added.add_argument
    about = (
        f"{ALGORITHM} (default: MaskablePPO of sb3-contrib), ppo (all seats learn, the critic "
        "sees all hands), lookahead (rollout policy iteration with a scripted base policy), "
        "rollout (the same with the learner's own policy; for games with features of actions), "
        "dmc (Deep Monte Carlo) or nfsp (neural fictitious self-play); the champions come from "
        "lookahead and rollout"
    )
    add("--algorithm", metavar="NAME", help=about)
    about = (
        f"{PRESET} (default: a few minutes on two cores), long (an hour or so) or smoke "
        "(seconds); of ppo also plain (self-play alone), of lookahead exploit (a best response to "
        "the champion; in Auruxxx with --players 2, 5 or 6)"
    )
    add("--preset", metavar="NAME", help=about)
    about = "folder of the run (default: runs/GAME-ALGORITHM-PRESET)"
    add("--out", type=Path, metavar="DIR", help=about)
    add("--resume", action="store_true", help="continue the run in DIR with its settings")
    add_trust(added, "the run in DIR")
    add("--steps", type=int, metavar="N", help="decisions in all (default: the preset's)")
    add("--seed", type=int, metavar="S", help="seed of the run (default: 1)")
    about = (
        "other settings, which `goldgriff settings ALGORITHM` lists, values as in JSON: "
        "learning_rate=0.001 fixed_opponents='[\"expert\"]'"
    )
    add("--set", nargs="+", action="extend", default=[], metavar="NAME=VALUE", help=about)
    add_ray_option(added, "let actors (--set actors=N) play")
    add_json(added, "the run's policy and figures")


def train_command(options: argparse.Namespace, rules: dict[str, Any]) -> None:
    """Train an agent, or resume a run."""
    run, folder = training("runner"), training("run_folder")
    game = get_game(options.game)
    algorithm, preset = options.algorithm or ALGORITHM, options.preset or PRESET
    out = options.out or Path("runs") / f"{options.game}-{algorithm}-{preset}"
    resume = options.resume and folder.is_begun(out)
    if options.resume and not resume:
        print(f"nothing was saved in {out} yet: the run begins anew", file=sys.stderr)
    if resume:
        given = [options.seed, options.players]
        if options.out is not None:
            given += [options.algorithm, options.preset]  # they would only name the folder
        if any(value is not None for value in given) or rules or options.set:
            raise SettingsError("--resume goes on as begun: of the settings it takes --steps only")
        algorithm, settings = folder.read_settings(game, out, trust=options.trust)
        if options.steps is not None:
            settings = replace(settings, total_timesteps=options.steps)
    else:
        defaults = training("algorithms").get_algorithm(algorithm).preset(preset)
        settings = read_options(options, game, rules, defaults)
    go_on = command_line("train", game.name, "--out", out, "--resume")
    agents = folder.agents_of(settings.to_dict())
    go_on += " --trust" if any(map(needs_trust, agents)) else ""
    code = any(map(is_code, agents))
    with (
        resumable(go_on),
        connect(options.ray, code=code) if options.ray else nullcontext() as cluster,
    ):
        trained = run.run_training(game, algorithm, settings, out, resume=resume, cluster=cluster)
    policy = trained.out / run.CHECKPOINT
    if options.json:
        print_json({"policy": str(policy), "figures": trained.log.rows})
    else:
        print(f"trained: {policy}")


def training(name: str) -> Any:
    """Import a module of `train`. Raises GoldgriffError where the extra `train` is missing."""
    return import_extra(f"goldgriff.train.{name}", "train", "training")


def read_options(
    options: argparse.Namespace, game: Game, rules: Mapping[str, Any], preset: Any
) -> Any:
    """Return a preset with the values given on the command line."""
    given = named_values("--set", options.set)
    rules = dict(rules)
    players = [rules.pop("num_players")] if "num_players" in rules else options.players
    fixed = game.settings.fixed_players(rules)
    if players is None and "players" not in given and fixed is not None:
        players = [fixed]
    own = {
        "rules": rules or None,
        "players": players,
        "seed": options.seed,
        "total_timesteps": options.steps,
    }
    for name, value in own.items():
        if value is not None:
            if name in given:
                raise SettingsError(f"{name} is given twice")
            given[name] = value
    return type(preset).from_dict(preset.to_dict() | given)
