"""The table in the terminal, as lines: players, piles, notes and the hands that are seen."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from ..narrators.lines import Position
from ..narrators.narrator import Narrator
from ..texts import Texts


class Board:
    """Writes the table of a match.

    Args:
        narrator: That of the game, which knows the colours of cards.
        texts: The texts of the match.
        seat: The person's, None where nobody's hand is "yours".
    """

    def __init__(self, narrator: Narrator, texts: Texts, seat: int | None = None) -> None:
        self._narrator, self._texts, self._seat = narrator, texts, seat

    def lines(self, seen: Position) -> Iterator[Text]:
        """Return the lines of a position, as `EventLog.visible_position` gives it."""
        if seen["text"]:
            yield from map(Text, seen["text"].splitlines())
            return
        texts = self._texts
        yield from self._players(seen)
        below = len(seen["discard"]) - seen["laid"]  # what lay there when the turn began
        parts = [self.cards(pile) for pile in (seen["discard"][:below], seen["discard"][below:])]
        discard = Text(texts.text("page.discard") + ": ") + Text(" + ").join(filter(None, parts))
        if seen["run"]:
            discard.append(f" ({texts.text('page.run')})")
        yield Text(f"{texts.text('page.pile')}: {seen['pile']}")
        yield discard
        for note in seen["notes"]:
            yield Text(texts.note(note))
        for seat, player in enumerate(seen["seats"]):
            if player["hand"] is not None:
                title = texts.text("page.hand") if seat == self._seat else texts.player(seat)
                held = texts.count("point", player["hand_points"])
                points = texts.text("page.hand-points", points=held)
                cards = self.cards(player["hand"]) or Text(texts.text("page.no-card"))
                yield Text(f"{title}: ") + cards + f"  ({points})"

    def cards(self, names: Sequence[str]) -> Text:
        """Return cards by their texts, in their colours."""
        return Text(", ").join(self.styled(self._texts.card(name), name) for name in names)

    def styled(self, text: str, card: str) -> Text:
        """Return a text in the colour of a card, if it has one."""
        return Text(text, self._narrator.card_style(card))

    def _players(self, seen: Position) -> Iterator[Text]:
        """Return a line for each player: cards, points, what else everybody sees."""
        texts, rows = self._texts, []
        for seat, player in enumerate(seen["seats"]):
            moves = seat == seen["current_player"] and not seen["over"]
            name = Text(f"{'>' if moves else ' '} {texts.titled(seat)}", "bold" if moves else "")
            notes = [texts.note(note) for note in player["notes"]]
            if player["known"]:
                notes.append(texts.text("page.known", cards=texts.cards(player["known"])))
            counts = texts.count("card", player["size"]), texts.count("point", player["score"])
            rows.append([name, *map(Text, counts), Text(", ".join(notes))])
        widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
        for row in rows:
            for cell, width in zip(row, widths, strict=True):
                cell.pad_right(width - cell.cell_len)
            line = Text("  ").join(row)
            line.rstrip()
            yield line
