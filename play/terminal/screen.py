"""Prints a match in the terminal: table, moves, hints, the score sheet. Nothing is read here."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.bar import Bar
from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..narrators.lines import UNTOLD
from ..session.hints import Hint
from ..session.session import Session
from ..texts import Texts, percent
from ..texts.rulebook import Block
from .board import Board

HINTS = 6  # moves that a hint shows, the likeliest first, beside the one that it compares


class Screen:
    """What a person reads, line by line; colours only where there is a terminal."""

    def __init__(self, session: Session, texts: Texts) -> None:
        self._session = session
        self._texts = texts
        self._console = Console(highlight=False)
        self._board = Board(session.log.narrator, texts, session.seat)
        self._printed = session.log.round_start()

    def line(self, line: str | Text, *, whole: bool = False) -> None:
        """Print a line; a terminal breaks it between words, unless it is to be copied whole."""
        soft = whole or not self._console.is_terminal
        self._console.print(Text(line) if isinstance(line, str) else line, soft_wrap=soft)

    def events(self) -> None:
        """Print what has happened since the last time, with the ids of the rules."""
        for lines in self._session.log.lines[self._printed :]:
            for line in (line for line in lines if line.kind not in UNTOLD):
                mine = line.seat == self._session.seat
                self.line(Text(self._texts.line(line), "bold" if mine else ""))
        self.skip_events()

    def skip_events(self) -> None:
        """Take what has happened so far as printed."""
        self._printed = len(self._session.log.lines)

    def table(self) -> None:
        """Print the players, the piles and the person's hand."""
        seen = self._session.log.visible_position()
        self._console.rule(self._texts.text("page.round", number=seen["round"]), style="dim")
        for line in self._board.lines(seen):
            self.line(line)

    def moves(self) -> None:
        """Print the person's legal moves, numbered from 1, those with one verb together."""
        names = [self._session.game.actions[action] for action in self._session.legal]
        numbered = list(enumerate(names, start=1))
        sizes = [seat["size"] for seat in self._session.log.visible_position()["seats"]]
        self.line(self._texts.text("page.moves") + ":")
        for _, group in groupby(numbered, lambda entry: entry[1].split(" ")[0]):
            entries = [
                Text.assemble((f"{number:>3}) ", "dim"), self._move(name, sizes))
                for number, name in group
            ]
            self._console.print(Columns(entries, padding=(0, 2), equal=True))

    def hint(self, hint: Hint) -> None:
        """Print an agent's probability of each move, as bars, the chances to win, and why."""
        texts, language = self._texts, self._texts.language
        self.line(texts.text("page.advice", name=hint.agent) + ":")
        bars = Table.grid(padding=(0, 2))
        if hint.values:
            for justify in ("right", "left", "right", "left"):
                bars.add_column(justify=justify)
            bars.add_row(texts.text("page.hint-share"), "", texts.text("page.hint-win"), "")
        for action in hint.shown(HINTS):
            probability = hint.probabilities[action]
            name = self._session.game.actions[action]
            win = [percent(hint.values[action], language)] if hint.values else []
            share = percent(probability, language)
            bars.add_row(share, Bar(1, 0, probability, width=20), *win, self._move(name))
        self._console.print(bars)
        if hint.values:
            self.line(texts.text("page.hint-about", name=hint.agent))
        first, seat = next(iter(hint.probabilities)), self._session.match.current_player
        said = " ".join(self._texts.advice(reason, seat) for reason in hint.reasons)
        self.line(Text(": ").join([self._move(self._session.game.actions[first]), Text(said)]))

    def pairs(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Print pairs of texts in two columns."""
        table = Table.grid(padding=(0, 2))
        for pair in pairs:
            table.add_row(*map(Text, pair))
        self._console.print(table)

    def rules(self, blocks: Iterable[Block]) -> None:
        """Print rules, as wide as the terminal."""
        for block in blocks:
            is_heading = block.kind in ("title", "heading")
            if is_heading:
                self.line("")
            line = Text(block.text.replace("\t", ": "), "bold" if is_heading else "")
            if block.kind == "rule":
                line = Text.assemble((block.rule, "bold"), " ", line)
            indent = 4 if block.rule and block.kind != "rule" else 0
            dash = "- " if block.kind == "item" else ""
            self._console.print(Padding(Text(dash) + line, (0, 0, 0, indent)))

    def score_sheet(self) -> None:
        """Print the points of each player in each round, and the totals."""
        texts = self._texts
        sheet = Table(*["", *(texts.player(seat) for seat in range(len(texts.names)))])
        for number, points in enumerate(self._session.log.scored_rounds(), start=1):
            sheet.add_row(texts.text("page.round", number=number), *map(texts.number, points))
        sheet.add_section()
        sheet.add_row(texts.text("page.total"), *map(texts.number, self._session.match.scores))
        self._console.print(sheet)

    def _move(self, name: str, sizes: Sequence[int] = ()) -> Text:
        text = self._texts.move(name, self._session.match.current_player, sizes)
        return self._board.styled(text, name.rsplit(" ", 1)[-1])
