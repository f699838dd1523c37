"""The command `play`: its options, and what they ask for; `cli.py` puts all commands together."""

import argparse
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..agents.registry import load_agent
from ..envs.engine.game import Game, get_game
from ..envs.engine.settings import GameSettings
from ..errors import SettingsError
from ..eval.recorder import PERSON
from ..eval.store import STORE, Store, StoreError
from ..options import import_extra
from .session import Session
from .terminal import ADVISER, play_in_terminal
from .texts import LANGUAGES

PORT = 8012
WATCH = "none"  # of --seat: agents on all seats
Setup = tuple[Game, GameSettings, Sequence[str], int]  # the names of the seats, the seed


def add_play_options(added: argparse.ArgumentParser) -> None:
    """The options of `goldgriff play` beside the game and its settings."""
    added.add_argument(
        "--agents",
        nargs="+",
        metavar="A",
        action="extend",
        help="who sits on the other seats, clockwise, as in `goldgriff tournament`; fewer are "
        "repeated (default: expert)",
    )
    added.add_argument(
        "--seat",
        metavar="S",
        default="0",
        help=f"your seat; 0 (default) begins the first round; `{WATCH}` lets agents play alone",
    )
    added.add_argument("--seed", type=int, metavar="N", help="seed of the deals (default: chance)")
    added.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the games (default: results/play-GAME)"
    )
    added.add_argument(
        "--hints",
        metavar="A",
        default=ADVISER,
        help=f"the agent to ask for hints (default: {ADVISER})",
    )
    added.add_argument(
        "--language",
        choices=LANGUAGES,
        help="of the terminal or the page (default: en; on the page, the browser's)",
    )
    added.add_argument(
        "--resume", type=int, metavar="NUMBER", help="go on with a game in DIR, as it was begun"
    )
    added.add_argument("--browser", action="store_true", help="play on a page in the browser")
    added.add_argument(
        "--no-open", action="store_true", help="only print the page's address, open nothing"
    )
    added.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="H",
        help="address to listen at (default: 127.0.0.1, which only this machine can reach)",
    )
    added.add_argument(
        "--port", type=int, default=PORT, metavar="P", help=f"port of the page (default: {PORT})"
    )
    added.add_argument(
        "--replay",
        nargs=2,
        metavar=("DIR", "NUMBER"),
        help="look at a game of a tournament instead, step by step, on the page",
    )


def play_command(options: argparse.Namespace, rules: dict[str, Any]) -> None:
    """Play in the terminal or on the page, or look at a stored game there."""
    game = get_game(options.game)
    if options.replay:
        _show_replay(options, game)
        return
    load_agent(options.hints, game)
    folder = options.out or Path("results") / f"play-{game.name}"
    resumed = None if options.resume is None else _resume(options, game, rules, folder)
    setup = _setup(options, game, rules) if resumed is None else _setup_after(resumed)
    if options.browser:
        _serve(options, setup, folder)
    else:
        session = resumed or Session(*setup, folder)
        play_in_terminal(session, folder, options.hints, options.language or LANGUAGES[0])


def _setup(options: argparse.Namespace, game: Game, rules: dict[str, Any]) -> Setup:
    """The game that the options describe."""
    if options.players is not None:
        rules["num_players"] = options.players
    settings = game.settings.from_dict(rules)
    names = seating(settings, options.agents or ["expert"], options.seat)
    for name in {*names} - {PERSON}:
        load_agent(name, game)
    return game, settings, names, chance_seed() if options.seed is None else options.seed


def _setup_after(session: Session) -> Setup:
    """A new game after one that is gone on with."""
    return session.game, session.settings, session.names, session.seed + 1


def _resume(
    options: argparse.Namespace, game: Game, rules: dict[str, Any], folder: Path
) -> Session:
    """The game of `folder` that is to be gone on with."""
    given = (options.agents, options.seed, options.players)
    if rules or options.seat != "0" or any(value is not None for value in given):
        raise SettingsError(
            "--resume goes on as begun: it takes --out, --hints, --language and --browser only"
        )
    session = Session.resume(folder, options.resume)
    if session.game is not game:
        raise StoreError(f"{folder} holds games of {session.game.name}, not {game.name}")
    return session


def _serve(options: argparse.Namespace, setup: Setup, folder: Path) -> None:
    """Open the page for a new game, or for the one that is gone on with."""
    web, rooms = _web("server"), _web("rooms")
    opened = rooms.Rooms(*setup, folder, options.hints)
    replays = rooms.Replays(folder / STORE, finished=True)
    with web.bind(options.host, options.port) as bound:
        number = opened.open_new() if options.resume is None else options.resume
        start = _address(options, f"/game/{number}")
        web.serve(bound, start, rooms=opened, replays=replays, show=not options.no_open)


def _address(options: argparse.Namespace, page: str) -> str:
    """A page, in the language that is asked for."""
    return page if options.language is None else f"{page}?lang={options.language}"


def seating(settings: GameSettings, agents: Sequence[str], seat: str) -> list[str]:
    """Who sits where: the person on `seat`, the agents on the others, in turn.

    Raises SettingsError for a seat that is not there and for more agents than seats.
    """
    players = settings.num_players
    if seat != WATCH and (not seat.isdecimal() or int(seat) >= players):
        raise SettingsError(f"--seat must be 0 to {players - 1} or {WATCH!r}, not {seat!r}")
    free = players - (seat != WATCH)
    if len(agents) > free:
        raise SettingsError(f"{len(agents)} agents are given for {free} seats")
    names = [agents[place % len(agents)] for place in range(free)]
    if seat != WATCH:
        names.insert(int(seat), PERSON)
    return names


def chance_seed() -> int:
    """A seed that nobody knows beforehand."""
    return secrets.randbelow(2**32)


def _show_replay(options: argparse.Namespace, game: Game) -> None:
    """Serve the games of a store, beginning with one."""
    folder, number = options.replay
    path = Path(folder) / STORE if Path(folder).is_dir() else Path(folder)
    if not number.isdecimal():
        raise SettingsError(f"--replay takes a folder and the number of a game, not {number!r}")
    with Store.open(path) as store:
        if store.game is not game:
            raise StoreError(f"{path} holds games of {store.game.name}, not {game.name}")
    web, replays = _web("server"), _web("rooms").Replays(path)
    replays.replay(int(number))
    with web.bind(options.host, options.port) as bound:
        start = _address(options, f"/replay/{int(number)}")
        web.serve(bound, start, replays=replays, show=not options.no_open)


def _web(name: str) -> Any:
    """A module of `play.web`, which needs the extra."""
    return import_extra(f"goldgriff.play.web.{name}", "play", "the page")
