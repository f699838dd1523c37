"""Knowledge of the last card type, which loops over card types end with."""

import pytest

from goldgriff.envs.match import Match

from ..tables import cards, play
from .observed import CARDS
from .tables import blanks, table_with

LAST = "blank7"


def known(match: Match, seat: int, other: int) -> list[str]:
    """The cards that a seat knows in another hand, sorted."""
    row = match.known_cards(seat)[(other - seat) % match.settings.num_players - 1]
    return sorted(name for name, count in zip(CARDS, row, strict=True) for _ in range(count))


@pytest.mark.rule("G9.10")
def test_a_hand_looked_at() -> None:
    match = table_with("blank1 4", "1", f"3 {LAST}", settings=blanks("look", *["plain"] * 6))
    play(match, "blank1 +2")
    assert known(match, 0, 2) == cards(f"3 {LAST}")
    assert known(match, 1, 2) == []


@pytest.mark.rule("G9.11")
def test_hands_swapped() -> None:
    knowing = [[[], [], []], [[LAST], [], []], [[], [], []]]
    match = table_with(
        f"blank1 4 {LAST}", "1", "3 3", known=knowing, settings=blanks("swap", *["plain"] * 6)
    )
    play(match, "blank1 +2")
    assert known(match, 0, 2) == cards(f"4 {LAST}")
    assert known(match, 2, 0) == ["3", "3"]
    assert (known(match, 1, 2), known(match, 1, 0)) == ([LAST], [])


@pytest.mark.rule("G7.2", "G9.12")
def test_an_open_card_taken() -> None:
    """The lowest card of the hand is the blank without points."""
    match = table_with("hand 9", f"5 {LAST}", "4 8", settings=blanks(*["plain"] * 7, points=0))
    play(match, "hand")
    assert match.position()["open"] == [None, LAST, "4"]
    play(match, "pick +1")
    assert known(match, 1, 0) == known(match, 2, 0) == [LAST]


@pytest.mark.rule("G7.5")
def test_a_card_grabbed_from_a_challenged_hand() -> None:
    knowing = [[[], [], []], [[], [], []], [[], [LAST, "5"], []]]
    settings = {**blanks(*["plain"] * 7, points=3), "bluffing": True, "hand_size": 2}
    match = table_with("hand 9", f"5 5 {LAST}", "4 8", settings=settings, known=knowing)
    play(match, "hand", "open 5", "open 4", "challenge +1")
    assert known(match, 0, 1) == cards(f"5 {LAST}")
    assert known(match, 2, 1) == [LAST]
    play(match, f"grab {LAST}")
    assert known(match, 1, 0) == [LAST]
    assert known(match, 0, 1) == ["5"]
    assert (known(match, 2, 0), known(match, 2, 1)) == ([], [])
    assert [int(match.state.known_sizes[1, seat]) for seat in (0, 2)] == [1, 0]
