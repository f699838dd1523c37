"""Auruxxx - Die Goldene 12: the box, what fits on what, and the one table of actions.

Rule ids (A0-A8) refer to docs/rules/auruxxx.md. All other modules play by this one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np

from ...errors import SettingsError
from ...naming import counted
from ..engine.deck import slots_of
from ..engine.settings import Deck, GameSettings, cards, choice, number

# --- A0: the cards. A card type is a number in 0 .. NUM_CARDS - 1 -------------------------------
COLOURS = ("r", "y", "g", "b", "v")  # A0.1: red, yellow, green, blue, violet
MAX_COLOURS = len(COLOURS)
NUMBERS = 13  # A0.1: 0 to 12


class Card(IntEnum):
    """First card type of each kind; the number cards 0 to 12 of each colour come before."""

    FIFTY = MAX_COLOURS * NUMBERS  # A0.2: one type in each colour
    HAPPY_MAN = FIFTY + MAX_COLOURS  # A0.3: one type in each colour
    GOLDEN = HAPPY_MAN + MAX_COLOURS  # A0.4
    BLESSING = GOLDEN + 1  # A0.5: Kartensegen
    STEAL = BLESSING + 1  # A0.5: Karte ziehen
    SWAP = STEAL + 1  # A0.5: Kartentausch


NUM_CARDS = Card.SWAP + 1
LETTER = "A"  # of the ids of the rules

MAX_PLAYERS = 6  # A0.7
MAX_DECK = 160  # A0: the whole box; variants may use less
MAX_TURNS = 1_000_000  # A8.1
MAX_PASSES = 3  # A2.1; a setting may allow less
MAX_DRAWS = 2  # A2.2; a setting may allow less


def colour_of(card: int) -> int:
    """Return the colour of a card type as an index into COLOURS; -1 for cards without one."""
    if card < Card.FIFTY:
        return card // NUMBERS
    if card < Card.GOLDEN:
        return (card - Card.FIFTY) % MAX_COLOURS
    return -1


def number_of(card: int) -> int:
    """Return the number of a number card, 50 for a 50, -1 for every other card type."""
    if card < Card.FIFTY:
        return card % NUMBERS
    return 50 if card < Card.HAPPY_MAN else -1


def points_of(card: int) -> int:
    """Return the points of a card left in a hand (A7.1); the Golden 12's are a setting."""
    if card < Card.HAPPY_MAN:
        return number_of(card)
    return 12 if card == Card.GOLDEN else 25


def relabelled_cards(colours: Sequence[int]) -> list[int]:
    """Return what each card type becomes where colour k becomes `colours[k]`."""
    return [
        card
        if card >= Card.GOLDEN
        else card
        + (colours[colour_of(card)] - colour_of(card)) * (NUMBERS if card < Card.FIFTY else 1)
        for card in range(NUM_CARDS)
    ]


NUMBER_OF = np.array([number_of(card) for card in range(NUM_CARDS)], np.int32)
POINTS = np.array([points_of(card) for card in range(NUM_CARDS)], np.int32)

# --- A3: what fits on what ----------------------------------------------------------------------


class Fit(IntEnum):
    """Ways in which a card fits on another: not at all, alone, or with more of its number."""

    NO = 0
    ALONE = 1
    MULTIPLES = 2


def fit(card: int, top: int) -> tuple[int, int]:
    """Return how `card` may be laid on `top`, as a `Fit` (A3), and by which rule: 301 for A3.1."""
    happy = Card.HAPPY_MAN <= card < Card.GOLDEN
    number, other = number_of(card), number_of(top)
    same_colour = colour_of(card) == colour_of(top)
    if card >= Card.GOLDEN:
        return Fit.ALONE, 309  # A3.10 (with A6.1), A3.9: they fit on every card
    if top > Card.GOLDEN:  # A3.9: everything fits on an action card; A3.6, A3.8: how many
        return Fit.ALONE if happy else Fit.MULTIPLES, 309
    if number == 2:  # A3.4: a 2 fits on every card
        return Fit.MULTIPLES if other in (1, 2, 3) else Fit.ALONE, 304
    if card < Card.FIFTY and top < Card.FIFTY and abs(number - other) <= 1:
        return Fit.MULTIPLES, 302  # A3.2, A3.3: by number, which comes before by colour
    if other == 2:  # A3.5: every colour fits on a 2
        return Fit.ALONE, 305
    if number == other == 50:
        return Fit.MULTIPLES, 306  # A3.6, A3.7: 50s on a 50
    if happy and Card.HAPPY_MAN <= top < Card.GOLDEN:
        return Fit.ALONE, 301 if same_colour else 308  # A3.8: a Happy-Man card on any other
    # A3.1: by colour, one card only
    return Fit.ALONE if same_colour else Fit.NO, 301


