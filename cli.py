"""The command line: `goldgriff --help`."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich_argparse import RawDescriptionRichHelpFormatter

from goldgriff import __version__
from goldgriff.agents.registry import AGENTS
from goldgriff.envs.core.errors import GoldgriffError, SettingsError
from goldgriff.envs.core.files import make_folder
from goldgriff.envs.core.game import GAMES, get_game
from goldgriff.eval.commands import (
    add_ceiling_options,
    add_store,
    add_tournament_options,
    replay,
    run_a_tournament,
    show_ceiling,
    show_leaderboard,
)
from goldgriff.play.commands import add_play_options, play

ABOUT = """\
Goldgriff: train players of two card games, and let them meet.

  goldgriff agents                                    who can play
  goldgriff train auruxxx --preset quick --out runs/quick
                                                      a trained player in three minutes
  goldgriff tournament auruxxx --agents runs/quick expert random random --deals 500
                                                      how strong it is
  goldgriff ceiling auruxxx                           what there is to win
  goldgriff leaderboard results/auruxxx               who is strongest
  goldgriff replay results/auruxxx 17                 what happened in a game
  goldgriff play auruxxx --agents expert              sit down at the table yourself

`goldgriff COMMAND --help` explains a command's options.
"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line; the usage is one `--help` away."""

    def error(self, message: str) -> NoReturn:
        """Leave with status 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0, 1 for bad input or 130 when interrupted."""
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except GoldgriffError as error:
        print(f"goldgriff {options.command}: {error}", file=sys.stderr)
        return 1
    except MemoryError as error:
        print(f"goldgriff {options.command}: too little memory: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"goldgriff {options.command}: interrupted", file=sys.stderr)
        return 130
    return 0


def parser() -> Parser:
    """All commands and their options."""
    style = RawDescriptionRichHelpFormatter
    top = Parser(prog="goldgriff", description=ABOUT, formatter_class=style)
    top.add_argument("--version", action="version", version=f"goldgriff {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Any, about: str, example: str) -> Parser:
        added: Parser = commands.add_parser(
            name,
            help=about,
            description=f"{about[0].upper()}{about[1:]}.",
            epilog=f"example:\n  {example}",
            formatter_class=style,
        )
        added.set_defaults(run=run)
        return added

    agents = command(
        "agents", list_agents, "list the players that can be had by name", "goldgriff agents"
    )
    agents.add_argument("game", nargs="?", choices=list(GAMES), help="only those of a game")

    train = command(
        "train",
        train_agent,
        "train a player by self-play",
        "goldgriff train auruxxx --preset quick --out runs/quick",
    )
    _add_game(train, several=True)
    train.add_argument(
        "--algorithm",
        metavar="NAME",
        help="maskable (default: MaskablePPO of sb3-contrib), ppo (all seats learn, the critic "
        "sees all hands), lookahead (every action is tried out), rollout (moves are tried for "
        "some turns, as at the table; Auruxxx only), dmc (Deep Monte Carlo) or nfsp (neural "
        "fictitious self-play); the champions come from lookahead and rollout",
    )
    train.add_argument(
        "--preset",
        metavar="NAME",
        help="quick (default: a few minutes on two cores), long (an hour or so) or smoke "
        "(seconds); of ppo also plain (against itself alone), of lookahead exploit (against the "
        "champion; in Auruxxx with --players 2, 5 or 6)",
    )
    train.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the run (default: runs/GAME-PRESET)"
    )
    train.add_argument(
        "--resume",
        action="store_true",
        help="go on with the run in DIR, with the settings it was begun with",
    )
    train.add_argument(
        "--steps", type=int, metavar="N", help="decisions in all (default: the preset's)"
    )
    train.add_argument("--seed", type=int, metavar="S", help="seed of the run (default: 1)")
    train.add_argument(
        "--set",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help="other settings (train/settings.py and the algorithm's file), values as in JSON: "
        "learning_rate=0.001 rivals='[\"expert\"]'",
    )

    tournament = command(
        "tournament",
        lambda options: run_a_tournament(options, _rules(options)),
        "let players meet, every deal in every arrangement of the seats",
        "goldgriff tournament auruxxx --agents runs/quick expert random random --deals 500",
    )
    _add_game(tournament, several=True)
    add_tournament_options(tournament)

    ceiling = command(
        "ceiling",
        lambda options: show_ceiling(options, _rules(options)),
        "how much there is to win: a search that sees all hands, and one that does not",
        "goldgriff ceiling auruxxx --players 4 --deals 32",
    )
    _add_game(ceiling)
    add_ceiling_options(ceiling)

    board = command(
        "leaderboard",
        show_leaderboard,
        "rate all agents that a folder of tournaments holds",
        "goldgriff leaderboard results/auruxxx",
    )
    add_store(board)

    shown = command(
        "replay",
        replay,
        "show a game of a tournament move by move",
        "goldgriff replay results/auruxxx 17",
    )
    add_store(shown)
    shown.add_argument("number", type=int, metavar="GAME", help="its number, as in games.csv")

    played = command(
        "play",
        lambda options: play(options, _rules(options)),
        "sit down at the table yourself, with any agents",
        "goldgriff play auruxxx --agents expert bluffer --players 3 --browser",
    )
    _add_game(played)
    add_play_options(played)

    bench = command(
        "bench",
        run_a_bench,
        "measure decisions a second, beside other libraries",
        "goldgriff bench auruxxx --out results/bench",
    )
    bench.add_argument(
        "games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)} (default: all)"
    )
    bench.add_argument(
        "--repeats", type=int, metavar="N", help="rounds in which every mode has a turn"
    )
    bench.add_argument("--seconds", type=float, metavar="S", help="length of a turn, about")
    bench.add_argument(
        "--only",
        nargs="+",
        action="extend",
        default=[],
        metavar="TEXT",
        help="only modes that have one of these in their name, such as step-float32 or openspiel",
    )
    bench.add_argument(
        "--training",
        action="store_true",
        help="measure training instead, beside PettingZoo's tutorial loop",
    )
    bench.add_argument(
        "--quick", action="store_true", help="see that everything runs; the figures mean little"
    )
    bench.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the report (default: results/bench)"
    )
    return top


