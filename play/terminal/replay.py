"""A stored game in words: the table of each round, every move, every point; and its analysis."""

from collections.abc import Iterator
from dataclasses import replace

from rich.text import Text

from ...eval.analysis.analysis import CHECKED, ERRORS, MARKS, GameAnalysis
from ...eval.report.report_table import ReportTable
from ...eval.tournament.faults import UNFINISHED
from ...eval.tournament.recorder import PERSON
from ...eval.tournament.replay import StoredGame, check_game, check_result, played_moves, read_game
from ...eval.tournament.store import Store
from ..narrators.lines import Line
from ..narrators.round_end import Part, RoundEnd
from ..session.event_log import EventLog, position_of
from ..texts import LANGUAGES, Texts, percent, shared_text
from ..texts.messages import reason_line
from .board import Board

HEADINGS = ("move", "player", "played", "best", "share", "win", "loss")
TEXT_COLUMNS = 4
_ENDS = ("won", "shared")  # kinds of events that come after the points of the last round


def replay_game(store: Store, number: int, language: str = LANGUAGES[0]) -> Iterator[Text]:
    """Replay a stored game in words and yield its lines, with colours for a terminal.

    All hands are open: of a game that a person can go on with, the moves are only checked.

    Args:
        store: The store.
        number: Number of the game in it.
        language: One of `LANGUAGES`.

    Raises:
        StoreError: There is no such game.
        RecordError: It does not replay, or leads to another result.
    """
    stored = read_game(store, number)
    words = _ReplayWords(stored, language)
    if stored.is_open:
        yield from words.title(with_seed=True)
        yield from words.moves()
        return
    check_game(stored)
    yield from words.title(with_seed=False)
    yield words.line("goes-on")
    yield words.result()


def replay_texts(stored: StoredGame, language: str) -> Texts:
    """Return the texts of a stored game; an agent that plays several seats is named with its seat.

    Args:
        stored: The game.
        language: One of `LANGUAGES`.
    """
    agents = {
        seat: shared_text("replay.seat", language, name=name, seat=seat)
        for seat, name in enumerate(stored.names)
        if PERSON not in stored.names and stored.names.count(name) > 1
    }
    return Texts(language, stored.game, stored.settings, stored.names, None, agents)


