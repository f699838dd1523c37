"""The commands `play` and `replay`: their options, and what they do."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from rich.console import Console

from ..cli.console import command_line, print_json, progress_bar
from ..cli.options import NameOf, import_extra, option
from ..cli.shared_options import JsonOptions, TableOptions, TrustOptions
from ..cli.stopping import resumable
from ..envs.engine.game import Game, get_game
from ..envs.engine.reading import read_seed
from ..envs.engine.settings import GameSettings
from ..errors import SettingsError, quoted
from ..eval.analysis.action_probabilities import default_hint_agent
from ..eval.analysis.analysis import GameAnalysis, analysis_record
from ..eval.report.report_table import print_table
from ..eval.tournament.recorder import PERSON
from ..eval.tournament.replay import read_game, replay_record
from ..eval.tournament.store import Store, StoreError, store_at
from ..eval.workers.shard_players import check_agents
from ..naming import counted
from .session.hints import default_agent
from .session.session import Session, random_seed
from .terminal.conversation import play_in_terminal, resume_command
from .terminal.replay import analysis_table, replay_game
from .texts import LANGUAGES, shared_text
from .texts.messages import speaking

HOST, PORT = "127.0.0.1", 8012
WATCH = "none"  # of --seat: agents on all seats


@dataclass(kw_only=True)
class PlayOptions(TableOptions, TrustOptions):
    """The options of `goldgriff play`.

    Attributes:
        agents: Who plays on the other seats, clockwise, as in `goldgriff tournament`; fewer are
            repeated (default: expert).
        seat: Your seat; 0 begins the first round; `none` lets agents play alone.
        people: How many people play, on your seat and the next ones, each with a link of their own
            to the page (default: 1).
        seed: Seed of the first game (default: random, of 64 bits).
        out: Folder of the games (default: results/play-GAME).
        hints: The agent that gives hints and analyses games (default: search).
        language: en or de, of the terminal or the page (default: en; on the page, the browser's).
        resume: Continue a game in DIR, as it was begun.
        browser: Play on a page in the browser.
        no_open: Only print the page's address, open nothing.
        host: Address to listen at (default: 127.0.0.1, which only this machine can reach), such as
            0.0.0.0 for all machines of your network; they need a link that is printed.
        port: Port of the page.
        replay: Look at a game of a tournament instead, step by step, on the page.
    """

    agents: list[str] | None = None
    seat: str = option("0", metavar="SEAT")
    people: int | None = None
    seed: int | None = None
    hints: str | None = None
    language: str | None = option(None, type=NameOf("language", LANGUAGES))
    resume: int | None = option(None, metavar="NUMBER")
    browser: bool = False
    no_open: bool = False
    host: str = option(HOST, metavar="ADDRESS")
    port: int = PORT
    replay: tuple[str, str] | None = option(None, type=str, nargs=2, metavar=("DIR", "NUMBER"))


def play_command(options: PlayOptions) -> None:
    """Play in the terminal or on the page, or show a stored game there."""
    with speaking(options.language):
        _play(options)


def _play(options: PlayOptions) -> None:
    game = get_game(options.game)
    if options.replay:
        _show_replay(options, game, *options.replay)
        return
    hint_agent = options.hints or default_hint_agent(game)
    check_agents([hint_agent], game)
    folder = options.out or Path("results") / f"play-{game.name}"
    session = None if options.resume is None else _resume(options, game, folder, options.resume)
    settings, names = (session.settings, session.names) if session else _setup(options, game)
    seed = random_seed() if options.seed is None else read_seed(options.seed)
    people = [seat for seat, name in enumerate(names) if name == PERSON]
    if len(people) > 1 and not options.browser:
        raise SettingsError(code="people-page", number=len(people))
    if not options.browser:
        session = session or Session(game, settings, names, seed, folder)
        play_in_terminal(session, folder, hint_agent, options.language or LANGUAGES[0])
        return
    rooms = _web("rooms").Rooms(game, settings, names, folder, hint_agent)

    def go_on() -> str:
        last = rooms.last or session
        if last is None or last.over:
            return ""
        return resume_command(last, folder, hint_agent, _page_options(options))

    def page() -> str:
        return str(rooms.address(options.resume or rooms.open_new(seed)))

    seat = people[0] if people else None
    if people and options.resume is None:
        seat = int(options.seat)
    with resumable(go_on):
        _serve(options, page, rooms, seat=seat, people=people, go_on=go_on)


def _setup(options: PlayOptions, game: Game) -> tuple[GameSettings, Sequence[str]]:
    """Return the settings and the players that the options describe."""
    settings = options.settings()
    agents = options.agents or [default_agent(game)]
    names = seating(settings, agents, options.seat, options.people)
    check_agents(sorted({*names} - {PERSON}), game)
    return settings, names


def _resume(options: PlayOptions, game: Game, folder: Path, number: int) -> Session:
    """Return the session of `folder` with a number, which is to be continued."""
    page = ("browser", "no_open", "host", "port")
    options.check_resumed("out", "hints", "trust", "language", *page)
    session = Session.resume(folder, number, trust=options.trust)
    if session.game is not game:
        raise StoreError(code="store-game", path=folder, other=session.game.name, game=game.name)
    return session


def _page_options(options: PlayOptions) -> list[str]:
    """Return the options of the page as they were given."""
    arguments = ["--browser", *(["--no-open"] if options.no_open else [])]
    for name, usual in (("host", HOST), ("port", PORT), ("language", None)):
        value = getattr(options, name)
        arguments += [] if value == usual else [f"--{name}", str(value)]
    return arguments


def _serve(options: PlayOptions, page: Callable[[], str], games: Any, **more: Any) -> None:
    """Bind the port, then open a page of some games, in the language that is asked for."""
    server = _web("server")
    with server.bind(options.host, options.port) as bound:
        asked = "" if options.language is None else f"?lang={options.language}"
        language, show = options.language or LANGUAGES[0], not options.no_open
        server.serve(bound, f"{page()}{asked}", games, **more, language=language, show=show)


def seating(
    settings: GameSettings, agents: Sequence[str], seat: str, people: int | None = None
) -> list[str]:
    """Return the names of all seats: people on `seat` and the next ones, agents on the others.

    Args:
        settings: Those of the game.
        agents: The agents, clockwise; fewer are repeated.
        seat: The seat of the first person, WATCH for none.
        people: How many people; None for one, if there is a seat for them.

    Raises:
        SettingsError: For a seat that is not there, and for more people or agents than seats.
    """
    players = settings.num_players
    if seat != WATCH and seat not in map(str, range(players)):
        raise SettingsError(code="seat", last=players - 1, given=quoted(seat))
    if people is not None and seat == WATCH:
        raise SettingsError(code="people-seat", last=players - 1)
    if people is not None and not 1 <= people <= players:
        raise SettingsError(code="people", most=players, given=people)
    names = [""] * players
    if seat != WATCH:
        for place in range(people or 1):
            names[(int(seat) + place) % players] = PERSON
    free = names.count("")
    if len(agents) > max(free, 1):
        raise SettingsError(
            code="agents-seats", number=len(agents), seats=counted(free, "seat"), count=free
        )
    others = cycle(agents)
    return [name or next(others) for name in names]


def _show_replay(options: PlayOptions, game: Game, folder: str, number: str) -> None:
    """Serve the games of a store, beginning with one."""
    path = store_at(Path(folder))
    if not re.fullmatch(r"[0-9]{1,18}", number):
        raise SettingsError(code="replay-number", given=quoted(number))
    with Store.open(path) as store:
        if store.game is not game:
            raise StoreError(code="store-game", path=path, other=store.game.name, game=game.name)
    agent = options.hints or default_hint_agent(game)
    check_agents([agent], game)
    replays = _web("rooms").Replays(path, agent=agent)
    replays.replay(int(number))
    _serve(options, lambda: f"/replay/{int(number)}", replays)


def _web(name: str) -> Any:
    """Import a module of `play.web`, which needs the extra."""
    return import_extra(f"{__package__}.web.{name}", "play", "the page")


@dataclass(kw_only=True)
class ReplayOptions(JsonOptions):
    """The options of `goldgriff replay`.

    Attributes:
        store: Folder of a tournament, or its games.sqlite.
        number: Number of the game, as in games.csv.
        analyse: Print instead the value of each decision, and mark mistakes.
        agent: With --analyse: the agent whose probabilities are shown (default: search).
        language: Language of what is printed: en or de (default: en).
        json: Print the record of the game as JSON, nothing else.
    """

    store: Path = option(metavar="DIR")
    number: int
    analyse: bool = False
    agent: str | None = None
    language: str | None = option(None, type=NameOf("language", LANGUAGES))


def replay_command(options: ReplayOptions) -> None:
    """Print a stored game move by move, or its analysis."""
    with speaking(options.language):
        if options.language and options.json:
            raise SettingsError(code="language-json")
        _replay(options, options.language or LANGUAGES[0])


def _replay(options: ReplayOptions, language: str) -> None:
    if options.agent and not options.analyse:
        raise SettingsError(code="agent-analyse")
    with Store.open(options.store) as store:
        if options.analyse:
            _analyse(store, options, language)
            return
        if options.json:
            stored = read_game(store, options.number)
            if not stored.is_open:
                raise StoreError(f"game {options.number} can go on: it is shown at its end")
            print_json(replay_record(stored))
            return
        console = Console(highlight=False)
        for line in replay_game(store, options.number, language):
            console.print(line, soft_wrap=not console.is_terminal)
        page = ["play", store.game.name, "--replay", options.store, options.number]
        page += ["--language", language] if options.language else []
    where = shared_text("replay.page", language, command=command_line(*page))
    console.print(where, soft_wrap=True, markup=False)


def _analyse(store: Store, options: ReplayOptions, language: str) -> None:
    """Print the analysis of a stored game."""
    stored = read_game(store, options.number)
    if stored.can_go_on:  # it would tell what hands hold
        raise StoreError(code="not-analysed", number=options.number)
    record = replay_record(stored)  # which checks the game
    agent = options.agent or default_hint_agent(store.game)
    analysis = GameAnalysis(stored, agent)
    with progress_bar(shared_text("analysis.moves", language), len(record["moves"])) as advance:
        while not analysis.complete:
            analysis.step()
            advance(analysis.done)
    if options.json:
        print_json({**record, "analysis": analysis_record(analysis)})
        return
    print_table(analysis_table(analysis, language))