def _add_game(added: argparse.ArgumentParser, *, several: bool = False) -> None:
    added.add_argument("game", choices=list(GAMES), help=f"one of: {', '.join(GAMES)}")
    if several:
        about = "players at a table, or several numbers (default: 4)"
        added.add_argument("--players", type=int, metavar="N", nargs="+", help=about)
    else:
        about = "players at a table (default: 4)"
        added.add_argument("--players", type=int, metavar="N", help=about)
    added.add_argument(
        "--rules",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help="settings of the game (docs/rules), such as max_decisions=1000",
    )


def _rules(options: argparse.Namespace) -> dict[str, Any]:
    """The settings of the game that --rules names, as plain data."""
    rules = {name: _value(text) for name, text in _pairs("--rules", options.rules)}
    if "num_players" in rules and options.players is not None:
        raise SettingsError("num_players is given twice")
    return rules


def _pairs(option: str, given: Sequence[str]) -> list[tuple[str, str]]:
    """Names and values of an option that takes NAME=VALUE."""
    pairs: dict[str, str] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise SettingsError(f"{option} takes NAME=VALUE, not {each!r}")
        if name in pairs:
            raise SettingsError(f"{name} is given twice")
        pairs[name] = value
    return list(pairs.items())


def _value(text: str) -> int | bool | str:
    """What a setting's value on the command line stands for."""
    try:
        return int(text)
    except ValueError:
        return {"true": True, "false": False}.get(text.lower(), text)