_FITS = np.array(
    [[fit(card, top) for card in range(NUM_CARDS)] for top in range(NUM_CARDS)], np.int32
)
FIT = _FITS[..., 0].astype(np.uint8)  # FIT[top, card]
FIT_RULE = _FITS[..., 1].copy()  # FIT_RULE[top, card]

# --- The action table: the single source for engine, mask, names and docs -----------------------


class Action(IntEnum):
    """Actions, or the first action of a range that a card or player is added to."""

    DRAW = 0  # A2.2: draw one card from the pile
    PASS = 1  # A2.1: pass, also with a demand (A4.2)
    TAKE = 2  # A4.1: take all cards that 2s demand
    END = 3  # A2.4: end the turn without laying, or lay no more of a multiple (A3.3)
    LAY = 4  # A2.3: LAY + card lays one card; LAY + GOLDEN lays all Golden 12s (A6.1)
    LAY_SWAP = LAY + Card.SWAP  # A5.4: LAY_SWAP + k swaps hands with the player k + 1 seats on


NUM_ACTIONS = Action.LAY_SWAP + MAX_PLAYERS - 1


def card_name(card: int) -> str:
    """Return the name of a card type: `r7`, `b50`, `gH` (Happy-Man), `gold`, `blessing`, ..."""
    if card >= Card.GOLDEN:
        return ("gold", "blessing", "steal", "swap")[card - Card.GOLDEN]
    kind = "H" if card >= Card.HAPPY_MAN else str(number_of(card))
    return COLOURS[colour_of(card)] + kind


CARDS = tuple(card_name(card) for card in range(NUM_CARDS))
LEGEND = (
    "r, y, g, b, v: red, yellow, green, blue, violet, with a number, with 50, or with H for a "
    "Happy Man; gold: a Golden 12; blessing, steal, swap: the action cards"
)
ACTIONS = (
    "draw",
    "pass",
    "take",
    "end",
    *(f"lay {name}" for name in CARDS[: Card.GOLDEN + 1]),
    *CARDS[Card.BLESSING : Card.SWAP],
    *(f"swap +{seats}" for seats in range(1, MAX_PLAYERS)),
)


def _counted_by(card: int) -> str:
    """Return the setting that counts a card type where `deck` does not."""
    if card >= Card.GOLDEN:
        return ("golden_twelves", "blessings", "steals", "swaps")[card - Card.GOLDEN]
    if card >= Card.FIFTY:
        return "happy_men" if card >= Card.HAPPY_MAN else "fifties"
    return "number_copies"


# --- A0.7: the settings -------------------------------------------------------------------------
EDITIONS = ("german", "italian", "web")  # A5.8, A2.6
ITALIAN, WEB = EDITIONS.index("italian"), EDITIONS.index("web")


def _tiny(players: int, turns: int, deck: Mapping[str, int]) -> Mapping[str, Any]:
    """Return the settings of a game whose whole tree can be built: one round, hands of a card."""
    return {
        "num_players": players,
        "rounds": 1,
        "hand_size": 1,
        "deck": deck,
        "max_passes": 1,
        "max_draws": 1,
        "cards_per_two": 1,
        "max_turns": turns,
    }


