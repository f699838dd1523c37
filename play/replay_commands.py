"""The command `replay`: a stored game move by move, or its analysis."""

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from ..cli.console import command_line, print_json
from ..cli.options import NameOf, option
from ..cli.shared_options import JsonOptions
from ..errors import SettingsError
from ..eval.analysis.action_probabilities import default_hint_agent
from ..eval.analysis.analysis import GameAnalysis, analysis_record
from ..eval.tournament.commands import print_table, progress_bar
from ..eval.tournament.replay import can_go_on, is_open, not_analysed, read_game, replay_record
from ..eval.tournament.store import Store, StoreError
from .terminal.analysis import analysis_table
from .terminal.replay import replay_game
from .texts import LANGUAGES, shared_text
from .texts.messages import error_line, speak


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
    if options.agent and not options.analyse:
        raise SettingsError("--agent goes with --analyse")
    if options.language and options.json:
        raise SettingsError("--language does not go with --json")
    language = options.language or LANGUAGES[0]
    speak(language)
    with Store.open(options.store) as store:
        if options.analyse:
            _analyse(store, options, language)
            return
        if options.json:
            if not is_open(store, options.number):
                raise StoreError(f"game {options.number} can go on: it is shown at its end")
            print_json(replay_record(store, options.number))
            return
        console = Console(highlight=False)
        for line in replay_game(store, options.number, language):
            console.print(line, soft_wrap=True)
        page = ["play", store.game.name, "--replay", options.store, options.number]
        page += ["--language", language] if options.language else []
    where = shared_text("replay.page", language, command=command_line(*page))
    console.print(where, soft_wrap=True, markup=False)


def _analyse(store: Store, options: ReplayOptions, language: str) -> None:
    """Print the analysis of a stored game."""
    if can_go_on(store, options.number):  # it would tell what hands hold
        raise StoreError(error_line(not_analysed(options.number), language))
    record = replay_record(store, options.number)  # which checks the game
    agent = options.agent or default_hint_agent(store.game)
    analysis = GameAnalysis(read_game(store, options.number), agent)
    with progress_bar(shared_text("analysis.moves", language), len(record["moves"])) as advance:
        while not analysis.complete:
            analysis.step()
            advance(analysis.done)
    if options.json:
        print_json({**record, "analysis": analysis_record(analysis)})
        return
    print_table(analysis_table(analysis, language))
