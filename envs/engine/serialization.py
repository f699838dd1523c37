"""Positions as plain data (JSON), read with messages that name the fault."""

import math
from collections.abc import Sequence
from itertools import permutations, product
from typing import Any

import numpy as np

from ...errors import PositionError, quoted
from .deck import TAKEN

MAX_NESTING = 4  # of lists and objects in a position; `known` needs all of them
# Fields of an older format.


def position_of(options: Any) -> Any:
    """Return the position that the options of `reset` name, None for a deal.

    Raises:
        PositionError: The options are no dict.
    """
    if options is not None and not isinstance(options, dict):
        raise PositionError(f"options must be a dict, not {quoted(options)}")
    return options.get("position") if options else None


def check_plain(name: str, value: Any, nesting: int = MAX_NESTING) -> None:
    """Raise PositionError unless a value is made of JSON's types alone, and not nested too deep.

    Exactly these: a NumPy number, a tuple or a class of one's own may compare, hash or copy in its
    own way.

    Args:
        name: What the value is, for the message.
        value: What is checked: None, a boolean, an integer, a finite float, a string, or a list or
            dict of these.
        nesting: How many lists and dicts may lie in each other.
    """
    if type(value) is list and nesting:
        for place, entry in enumerate(value):
            check_plain(f"{name}[{place}]", entry, nesting - 1)
    elif type(value) is dict and nesting:
        for key, entry in value.items():
            if type(key) is not str:
                raise PositionError(f"{name}: unknown field {quoted(key)}; a name is a string")
            check_plain(f"{name}: {quoted(key)}", entry, nesting - 1)
    elif type(value) in (list, dict):
        raise PositionError(f"{name} is nested too deep")
    elif not (
        value is None
        or type(value) in (bool, int, str)
        or (type(value) is float and math.isfinite(value))
    ):
        raise PositionError(f"{name} must be plain data (JSON), not {quoted(value)}")