@dataclass(frozen=True, kw_only=True)
class Settings(GameSettings):
    """The settings of a game (A0.7); the defaults are the box and the German booklet.

    Each field states its default, its range and its meaning. `PRESETS` has those of each book.

    Attributes:
        deck: copies of each card by its name, in place of the settings that count cards

    Raises:
        SettingsError: A value is out of its range or does not go with another, or the deck cannot
            be dealt.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "german": {},
        "english": {"after_action": "lay"},
        "web": {"edition": "web"},
        "italian": {"edition": "italian"},
        "tiny-a": _tiny(2, 4, {"r0": 3, "r2": 2, "swap": 1, "gold": 2}),
        "tiny-b": _tiny(2, 6, {"r0": 2, "r2": 1, "swap": 1, "gold": 1}),
        "tiny-c": _tiny(3, 6, {"r0": 2, "r2": 1, "swap": 1, "gold": 1}),
        "small-a": _tiny(2, 10, {"r0": 2, "r2": 1, "swap": 1, "gold": 1}),
    }

    num_players: int = number(4, 2, MAX_PLAYERS, "players (A0.7)")
    rounds: int = number(3, 1, 100, "rounds in a game (A7.5)")
    hand_size: int = number(12, 1, 40, "cards dealt to each player (A1.1)")
    colours: int = cards(5, 1, MAX_COLOURS, "colours in the deck (A0.1)")
    highest_number: int = cards(12, 0, NUMBERS - 1, "highest number card (A0.1)")
    number_copies: int = cards(2, 0, 10, "copies of each number card (A0.1)")
    fifties: int = cards(1, 0, 10, "50s in each colour (A0.2)")
    happy_men: int = cards(1, 0, 10, "Happy-Man cards in each colour (A0.3)")
    golden_twelves: int = cards(5, 1, 40, "Golden 12s (A0.4)")
    blessings: int = cards(5, 0, 40, "Kartensegen cards (A0.5)")
    steals: int = cards(5, 0, 40, "Karte ziehen cards (A0.5)")
    swaps: int = cards(5, 0, 40, "Kartentausch cards (A0.5)")
    edition: str = choice(
        EDITIONS[0],
        *EDITIONS,
        meaning="which book is played: laying by force (A2.6), drawing action cards (A5.8)",
    )
    after_action: str = choice(
        "free", "free", "lay", meaning="how a turn with an action card ends (A5.2)"
    )
    blessing_draws: str = choice(
        "others", "others", "all", meaning="who draws by an Italian Kartensegen (A5.8)"
    )
    golden_value: int = number(12, 0, 100, "points of a Golden 12 left in a hand (A7.1)")
    deck: Mapping[str, int] | Deck = ()
    max_passes: int = number(MAX_PASSES, 0, MAX_PASSES, "passes of a player a round (A2.1)")
    max_draws: int = number(MAX_DRAWS, 1, MAX_DRAWS, "draws a turn (A2.2)")
    cards_per_two: int = number(2, 1, 4, "cards that each 2 demands (A4.1)")
    max_turns: int = number(0, 0, MAX_TURNS, "cap on turns a round, 0 for none (A8.1)")
    max_decisions: int = number(3000, 1, 1_000_000, "cap on decisions a round (A8.1)")

    def __post_init__(self) -> None:
        super().__post_init__()
        counted_by = {name: _counted_by(card) for card, name in enumerate(CARDS)}
        object.__setattr__(self, "deck", self.read_deck(self.deck, counted_by))
        if self.blessing_draws == "all" and self.edition != "italian":  # A5.8
            raise SettingsError(code="blessing", edition=self.edition)
        counts = self.card_counts()
        size, golden = sum(counts), counts[Card.GOLDEN]
        if size > MAX_DECK:
            raise SettingsError(code="deck-full", size=size, most=MAX_DECK)
        if golden == 0:
            raise SettingsError(code="deck-golden")
        # A1.2 needs a card that is no Golden 12 to turn up after the deal, whatever was dealt.
        dealt, others = self.num_players * self.hand_size, size - golden
        if dealt >= others:
            raise SettingsError(
                code="deck-cards-golden",
                players=self.num_players,
                cards=counted(self.hand_size, "card"),
                count=self.hand_size,
                dealt=dealt,
                size=others,
            )

    def card_counts(self) -> list[int]:
        """Return how many cards of each type are in the deck."""
        if self.deck:
            deck = dict(self.deck)
            return [deck.get(name, 0) for name in CARDS]
        return [self._copies(card) for card in range(NUM_CARDS)]

    def first_colours(self) -> list[int]:
        """Return for each colour the first one of which the deck has the same cards.

        No rule names a colour (A3), so these are interchangeable.
        """
        counts = self.card_counts()
        decks = [
            [counts[card] for card in range(Card.GOLDEN) if colour_of(card) == colour]
            for colour in range(MAX_COLOURS)
        ]
        return [decks.index(deck) for deck in decks]

    def card_orbits(self) -> list[int]:
        """Return for each card type the one of the first colour with the same cards."""
        return relabelled_cards(self.first_colours())

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain data, as `from_dict` reads them."""
        return {**super().to_dict(), "deck": dict(self.deck)}

    def points_bound(self) -> int:
        """Return a number of points that no seat ends a game behind the others' mean.

        In each round: all cards in its hand and all passes (A7.1, A7.2), while another seat lays
        all Golden 12s (A7.3).
        """
        deck = self.card_counts()
        golden = deck[Card.GOLDEN] * (self.golden_value - POINTS[Card.GOLDEN])
        hand = int(np.dot(deck, POINTS) + golden)
        return self.rounds * (hand + 5 * MAX_PASSES + 5 * deck[Card.GOLDEN])

    def codes(self) -> dict[str, Any]:
        """Return the settings as the state holds them: the numbers, and the deck made of them."""
        deck = self.card_counts()
        return super().codes() | {"deck_size": sum(deck), "slots": slots_of(deck, MAX_DECK)}

    def _copies(self, card: int) -> int:
        too_high = card < Card.FIFTY and number_of(card) > self.highest_number
        if too_high or colour_of(card) >= self.colours:
            return 0
        copies: int = getattr(self, _counted_by(card))
        return copies
