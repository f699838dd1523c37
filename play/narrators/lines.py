"""Lines of the log, as one seat may know them.

Narrators write them from what the rules say (`decision.py`), `Texts` puts them into a language.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

# As `Game.write_position` makes it; `event_log.py` says what it holds at least.
Position = dict[str, Any]
UNTOLD = ("no-more",)  # kinds of lines that say that nothing was done


@dataclass(frozen=True)
class Line:
    """One thing that happened, with nothing in it that its viewer cannot know.

    Attributes:
        kind: Names the text, `event.KIND`.
        seat: The player who did it, or None.
        rules: Ids of docs/rules.
        cards: Cards by name.
        other: Another seat.
        number: Cards, points or rounds.
        total: Points in all.
        name: Name of a move that is shown in place of a text.
        entries: What the points are made of: entries of the score sheet that are not 0.
    """

    kind: str
    seat: int | None = None
    rules: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    other: int | None = None
    number: float | None = None
    total: float | None = None
    name: str = ""
    entries: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Note:
    """Something to be known of a seat, a turn or a move.

    Attributes:
        table: Where the texts are.
        key: Names the text, `TABLE.KEY`.
        rules: Ids of docs/rules.
        card: A card by name: one that lies open, of a reason in most cases the one that cannot be
            used.
        on: Another card, by name.
        number: Cards, points or a value.
        other: Another seat.
    """

    table: ClassVar[str] = "note"
    key: str
    rules: tuple[str, ...] = ()
    card: str = ""
    on: str = ""
    number: int | None = None
    other: int | None = None