class Reader:
    """Reader of one JSON object; `finish` refuses fields that were not read."""

    def __init__(self, given: Any, what: str) -> None:
        if not isinstance(given, dict):
            raise PositionError(
                f"{what} must be an object of names and values, not {quoted(given)}"
            )
        check_plain(what, given)
        self._given = given
        self._what = what
        self._read: list[str] = []

    def has(self, name: str) -> bool:
        """Return whether a field is there and not null."""
        self._read.append(name)
        return self._given.get(name) is not None

    def number(self, name: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number in low .. high."""
        if self.has(name):
            return self._whole(name, self._given[name], low, high)
        if default is None:
            raise self._fault(f"{name} is missing")
        return default

    def truth(self, name: str) -> bool:
        """Return a boolean; false when left out."""
        value = self._given[name] if self.has(name) else False
        if not isinstance(value, bool):
            raise self._fault(f"{name} must be true or false, not {quoted(value)}")
        return value

    def name(self, name: str, known: Sequence[str]) -> int:
        """Return a name as its place in `known`; -1 when left out or null."""
        return self._names(name, [self._given[name]], known)[0] if self.has(name) else -1

    def names_or_none(self, name: str, count: int, known: Sequence[str]) -> list[int]:
        """Return `count` names, each as its place in `known`, or -1 for null."""
        values = self._list(name, count) if self.has(name) else [None] * count
        places = iter(self._names(name, [value for value in values if value is not None], known))
        return [-1 if value is None else next(places) for value in values]

    def seats(self, name: str, count: int, players: int) -> list[int]:
        """Return `count` seats, -1 for null."""
        values = self._list(name, count)
        return [-1 if v is None else self._whole(name, v, 0, players - 1) for v in values]

    def choice(self, name: str, choices: Sequence[str | None], default: str | None) -> int:
        """Return the place of a string in `choices`."""
        given = self._given[name] if self.has(name) else default
        if given not in choices:
            known = ", ".join(map(str, choices))
            raise self._fault(f"{name} must be one of {known}, not {quoted(given)}")
        return choices.index(given)

    def numbers(self, name: str, count: int, low: int, high: int) -> list[int]:
        """Return `count` whole numbers in low .. high; zeros when left out."""
        if not self.has(name):
            return [0] * count
        return [self._whole(name, value, low, high) for value in self._list(name, count)]

    def halves(self, name: str, count: int) -> list[int]:
        """Return `count` multiples of 0.5 as numbers of halves; zeros when left out."""
        if not self.has(name):
            return [0] * count
        values = self._list(name, count)
        for value in values:
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not abs(value) <= 1e6 or value * 2 != int(value * 2):
                raise self._fault(f"{name} must be multiples of 0.5, not {quoted(value)}")
        return [int(value * 2) for value in values]

    def names(self, name: str, known: Sequence[str]) -> list[int]:
        """Return a list of names as places in `known`; empty when left out."""
        return self._names(name, self._list(name) if self.has(name) else [], known)

    def lists_of_names(self, name: str, count: int, known: Sequence[str]) -> list[list[int]]:
        """Return `count` lists of names as places in `known`."""
        if not self.has(name):
            raise self._fault(f"{name} is missing")
        lists = self._list(name, count)
        return [self._names(f"{name}[{k}]", entry, known) for k, entry in enumerate(lists)]

    def grid_of_names(self, name: str, count: int, known: Sequence[str]) -> list[list[list[int]]]:
        """Return `count` times `count` lists of names as places in `known`, empty when left out."""
        if not self.has(name):
            return [[[] for _ in range(count)] for _ in range(count)]
        rows = [
            self._sized(f"{name}[{k}]", row, count) for k, row in enumerate(self._list(name, count))
        ]
        return [
            [self._names(f"{name}[{k}][{m}]", entry, known) for m, entry in enumerate(row)]
            for k, row in enumerate(rows)
        ]

    def lists_of_seats(self, name: str, players: int) -> list[list[int]] | None:
        """Return a list of seats for each seat; None when left out."""
        if not self.has(name):
            return None
        return [
            [self._whole(name, seat, 0, players - 1) for seat in self._sized(f"{name}[{k}]", entry)]
            for k, entry in enumerate(self._list(name, players))
        ]

    def finish(self) -> None:
        """Refuse fields that are not known."""
        for name in self._given:
            if name not in self._read:
                names = ", ".join(self._read)
                raise self._fault(f"unknown field {quoted(name)}; known are {names}")

    def _whole(self, name: str, value: Any, low: int, high: int) -> int:
        if type(value) is not int or not low <= value <= high:
            raise self._fault(
                f"{name} must be a whole number from {low} to {high}, not {quoted(value)}"
            )
        return value

    def _list(self, name: str, count: int | None = None) -> list[Any]:
        return self._sized(name, self._given[name], count)

    def _sized(self, name: str, value: Any, count: int | None = None) -> list[Any]:
        if not isinstance(value, list) or (count is not None and len(value) != count):
            size = "" if count is None else f" of {count}"
            raise self._fault(f"{name} must be a list{size}, not {quoted(value)}")
        return value

    def _names(self, name: str, values: Any, known: Sequence[str]) -> list[int]:
        if not isinstance(values, list):
            raise self._fault(f"{name} must be a list, not {quoted(values)}")
        for value in values:
            if value not in known:
                raise self._fault(f"{name}: unknown name {quoted(value)}")
        return [known.index(value) for value in values]

    def _fault(self, message: str) -> PositionError:
        return PositionError(f"{self._what}: {message}")


def cards_in(counts: Any, cards: Sequence[str]) -> list[str]:
    """Return the cards of a hand as names, by card type; counts: (card types,)."""
    return [cards[card] for card in np.flatnonzero(counts).tolist() for _ in range(counts[card])]


def place_cards(
    state: Any,
    read: Reader,
    cards: Sequence[str],
    copies: Sequence[int],
    hands: Sequence[Sequence[int]],
    discards: Sequence[int],
    apart: Sequence[int] = (),
) -> None:
    """Put cards, by type, into the hands and on the discard pile of a state.

    The face-down pile is the field `pile`; left out, it holds every card that lies nowhere else.

    Args:
        state: One game, changed in place.
        read: The position.
        cards: The card types by name.
        copies: How many of each the deck holds.
        hands: By seat.
        discards: The top card last.
        apart: Cards that lie elsewhere.

    Raises:
        PositionError: There are more cards than the deck holds or, with a `pile`, fewer.
    """
    placed = [card for group in (*hands, discards, apart) for card in group]
    there = np.bincount(placed, minlength=len(cards))
    pile = np.array(copies) - there
    whole = read.has("pile")
    if whole:
        pile = np.bincount(read.names("pile", cards), minlength=len(cards))
        there += pile
    for name, count, most in zip(cards, there, copies, strict=True):
        if count > most or (whole and count < most):
            raise PositionError(f"position: {count} times {name}, the deck has {most}")

    state.hands[:] = 0
    state.hand_sizes[:] = 0
    for seat, hand in enumerate(hands):
        state.hands[seat] = np.bincount(hand, minlength=len(cards))
        state.hand_sizes[seat] = len(hand)
    state.pile_size = int(pile.sum())
    kinds = state.slots[: state.deck_size] % TAKEN
    for card, count in enumerate(pile):
        slots = np.flatnonzero(kinds == card)
        state.slots[slots] = card
        state.slots[slots[count:]] += TAKEN
    state.discard_size = len(discards)
    state.discards[: len(discards)] = discards
    state.discarded[:] = np.bincount(discards, minlength=len(cards))


def write_common(state: Any, cards: Sequence[str], phases: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a position that every game has.

    Seats are numbers; the discard pile ends with its top card. The pile is listed in no order of
    play: a draw picks at random. `known` has, for each seat, hand by hand, the names of the cards
    that it knows to be there; `aware`, for each seat, the others whose knowledge of its hand it
    knows.
    """
    players, pile = int(state.num_players), state.slots[: state.deck_size]
    seats = range(players)
    known_cards: list[list[list[str]]] = [[[] for _ in seats] for _ in seats]
    for seat, other in permutations(seats, 2):
        row = state.known[seat, (other - seat) % players - 1]
        known_cards[seat][other] = cards_in(row, cards)
    return {
        "hands": [cards_in(state.hands[seat], cards) for seat in seats],
        "discard": [cards[card] for card in state.discards[: state.discard_size]],
        "pile": [cards[card] for card in pile[pile < TAKEN]],
        "current_player": int(state.current_player),
        "phase": phases[state.phase],
        "round": int(state.round_index) + 1,
        "decisions": int(state.decisions),
        "capped_rounds": int(state.capped_rounds),
        "known": known_cards,
        "aware": [[o for o in seats if o != s and int(state.aware[s]) >> o & 1] for s in seats],
    }


def read_turn(
    state: Any, read: Reader, phases: Sequence[str], max_rounds: int, max_decisions: int
) -> None:
    """Read whose turn it is in which round; what is left out is as at the start of a game."""
    state.current_player = read.number("current_player", 0, int(state.num_players) - 1, 0)
    state.phase = read.choice("phase", phases, phases[0])
    state.round_index = read.number("round", 1, max_rounds, 1) - 1
    state.decisions = read.number("decisions", 0, max_decisions - 1, 0)
    state.capped_rounds = read.number("capped_rounds", 0, int(state.round_index), 0)


def read_knowledge(state: Any, read: Reader, cards: Sequence[str]) -> None:
    """Read the knowledge of a position into a state that has its hands.

    Left out, nobody knows anything, and everybody is aware of that.
    """
    players = int(state.num_players)
    known_cards = read.grid_of_names("known", players, cards)
    aware = read.lists_of_seats("aware", players)
    for seat, other in product(range(players), repeat=2):
        counts = np.bincount(known_cards[seat][other], minlength=len(cards))
        wrong = counts > state.hands[other] * int(other != seat)
        if wrong.any():
            name = cards[int(wrong.argmax())]
            raise PositionError(f"position: known: seat {seat} cannot know {name} in hand {other}")
        if other != seat:
            state.known[seat, (other - seat) % players - 1] = counts
            state.known_sizes[other, seat] = counts.sum()
    if aware is not None:
        for seat, others in enumerate(aware):
            state.aware[seat] = sum(1 << other for other in {seat, *others})
