"""Glücksgriff: the deck, what cards count, the settings, and the one table of actions.

Rule ids (G0-G9) refer to docs/rules/gluecksgriff.md. All other modules play by this one.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import IntEnum
from typing import Any, ClassVar, Self

import numpy as np

from ...errors import SettingsError, quoted
from ...naming import counted
from ..engine.deck import slots_of
from ..engine.settings import CheckedSettings, Deck, GameSettings, cards, choice, flag, number

# --- G0: the cards. A card type is a number in 0 .. NUM_CARDS - 1; trick cards are their value ---
VALUES = 15  # G0.1: 0 to 14


class Card(IntEnum):
    """Card types beside the trick cards, which are their values 0 to 14."""

    JOKER = VALUES  # G0.2
    HOURGLASS = JOKER + 1  # G0.2
    MAGIC_HAND = HOURGLASS + 1  # G0.2: the Magic Hand
    BLANK = MAGIC_HAND + 1  # G0.3: the first of MAX_BLANKS types


MAX_BLANKS = 7
NUM_CARDS = Card.BLANK + MAX_BLANKS
LETTER = "G"  # of the ids of the rules

MAX_PLAYERS = 5  # G0.4
MAX_DECK = 100  # the box has 76
FEW_POINTS = 7  # G8.2: who has less may call
WRONG_CALL = 30  # G8.4
CALLED_TOO_HIGH = 50  # G8.5
HALVED_AT = 50  # G8.7

# G8.1: what cards left in a hand count; blanks say it themselves (G9.1).
POINTS = np.array([*range(VALUES), 15, 15, 20, *[0] * MAX_BLANKS], np.int32)
# G7.1, G9.12: among cards of equal points, which goes open first: trick cards, hourglass, ...
OPEN_ORDER = np.array(
    [*range(VALUES), Card.HOURGLASS, Card.JOKER, *range(Card.MAGIC_HAND, NUM_CARDS)], np.int32
)


# The rules by which each card is laid first in a turn (G3.1, G3.3, G6.7, G7.7, G9.4).
LAY_RULES = np.array([*[301] * VALUES, 303, 607, 707, *[904] * MAX_BLANKS], np.int32)


class Effect(IntEnum):
    """What a blank card can do (G9.6 to G9.11, in this order)."""

    PLAIN = 0
    JOKER = 1
    SIT_OUT = 2
    DRAW = 3
    LOOK = 4
    SWAP = 5


EFFECTS = ("plain", "joker", "sit_out", "draw", "look", "swap")

CARDS = (
    *(str(value) for value in range(VALUES)),
    "joker",
    "hourglass",
    "hand",
    *(f"blank{k}" for k in range(1, MAX_BLANKS + 1)),
)
LEGEND = "numbers: trick cards; hand: the Magic Hand; blank1, blank2, ...: the cards of `blanks`"

# --- The action table: the single source for engine, mask, names and docs -----------------------
# Cards that can stand in a set or run: trick cards, the joker, blanks that act as one (G9.7).
JOKERS = (Card.JOKER, *range(Card.BLANK, NUM_CARDS))
NUM_JOKERS = len(JOKERS)
NUM_PARTS = VALUES + NUM_JOKERS
PARTS = np.array([*range(VALUES), *JOKERS], np.int32)  # card types, by their place
FITTING = 0  # place of an extension by the trick card that fits; jokers follow


class Action(IntEnum):
    """Actions, or the first action of a range that a card, part or player is added to."""

    LAY = 0  # G3.1: LAY + card lays a first card, special ones as plain cards (G6.7, G7.7)
    ADD = LAY + NUM_CARDS  # G3.1, G3.4: ADD + part, one more of a set, in the order laid
    RUN = ADD + NUM_PARTS  # G3.1: RUN + part, the next higher card of a run
    LOW = RUN + NUM_PARTS  # G5.2: extend the run on the pile at its low end
    HIGH = LOW + 1 + NUM_JOKERS  # G5.2: at its high end
    DRAW = HIGH + 1 + NUM_JOKERS  # G4.1: end the turn with a card from the face-down pile
    TAKE = DRAW + 1  # G4.1: with the card that lay on top
    TAKE_LOW = TAKE + 1  # G4.2: with an outer card of the run that lay there
    TAKE_HIGH = TAKE_LOW + 1
    KNOCK = TAKE_HIGH + 1  # G5: end the turn by knocking
    KNOCK_LOW = KNOCK + 1  # G5.4: add the drawn card to the run just laid
    KNOCK_HIGH = KNOCK_LOW + 1
    KEEP = KNOCK_HIGH + 1  # G5.5: keep the drawn card
    SIT_OUT = KEEP + 1  # G6.3
    FEND_OFF = SIT_OUT + 1  # G6.4
    PLAY_ON = FEND_OFF + 1  # G6.6
    CALL = PLAY_ON + 1  # G8.2
    PLAY_MAGIC_HAND = CALL + 1  # G7.1
    GIVE_HOURGLASS = PLAY_MAGIC_HAND + 1  # G6.1: + k, to the player k + 1 seats on
    PICK = GIVE_HOURGLASS + MAX_PLAYERS - 1  # G7.2: + k, that player's open card
    CHALLENGE = PICK + MAX_PLAYERS - 1  # G7.4: + k
    OPEN = CHALLENGE + MAX_PLAYERS - 1  # G7.4: + card
    GRAB = OPEN + NUM_CARDS  # G7.5: + card, out of the challenged hand
    EFFECT = GRAB + NUM_CARDS  # G9: + blank * (MAX_PLAYERS - 1) + k
    DECLINE = EFFECT + MAX_BLANKS * (MAX_PLAYERS - 1)  # G8.2: make no last turn


NUM_ACTIONS = Action.DECLINE + 1

_PART_NAMES = [CARDS[card] for card in PARTS]
_JOKER_NAMES = [CARDS[card] for card in JOKERS]
_SEATS = range(1, MAX_PLAYERS)
ACTIONS = (
    *(f"lay {name}" for name in CARDS),
    *(f"add {name}" for name in _PART_NAMES),
    *(f"run {name}" for name in _PART_NAMES),
    "low",
    *(f"low {name}" for name in _JOKER_NAMES),
    "high",
    *(f"high {name}" for name in _JOKER_NAMES),
    "draw",
    "take",
    "take low",
    "take high",
    "knock",
    "knock low",
    "knock high",
    "keep",
    "sit out",
    "fend off",
    "play on",
    "call",
    "hand",
    *(f"hourglass +{seats}" for seats in _SEATS),
    *(f"pick +{seats}" for seats in _SEATS),
    *(f"challenge +{seats}" for seats in _SEATS),
    *(f"open {name}" for name in CARDS),
    *(f"grab {name}" for name in CARDS),
    *(f"{name} +{seats}" for name in CARDS[Card.BLANK :] for seats in _SEATS),
    "decline",
)


# --- G0.4, G9.1: the settings -------------------------------------------------------------------
MAX_ROUNDS = MAX_TURNS = 1_000_000  # G8.8, G8.9
COUNTED_BY = {  # the setting that counts each card where `deck` does not; `blanks` are a list
    **dict.fromkeys(CARDS[:VALUES], "copies"),
    "joker": "jokers",
    "hourglass": "hourglasses",
    "hand": "magic_hands",
}
# Choices as a state holds them: their place.
FORCED = 1  # last_turn (G8.2)
WHOLE_TURN = 1  # fend_off (G6.4)
BOTH = 1  # challenge_prize (G7.5)


class JokerKnock(IntEnum):
    """What joker_knock allows beside G5.3, as a state holds it; each includes the one before."""

    STRICT = 0
    RUN_END = 1
    WIDE = 2


@dataclass(frozen=True, kw_only=True)
class Blank(CheckedSettings):
    """A blank card as the players describe it (G9.1, G9.2): one card of its own.

    Attributes:
        name: The name for people.
        points: Its points in a hand, 0 to 50 (G9.1).
        effect: What it can do, one of EFFECTS.
        amount: How many cards the effect `draw` makes a player draw, 1 to 5 (G9.9).
    """

    name: str
    points: int = number(MISSING, 0, 50, "its points in a hand (G9.1)")
    effect: str = choice(MISSING, *EFFECTS, meaning="what it can do (G9.6 to G9.11)")
    amount: int = number(1, 1, 5, "cards that the effect `draw` makes a player draw (G9.9)")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.name, str) or not self.name:
            raise SettingsError(f"a blank's name must be text, not {quoted(self.name)}")

    @classmethod
    def from_data(cls, given: Any) -> Self:
        """Return a blank given as one or as plain data, an object of its fields."""
        if isinstance(given, cls):
            return given
        names = [entry.name for entry in fields(cls)]
        if not isinstance(given, dict) or not {*names[:3]} <= {*given} <= {*names}:
            raise SettingsError(f"a blank is an object of {', '.join(names)}, not {quoted(given)}")
        return cls(**given)


def _tiny(players: int, turns: int, deck: Mapping[str, int]) -> Mapping[str, Any]:
    """Return the settings of a game whose whole tree can be built: one round, hands of two."""
    return {
        "num_players": players,
        "max_rounds": 1,
        "hand_size": 2,
        "deck": deck,
        "bluffing": True,
        "max_turns": turns,
    }


@dataclass(frozen=True, kw_only=True)
class Settings(GameSettings):
    """The settings of a game (G0.4); the defaults are the box without the book's options.

    Each field states its default, its range and its meaning. `PRESETS` has the book's rules in full
    and those of its experts (the ten percent are ours).

    Attributes:
        blanks: what is written on blank cards: cards, or objects of their fields
        deck: copies of each card by its name, in place of the settings that count cards

    Raises:
        SettingsError: A value is out of its range, or the deck cannot be dealt.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "book": {"penalties": True},
        "experts": {"penalties": True, "bluffing": True, "late_knock": 10},
        "tiny-a": _tiny(2, 4, {"0": 2, "1": 2, "2": 2, "hand": 1}),
        "tiny-b": _tiny(2, 3, {"0": 2, "1": 2, "2": 2, "hand": 1}),
        "tiny-c": _tiny(3, 3, {"0": 4, "1": 4, "hand": 1}),
        "small-a": _tiny(2, 7, {"0": 2, "1": 2, "2": 2, "hand": 1}),
    }

    num_players: int = number(4, 2, MAX_PLAYERS, "players (G0.4)")
    point_limit: int = number(100, 1, 10_000, "total above which the game ends (G8.8)")
    hand_size: int = number(7, 1, 12, "cards dealt to each player (G1.1)")
    copies: int = cards(4, 0, 10, "copies of each trick card (G0.1)")
    highest_value: int = cards(14, 0, VALUES - 1, "highest trick card (G0.1)")
    jokers: int = cards(4, 0, 10, "jokers (G0.2)")
    hourglasses: int = cards(4, 0, 10, "hourglasses (G0.2)")
    magic_hands: int = cards(1, 0, 4, "Magic Hands (G0.2)")
    bluffing: bool = flag("players choose which card to lay open (G7.4)")
    penalties: bool = flag("playing on and calling with too many points (G6.6, G8.5)")
    late_knock: int = number(0, 0, 100, "chance in percent that a knock comes too late (G5.7)")
    last_turn: str = choice(
        "optional", "optional", "forced", meaning="whether the last turn may be declined (G8.2)"
    )
    fend_off: str = choice(
        "free", "free", "turn", meaning="whether a turn follows after fending off (G6.4)"
    )
    challenge_prize: str = choice(
        "one", "one", "both", meaning="cards taken after a right challenge (G7.5)"
    )
    joker_knock: str = choice(
        "strict", "strict", "run_end", "wide", meaning="knocks of and on jokers (G5.3, G5.4)"
    )
    blanks: tuple[Blank, ...] = ()
    deck: Mapping[str, int] | Deck = ()
    max_rounds: int = number(0, 0, MAX_ROUNDS, "cap on rounds in a game, 0 for none (G8.8)")
    max_turns: int = number(0, 0, MAX_TURNS, "cap on turns a round, 0 for none (G8.9)")
    max_decisions: int = number(3000, 1, 1_000_000, "cap on decisions a round (G8.9)")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "deck", self.read_deck(self.deck, COUNTED_BY))
        if not isinstance(self.blanks, list | tuple):
            raise SettingsError(f"blanks must be a list, not {quoted(self.blanks)}")
        object.__setattr__(self, "blanks", tuple(Blank.from_data(blank) for blank in self.blanks))
        if len(self.blanks) > MAX_BLANKS:
            raise SettingsError(f"at most {MAX_BLANKS} blanks are allowed, not {len(self.blanks)}")
        size, dealt = sum(self.card_counts()), self.num_players * self.hand_size
        if size > MAX_DECK:
            raise SettingsError(code="deck-full", size=size, most=MAX_DECK)
        if size <= dealt:  # G0.4: a card must be left to turn up
            raise SettingsError(
                code="deck-cards",
                players=self.num_players,
                cards=counted(self.hand_size, "card"),
                count=self.hand_size,
                needed=dealt + 1,
                size=size,
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain data, as `from_dict` reads them."""
        blanks = [vars(blank).copy() for blank in self.blanks]
        return {**super().to_dict(), "blanks": blanks, "deck": dict(self.deck)}

    def card_counts(self) -> list[int]:
        """Return how many cards of each type are in the deck."""
        blanks = [int(k < len(self.blanks)) for k in range(MAX_BLANKS)]
        if self.deck:
            deck = dict(self.deck)
            return [*(deck.get(name, 0) for name in COUNTED_BY), *blanks]
        values = [self.copies if value <= self.highest_value else 0 for value in range(VALUES)]
        return [*values, self.jokers, self.hourglasses, self.magic_hands, *blanks]

    def points_bound(self) -> int:
        """Return a number of points that no seat ends a game behind the others' mean.

        Its total is at most `point_limit` before the last round, which brings at most all cards
        and the penalties of a call (G8.1, G8.4, G8.5); those of others fall by halving only (G8.7).
        """
        hand = int(np.dot(self.card_counts(), self.codes()["points"]))
        return 2 * self.point_limit + hand + WRONG_CALL + CALLED_TOO_HIGH

    def codes(self) -> dict[str, Any]:
        """Return the settings as the state holds them: numbers, the deck and its points."""
        deck, rest = self.card_counts(), [0] * (MAX_BLANKS - len(self.blanks))
        return super().codes() | {
            "deck_size": sum(deck),
            "slots": slots_of(deck, MAX_DECK),
            "points": [*POINTS[: Card.BLANK].tolist(), *(b.points for b in self.blanks), *rest],
            "num_blanks": len(self.blanks),
            "effects": [*(EFFECTS.index(b.effect) for b in self.blanks), *rest],
            "amounts": [*(b.amount for b in self.blanks), *rest],
        }
