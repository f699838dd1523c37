"""Positions as plain data (JSON), read with messages that name the fault."""

import json
from collections.abc import Callable, Sequence
from itertools import permutations, product
from typing import Any

import numpy as np

from ...errors import PositionError, SettingsError, quoted
from ...naming import unknown_name
from .deck import TAKEN

Parse = Callable[[str, Any], Any]  # takes the name of a field, for messages, and its value
_NEEDED = object()


def position_of(options: Any, known: Sequence[str] | None = None) -> Any:
    """Return the position that the options of `reset` name, None for a deal.

    Args:
        options: As they were given.
        known: The names of all options; None to ignore any other.

    Raises:
        PositionError: The options are no dict.
        SettingsError: One is unknown.
    """
    if options is not None and not isinstance(options, dict):
        raise PositionError(f"options must be a dict, not {quoted(options)}")
    for name in options or {}:
        if known is not None and name not in known:
            raise unknown_name(SettingsError, "option of reset", name, known)
    return options.get("position") if options else None


def whole(low: int, high: int) -> Parse:
    """Return what reads a whole number in low .. high."""

    def parse(name: str, value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            allowed = f"a whole number from {low} to {high}"
            raise fault(f"{name} must be {allowed}, not {quoted(value)}")
        return value

    return parse


def half_points(name: str, value: Any) -> int:
    """Read a multiple of 0.5 as a number of halves."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not abs(value) <= 1e6 or value * 2 != int(value * 2):
        raise fault(f"{name} must be multiples of 0.5, not {quoted(value)}")
    return int(value * 2)


def one_of(choices: Sequence[Any]) -> Parse:
    """Return what reads one of some choices as its place among them."""

    def parse(name: str, value: Any) -> int:
        if value not in choices:
            allowed = ", ".join(map(str, choices))
            raise fault(f"{name} must be one of {allowed}, not {quoted(value)}")
        return choices.index(value)

    return parse


def name_in(names: Sequence[str]) -> Parse:
    """Return what reads a name as its place among many."""

    def parse(name: str, value: Any) -> int:
        if value not in names:
            raise fault(f"{name}: unknown name {quoted(value)}")
        return names.index(value)

    return parse


def or_none(parse: Parse) -> Parse:
    """Return what reads null as -1, and else as `parse` does."""
    return lambda name, value: -1 if value is None else parse(name, value)


def list_of(parse: Parse, count: int | None = None) -> Parse:
    """Return what reads a list, of `count` entries if that is given."""

    def parse_all(name: str, values: Any) -> list[Any]:
        if not isinstance(values, list) or (count is not None and len(values) != count):
            size = "" if count is None else f" of {count}"
            raise fault(f"{name} must be a list{size}, not {quoted(values)}")
        return [parse(f"{name}[{place}]", value) for place, value in enumerate(values)]

    return parse_all


def fault(message: str) -> PositionError:
    """Return the error about a position."""
    return PositionError(f"position: {message}")


def cards_in(counts: Any, cards: Sequence[str]) -> list[str]:
    """Return the cards of a hand as names, by card type; counts: (card types,)."""
    return [cards[card] for card in np.flatnonzero(counts).tolist() for _ in range(counts[card])]


class Reader:
    """Reader of a position, an object of JSON, into a state that holds a game just begun.

    Args:
        state: One game, changed in place.
        given: The position.
        cards: The card types by name.
        phases: The names of the phases.

    Raises:
        PositionError: It is no plain data.
    """

    def __init__(self, state: Any, given: Any, cards: Sequence[str], phases: Sequence[str]) -> None:
        if not isinstance(given, dict):
            raise PositionError(
                f"position must be an object of names and values, not {quoted(given)}"
            )
        try:  # plain data from here on, whatever it was
            self._given: dict[str, Any] = json.loads(json.dumps(given))
        except (TypeError, ValueError, RecursionError) as error:
            raise PositionError(f"position must be plain data (JSON): {error}") from None
        self._state, self._cards, self._phases = state, cards, phases
        self._read: list[str] = []

    def get(self, name: str, parse: Parse, default: Any = _NEEDED) -> Any:
        """Return what a field means; the default if it is left out or null."""
        self._read.append(name)
        value = self._given.get(name)
        if value is not None:
            return parse(name, value)
        if default is _NEEDED:
            raise fault(f"{name} is missing")
        return default

    def get_by_seat(self, name: str, parse: Parse, default: Any = _NEEDED) -> Any:
        """Return the same of a list with an entry for each seat."""
        return self.get(name, list_of(parse, int(self._state.num_players)), default)

    def get_by_discard(self, name: str, parse: Parse, default: Any = _NEEDED) -> Any:
        """Return the same of a list with an entry for each card of the discard pile."""
        return self.get(name, list_of(parse, int(self._state.discard_size)), default)

    def place_cards(self, copies: Sequence[int], apart: Sequence[int] = ()) -> None:
        """Read the hands, the discard pile, empty if it is left out, and the face-down pile.

        The latter is the field `pile`; left out, it holds every card that lies nowhere else.

        Args:
            copies: How many of each card type the deck holds.
            apart: Card types of what lies elsewhere.

        Raises:
            PositionError: There are more cards of a type than in the deck, or less.
        """
        state, names = self._state, list_of(name_in(self._cards))
        hands, discards = self.get_by_seat("hands", names), self.get("discard", names, [])
        placed = [card for group in (*hands, discards, apart) for card in group]
        there = np.bincount(placed, minlength=len(copies))
        pile = np.array(copies) - there
        listed = self.get("pile", names, None)
        if listed is not None:
            pile = np.bincount(listed, minlength=len(copies)).astype(np.int64)
            there += pile
        for name, count, most in zip(self._cards, there, copies, strict=True):
            if count > most or (listed is not None and count < most):
                raise fault(f"{count} times {name}, the deck has {most}")

        state.hands[:] = 0
        state.hand_sizes[:] = 0
        for seat, hand in enumerate(hands):
            state.hands[seat] = np.bincount(hand, minlength=len(copies))
            state.hand_sizes[seat] = len(hand)
        state.pile_size = int(pile.sum())
        kinds = state.slots[: state.deck_size] % TAKEN
        for card, count in enumerate(pile):
            slots = np.flatnonzero(kinds == card)
            state.slots[slots] = card
            state.slots[slots[count:]] += TAKEN
        state.discard_size = len(discards)
        state.discards[: len(discards)] = discards
        state.discarded[:] = np.bincount(discards, minlength=len(copies))

    def read_turn(self, max_rounds: int, max_decisions: int) -> None:
        """Read whose turn it is in which round; what is left out is as at the start of a game."""
        state = self._state
        state.current_player = self.get("current_player", whole(0, int(state.num_players) - 1), 0)
        state.phase = self.get("phase", one_of(self._phases), 0)
        state.round_index = self.get("round", whole(1, max_rounds), 1) - 1
        state.decisions = self.get("decisions", whole(0, max_decisions - 1), 0)
        state.capped_rounds = self.get("capped_rounds", whole(0, int(state.round_index)), 0)

    def finish(self) -> None:
        """Read who knows what, once the hands are there; refuse fields that were not read.

        What is left out nobody knows, and everybody is aware of that.
        """
        state, players = self._state, int(self._state.num_players)
        hands = list_of(list_of(name_in(self._cards)), players)
        known_cards = self.get_by_seat("known", hands, [[[]] * players] * players)
        for seat, other in product(range(players), repeat=2):
            counts = np.bincount(known_cards[seat][other], minlength=len(self._cards))
            wrong = counts > state.hands[other] * int(other != seat)
            if wrong.any():
                name = self._cards[int(wrong.argmax())]
                raise fault(f"known: seat {seat} cannot know {name} in hand {other}")
            if other != seat:
                state.known[seat, (other - seat) % players - 1] = counts
                state.known_sizes[other, seat] = counts.sum()
        aware = self.get_by_seat("aware", list_of(whole(0, players - 1)), [])
        for seat, others in enumerate(aware):
            state.aware[seat] = sum(1 << other for other in {seat, *others})
        for name in self._given:
            if name not in self._read:
                raise fault(f"unknown field {quoted(name)}; known are {', '.join(self._read)}")


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
