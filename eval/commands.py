"""The commands about meeting and measuring; `cli.py` puts all commands together."""

import argparse
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from ..agents.registry import load_agent
from ..agents.search.agent import Search
from ..envs.engine.game import Game, get_game
from ..envs.engine.threads import cores
from ..errors import SettingsError
from ..files import make_folder
from .config import FORMATS, TournamentConfig
from .leaderboard import field, leaderboard
from .perfect_information import Bound, perfect_information_bound
from .replay import replay_game
from .store import STORE, Store
from .tables import (
    forfeits_sheet,
    headline,
    pairing,
    ratings_sheet,
    reach_sheet,
    standings_sheet,
)
from .tournament import begin, go_on, unfinished
from .workers import TIME_LIMIT, TimeLimit, check_workers


def add_tournament_options(added: argparse.ArgumentParser) -> None:
    """The options of `goldgriff tournament` beside the game and its settings."""
    added.add_argument(
        "--agents",
        nargs="+",
        metavar="A",
        action="extend",
        help="names (see `goldgriff agents`), checkpoints or run folders, or module:Class; a name "
        "given twice sits twice; more agents than seats meet in every choice, fewer are repeated",
    )
    added.add_argument(
        "--format",
        choices=FORMATS,
        help="round-robin (default): all against all; field: the first agent against the others; "
        "ladder: the agents given against those of the leaderboard in --out",
    )
    added.add_argument(
        "--deals",
        type=int,
        metavar="D",
        help="deals at most, each played in every arrangement of the seats (default: 200)",
    )
    added.add_argument(
        "--until",
        type=float,
        metavar="X",
        help="stop as soon as every 95 %% interval of a difference in win share is narrower, such "
        "as 0.02",
    )
    added.add_argument("--seed", type=int, metavar="S", help="seed of the deals (default: 1)")
    added.add_argument(
        "--time-limit",
        type=float,
        default=TIME_LIMIT,
        metavar="T",
        help=f"seconds for one answer of an agent (default: {TIME_LIMIT:g})",
    )
    added.add_argument(
        "--workers",
        type=int,
        default=cores(),
        metavar="N",
        help="processes that play at a time (default: as many as cores may be used)",
    )
    added.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of games and report (default: results/GAME)"
    )
    added.add_argument(
        "--resume",
        action="store_true",
        help="go on with the tournament in DIR, as it was begun",
    )


def add_store(added: argparse.ArgumentParser) -> None:
    """The place of a store."""
    added.add_argument(
        "store", type=Path, metavar="DIR", help=f"folder of a tournament, or its {STORE}"
    )


def tournament_command(options: argparse.Namespace, rules: dict[str, Any]) -> None:
    """Play a tournament, or go on with one; print the standings and write the report."""
    game = get_game(options.game)
    out = options.out or Path("results") / options.game
    limit = TimeLimit(options.time_limit)
    check_workers(options.workers)
    if options.resume:
        given = (options.agents, options.format, options.deals, options.until, options.seed)
        if rules or options.players or any(value is not None for value in given):
            raise SettingsError(
                "--resume goes on as begun: it takes --out, --workers and --time-limit only"
            )
        with Store.open(out) as store:
            store.check_game(game, store.rules)
            _play(store, unfinished(store), out, options.workers, limit)
        return
    plan = _plan(options, game, rules, out)
    for name in plan.names:
        load_agent(name, game)
    make_folder(out)
    is_new = not (out / STORE).exists()
    opened = Store.create(out / STORE, game, dict(plan.rules)) if is_new else Store.open(out)
    with opened as store:
        _play(store, begin(store, plan), out, options.workers, limit)


def leaderboard_command(options: argparse.Namespace) -> None:
    """Print the ratings of all agents of a store."""
    with Store.open(options.store) as store:
        ratings, title = leaderboard(store), f"{store.game.title}: leaderboard"
    from .report import terminal_table  # noqa: PLC0415

    Console().print(terminal_table(ratings_sheet(ratings, title)))