def list_agents(options: argparse.Namespace) -> None:
    """Print who can play."""
    table = Table("game", "agent", "what it does")
    for entry in AGENTS:
        if options.game in (None, entry.game):
            table.add_row(entry.game, entry.name, entry.meaning)
    Console().print(table)


def train_agent(options: argparse.Namespace) -> None:
    """Train, or go on with a run."""
    run, algorithms = _training("run"), _training("algorithms").ALGORITHMS
    game = get_game(options.game)
    chosen = options.preset or "quick"
    out = options.out or Path("runs") / f"{options.game}-{chosen}"
    if options.resume:
        given = (options.algorithm, options.preset, options.seed, options.players)
        if any(value is not None for value in given) or options.rules or options.set:
            raise SettingsError("--resume goes on as begun: of the settings it takes --steps only")
        name, settings = run.read_settings(game, out)
        if options.steps is not None:
            settings = replace(settings, total_steps=options.steps)
    else:
        name = options.algorithm or "maskable"
        if name not in algorithms:
            raise SettingsError(f"unknown algorithm {name!r}; there are {', '.join(algorithms)}")
        settings = _train_settings(options, algorithms[name].preset(chosen))
        for players in settings.players:
            game.settings.from_dict({**settings.rules, "num_players": players})
    print(f"trained: {run.train(game, name, settings, out, resume=options.resume)}")


def _train_settings(options: argparse.Namespace, preset: Any) -> Any:
    """A preset with what the command line says otherwise."""
    given: dict[str, Any] = {}
    for name, text in _pairs("--set", options.set):
        try:
            given[name] = json.loads(text)
        except ValueError:
            given[name] = text  # a word, such as the name of an agent
    rules = _rules(options)
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


def run_a_bench(options: argparse.Namespace) -> None:
    """Measure, print the tables and the targets, and write the report."""
    from goldgriff.eval.bench.report import tables, write_report
    from goldgriff.eval.bench.run import check_request, run_bench

    games = [get_game(name) for name in options.games or GAMES]
    if options.training and options.only:
        raise SettingsError("--only chooses among modes of play: it does not go with --training")
    usual = (1, 0.02) if options.quick else (3, 5.0) if options.training else (7, 0.5)
    repeats = usual[0] if options.repeats is None else options.repeats
    seconds = usual[1] if options.seconds is None else options.seconds
    check_request(repeats, seconds)
    out = options.out or Path("results/bench")
    make_folder(out)
    console = Console(stderr=True)
    with Progress(
        TextColumn("measuring"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        console=console,
        disable=not console.is_terminal,
    ) as progress:
        bar = progress.add_task("", total=None)

        watch: dict[str, Any] = {
            "on_start": lambda turns: progress.update(bar, total=turns),
            "on_turn": lambda mode: progress.update(bar, advance=1, description=mode.key),
        }
        if options.training:
            preset = "smoke" if options.quick else "quick"
            measured = _training("bench").bench_training(
                games, preset, repeats=repeats, seconds=seconds, **watch
            )
        else:
            try:
                more = [_training("bench").vec_env_mode(game) for game in games]
            except GoldgriffError:
                more = []  # without the extra `train`
            measured = run_bench(
                games, repeats=repeats, seconds=seconds, only=options.only, more=more, **watch
            )
    files = write_report(measured, out, "training" if options.training else "bench")
    shown = Console() if sys.stdout.isatty() else Console(width=140)
    for each in tables(measured):
        shown.print(each)
    for fact in measured.facts:
        shown.print(str(fact), highlight=False, soft_wrap=True)
    print("report:", *files)


def _training(name: str) -> Any:
    """A module of `train`, which needs the extra."""
    try:
        return import_module(f"goldgriff.train.{name}")
    except ModuleNotFoundError as error:
        raise GoldgriffError(
            f"{error.name} is missing; training needs the extra: pip install 'goldgriff[train]'"
        ) from None


if __name__ == "__main__":
    sys.exit(main())