class _ReplayWords:
    """Writes one stored game in one language."""

    def __init__(self, stored: StoredGame, language: str) -> None:
        self._stored = stored
        self._texts = replay_texts(stored, language)
        self._log = EventLog(stored.game, stored.settings, stored.seed, None)
        self._board = Board(self._log.narrator, self._texts)

    def line(self, key: str, **values: object) -> Text:
        """Return the text `replay.KEY` with its gaps filled."""
        return Text(self._texts.text(f"replay.{key}", **values))

    def title(self, *, with_seed: bool) -> Iterator[Text]:
        """Yield the game and who sits where."""
        stored = self._stored
        title = self.line("title", number=stored.number, title=stored.game.title)
        if with_seed:
            title = Text(", ").join([title, self.line("seed", seed=stored.seed)])
        title.stylize("bold")
        yield title
        sitting = []
        for seat, name in enumerate(stored.names):
            shown = self._texts.titled(seat) if PERSON in stored.names else name
            sitting.append(self._texts.text("replay.seat", name=shown, seat=seat))
        yield self.line("seats", names=", ".join(sitting))

    def moves(self) -> Iterator[Text]:
        """Yield the game from its first deal on. Raises RecordError."""
        stored, log = self._stored, self._log
        if legend := self._texts.legend(stored.game):
            yield self.line("cards", legend=legend)
        yield self.line("signs")
        yield from self._deal(log.lines[0])
        width = len(str(len(stored.actions)))
        for number, lines in played_moves(stored, log.play):
            dealt = [line for line in lines if line.kind == "deal"]
            ended = [line for line in lines if line.kind in _ENDS]
            points = "points" if log.round_end else ""
            shown = [line for line in lines if line.kind not in ("deal", points, *_ENDS)]
            yield from self._move(f"{number:>{width}}. ", shown)
            if log.round_end:
                yield from self._round_end(log.round_end)
            for line in ended:
                yield Text(self._texts.line(line), "bold")
            if dealt:
                yield from self._deal(dealt)
        check_result(stored, log.match)
        yield self.result()

    def result(self) -> Text:
        """Return the last line: the shares of the win, or why there are none."""
        stored, texts = self._stored, self._texts
        if stored.fault is not None and stored.fault.code == UNFINISHED:
            return Text(texts.text("page.unfinished"))
        if stored.resigned:
            return Text(texts.resigned(stored.forfeiter))
        if stored.forfeiter is not None:
            reason = reason_line(stored, texts.language)
            return self.line("forfeit", name=texts.player(stored.forfeiter), reason=reason)
        shares = (
            f"{texts.player(seat)} {percent(share, texts.language)}"
            for seat, share in enumerate(stored.win_shares)
        )
        return self.line("as-stored", shares=", ".join(shares))

    def _deal(self, events: list[Line]) -> Iterator[Text]:
        """Yield the deal of a round, and its table."""
        yield Text("")
        for event in events:
            yield Text(self._texts.line(event), "bold")
        yield from self._board.lines(self._log.visible_position())

    def _move(self, number: str, events: list[Line]) -> Iterator[Text]:
        """Yield what a move did, the hand that it leaves after its first line."""
        log = self._log
        for place, event in enumerate(events):
            line = Text.assemble((" " * len(number) if place else number, "dim"))
            line.append(self._texts.line(event))
            if not place and log.round_end is None:
                hand = position_of(log.match)["hands"][log.match.players[-1]]
                left = " ".join(hand) or self._texts.text("page.no-card")
                line.append(f"  [{left}]", "dim")
            yield line

    def _round_end(self, end: RoundEnd) -> Iterator[Text]:
        """Yield the table at the end of a round, and the points of everybody."""
        log, texts = self._log, self._texts
        yield self.line("round-over")
        if position := log.final_position():
            yield from self._board.lines({**position, "over": True})
        for seat, points in enumerate(end.points):
            written = [self._part(entry) for entry in end.parts[seat] if entry.points]
            yield self.line(
                "points",
                name=texts.player(seat),
                points=texts.count("point", points),
                parts=f" [{', '.join(written)}]" if written else "",
                total=texts.count("point", log.match.scores[seat]),
            )

    def _part(self, part: Part) -> str:
        """Return a part of the points of a round, with its rule: "crosses 15 (A7.2)"."""
        text, points = self._texts.part(replace(part, values=())), self._texts.number(part.points)
        return f"{text} {points} ({part.rule})" if part.rule else f"{text} {points}"


def analysis_table(analysis: GameAnalysis, language: str = LANGUAGES[0]) -> ReportTable:
    """Return the decisions as a table: who moved, what was best, what it cost to play another.

    Args:
        analysis: The analysis, as far as it goes.
        language: One of `LANGUAGES`.
    """
    stored = analysis.stored
    texts = replay_texts(stored, language)
    rows = []
    for decision in analysis.decisions:
        best, played = decision.best, decision.played
        row = [
            str(decision.move),
            texts.player(decision.seat),
            texts.move(stored.game.actions[played], decision.seat),
            texts.move(stored.game.actions[best], decision.seat),
            percent(decision.probabilities[played], language),
            percent(decision.values[best], language, 1),
            f"{percent(decision.loss, language, 1)} {decision.mark:<2}",
        ]
        rows.append(row)
    blunder, mistake = (texts.number(100 * least) for _, least in MARKS)
    note = texts.text(
        "analysis.note",
        agent=analysis.agent,
        checked=CHECKED,
        errors=texts.number(ERRORS),
        blunder=blunder,
        mistake=mistake,
    )
    headings = [texts.text(f"analysis.{key}") for key in HEADINGS]
    title = texts.text("analysis.title", number=stored.number)
    return ReportTable(title, note, headings, rows, TEXT_COLUMNS)