def replay_command(options: argparse.Namespace) -> None:
    """Print a stored game move by move."""
    with Store.open(options.store) as store:
        for line in replay_game(store, options.number):
            print(line)


def add_ceiling_options(added: argparse.ArgumentParser) -> None:
    """The options of `goldgriff ceiling` beside the game and its settings."""
    added.add_argument(
        "--iterations",
        type=int,
        default=300,
        metavar="N",
        help="worlds that the search plays out for a decision (default: 300)",
    )
    added.add_argument(
        "--deals",
        type=int,
        default=32,
        metavar="D",
        help="deals, each played from every seat (default: 32)",
    )
    added.add_argument(
        "--seed", type=int, default=1, metavar="S", help="seed of the deals (default: 1)"
    )


def ceiling_command(options: argparse.Namespace, rules: dict[str, Any]) -> None:
    """Print what a search wins that sees all hands, and what it wins as it is."""
    from .report import terminal_table  # noqa: PLC0415

    game = get_game(options.game)
    given = {} if options.players is None else {"num_players": options.players}
    settings = game.settings.from_dict({**rules, **given})
    if options.iterations < 1:
        raise SettingsError(f"iterations must be at least 1, not {options.iterations}")
    search = Search(load_agent("expert", game), iterations=options.iterations)
    games = options.deals * settings.num_players
    reached: dict[str, Bound] = {}
    for name, hidden_hands in (("all hands", True), ("its own hand", False)):
        with game_bar(games) as moved:
            reached[name] = perfect_information_bound(
                game,
                settings,
                search,
                hidden_hands=hidden_hands,
                deals=options.deals,
                seed=options.seed,
                on_games=moved,
            )
    title = (
        f"{game.title}: search@{options.iterations} at a table full of `expert`, "
        f"{settings.num_players} players, {options.deals} deals, seed {options.seed}"
    )
    Console().print(terminal_table(reach_sheet(settings.num_players, "expert", reached), title))


@contextmanager
def game_bar(total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar of games, on a terminal; yields a function to call with how many are over."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("games"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    ) as progress:
        bar = progress.add_task("", total=total)
        yield lambda games: progress.update(bar, completed=games)


def _plan(
    options: argparse.Namespace, game: Game, rules: Mapping[str, Any], out: Path
) -> TournamentConfig:
    """The plan that the options describe."""
    tables = tuple(options.players or ())
    first = {**rules, "num_players": tables[0]} if tables else dict(rules)
    settings = game.settings.from_dict(first).to_dict()
    players = settings.pop("num_players")
    entered = list(options.agents or ())
    kind = options.format or "round-robin"
    challengers = 1
    if kind == "ladder":
        challengers = len(entered)
        with Store.open(out) as store:
            store.check_game(game, settings)
            entered += [name for name in field(store) if name not in entered]
    names = tuple(dict.fromkeys(entered))
    return TournamentConfig(
        game,
        settings,
        tables or (players,),
        names,
        tuple(names.index(name) for name in entered),
        deals=200 if options.deals is None else options.deals,
        seed=1 if options.seed is None else options.seed,
        format=kind,
        challengers=challengers,
        until=options.until,
    )


def _play(store: Store, run: int, out: Path, workers: int, limit: TimeLimit) -> None:
    """Play what is missing, show it and write the report."""
    from .report import terminal_table, write_report  # noqa: PLC0415

    plan = store.plan(run)
    with game_bar(plan.deals * plan.games_a_deal) as moved:
        results = go_on(store, run, workers=workers, limit=limit, on_progress=moved)
    files = write_report(results, store, out)
    shown = Console()
    shown.print(terminal_table(standings_sheet(results), headline(results)))
    if results.forfeited:
        shown.print(terminal_table(forfeits_sheet(results)))
    if pairing(results):
        shown.print(Text(pairing(results)))
    print("report:", *files)
