"""The command `train`: its options, and what they ask for; `cli.py` puts all commands together."""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..envs.engine.game import get_game
from ..errors import SettingsError
from ..options import import_extra, named_values

ALGORITHM, PRESET = "maskable", "quick"  # unless others are asked for


def add_train_options(added: argparse.ArgumentParser) -> None:
    """The options of `goldgriff train` beside the game and its settings."""
    added.add_argument(
        "--algorithm",
        metavar="NAME",
        help=f"{ALGORITHM} (default: MaskablePPO of sb3-contrib), ppo (all seats learn, the critic "
        "sees all hands), lookahead (every action is tried out), rollout (moves are tried for "
        "some turns, as at the table; Auruxxx only), dmc (Deep Monte Carlo) or nfsp (neural "
        "fictitious self-play); the champions come from lookahead and rollout",
    )
    added.add_argument(
        "--preset",
        metavar="NAME",
        help=f"{PRESET} (default: a few minutes on two cores), long (an hour or so) or smoke "
        "(seconds); of ppo also plain (against itself alone), of lookahead exploit (against the "
        "champion; in Auruxxx with --players 2, 5 or 6)",
    )
    added.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="folder of the run (default: runs/GAME-ALGORITHM-PRESET)",
    )
    added.add_argument(
        "--resume",
        action="store_true",
        help="go on with the run in DIR, with the settings it was begun with",
    )
    added.add_argument(
        "--steps", type=int, metavar="N", help="decisions in all (default: the preset's)"
    )
    added.add_argument("--seed", type=int, metavar="S", help="seed of the run (default: 1)")
    added.add_argument(
        "--set",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help="other settings (train/settings.py and the algorithm's file), values as in JSON: "
        "learning_rate=0.001 rivals='[\"expert\"]'",
    )


def train_command(options: argparse.Namespace, rules: dict[str, Any]) -> None:
    """Train, or go on with a run."""
    run = training("runner")
    game = get_game(options.game)
    algorithm, preset = options.algorithm or ALGORITHM, options.preset or PRESET
    out = options.out or Path("runs") / f"{options.game}-{algorithm}-{preset}"
    if options.resume:
        given = [options.seed, options.players]
        if options.out is not None:
            given += [options.algorithm, options.preset]  # they would only name the folder
        if any(value is not None for value in given) or rules or options.set:
            raise SettingsError("--resume goes on as begun: of the settings it takes --steps only")
        algorithm, settings = run.read_settings(game, out)
        if options.steps is not None:
            settings = replace(settings, total_steps=options.steps)
    else:
        settings = _settings(options, rules, training("algorithms").find(algorithm).preset(preset))
        for players in settings.players:
            game.settings.from_dict({**settings.rules, "num_players": players})
    print(f"trained: {run.train(game, algorithm, settings, out, resume=options.resume)}")


def training(name: str) -> Any:
    """A module of `train`, which needs the extra. Raises GoldgriffError where that is missing."""
    return import_extra(f"goldgriff.train.{name}", "train", "training")


def _settings(options: argparse.Namespace, rules: Mapping[str, Any], preset: Any) -> Any:
    """A preset with what the command line says otherwise."""
    given = named_values("--set", options.set)
    rules = dict(rules)
    players = [rules.pop("num_players")] if "num_players" in rules else options.players
    own = {
        "rules": rules or None,
        "players": players,
        "seed": options.seed,
        "total_steps": options.steps,
    }
    for name, value in own.items():
        if value is not None:
            if name in given:
                raise SettingsError(f"{name} is given twice")
            given[name] = value
    return type(preset).from_dict(preset.to_dict() | given)
