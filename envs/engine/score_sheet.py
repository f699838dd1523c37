"""The score sheet of a round: what each seat writes, entry by entry.

A game names its entries in `SCORE_SHEET`. Where it scores a round it writes them into the field
`score_sheet` of its state, int32 (seats, entries), in half points. The entries of a seat sum to its
`round_points`. A game without entries needs neither.
"""

from .compile import device
from .protocol import Counts
from .state import CardGameState

RoundSheet = list[dict[str, float]]  # for each seat, the points of each entry


@device
def add_entries(state: CardGameState, sheet: Counts) -> None:
    """Add the entries of the round that has just ended to a sheet, (seats, entries)."""
    for seat in range(state.num_players):
        for entry in range(sheet.shape[1]):
            sheet[seat, entry] += state.score_sheet[seat, entry]


@device
def add_nothing(_state: CardGameState, _sheet: Counts) -> None:
    """Do nothing: what `add_entries` is for a game without entries."""
