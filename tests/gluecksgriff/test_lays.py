"""What can be laid card by card, against all subsets of a hand in all orders."""

import random
from dataclasses import dataclass
from itertools import pairwise, permutations

import pytest

from goldgriff.envs.match import Match

from ..tables import field, legal
from .tables import blanks, table_with

JOKERS = ("joker", "blank1", "blank2")
SETTINGS = blanks("joker", "joker")
GOING_ON = ("add", "run", "low", "high")

# How the cards lie on the discard pile, as what, and which moves may end the turn.
Lay = tuple[str, tuple[str, ...], frozenset[str]]


@dataclass(frozen=True)
class Case:
    """A hand, and the last play on the discard pile."""

    hand: tuple[str, ...]
    base: tuple[str, ...]
    run: bool

    def start(self) -> Match:
        # A card beside the hand, of no use, so that no knock ends the round.
        return table_with(
            " ".join([*self.hand, "hourglass"]),
            "hourglass",
            discard=" ".join(self.base),
            last_play=len(self.base),
            run=self.run,
            front=[None, "hourglass"],
            settings=SETTINGS,
        )


# --- The slow way: look at every subset in every order ------------------------------------------
def no_jokers_side_by_side(cards: tuple[str, ...]) -> bool:
    return not any(one in JOKERS and other in JOKERS for one, other in pairwise(cards))


def is_set(cards: tuple[str, ...]) -> bool:
    naturals = {card for card in cards if card not in JOKERS}
    return len(cards) > 1 and len(naturals) == 1 and no_jokers_side_by_side(cards)


def is_run(cards: tuple[str, ...]) -> bool:
    """Whether some stretch of 0 to 14 has these cards in this order, jokers as anything."""
    stretches = (range(low, low + len(cards)) for low in range(15 - len(cards) + 1))
    return (
        len(cards) >= 3
        and no_jokers_side_by_side(cards)
        and any(
            all(card in JOKERS or card == str(value) for card, value in zip(cards, s, strict=True))
            for s in stretches
        )
    )


def possible_lays(case: Case) -> set[Lay]:
    """All that can be laid, and how the turn can end then."""
    base, top = case.base, case.base[-1]
    takes = {"draw"}
    if case.run:
        takes |= {"take low"} if base[0].isdigit() else set()
        takes |= {"take high"} if top.isdigit() else set()
    elif top.isdigit():
        takes.add("take")
    lays: set[Lay] = set()
    orders = {p for size in range(1, len(case.hand) + 1) for p in permutations(case.hand, size)}
    for cards in orders:
        naturals = {card for card in cards if card not in JOKERS}
        if len(cards) == 1 or is_set(cards):
            fits = not case.run and top.isdigit() and naturals <= {top}
            lays.add(("set", cards, frozenset(takes | ({"knock"} if fits else set()))))
        if is_run(cards):
            lays.add(("run", cards, frozenset(takes)))
        for cut in range(len(cards) + 1):
            extended = (*reversed(cards[:cut]), *base, *cards[cut:])
            if case.run and len(cards) >= 2 and is_run(extended):
                lays.add(("extension", extended, frozenset({"knock"})))
    return lays


# --- The way of the engine: every sequence of decisions -----------------------------------------
def reachable_lays(case: Case, *path: str) -> set[Lay]:
    """All lays that the moves lead to; every sequence must lead to one at least."""
    match = case.start()
    for move in path:
        match.play(move)
    moves = legal(match)
    starts = {move for move in moves if move.split()[0] in (*GOING_ON, "lay")}
    assert path or moves == starts, moves
    going_on = {move for move in starts if move != "lay hourglass"}
    lays = set[Lay]()
    ends = frozenset(moves - going_on - {"lay hourglass"})
    if ends and path:
        kind, discard = field(match, "laid_kind"), field(match, "discard")
        if kind in ("low", "high"):
            lays.add(("extension", tuple(discard), ends))
        else:
            lays.add((kind, tuple(discard[len(case.base) :]), ends))
    for move in going_on:
        further = reachable_lays(case, *path, move)
        assert further, f"{(*path, move)} leads nowhere"
        lays |= further
    return lays


def random_case(rng: random.Random) -> Case:
    """Hands of neighbouring values and jokers, on single cards, sets and runs near them."""
    low = rng.choice([0, 0, rng.randint(1, 9), 10, 11])
    values = [str(value) for value in range(low, low + 5) if value <= 14]
    size = rng.choice([3, 4, 5, 5])
    hand = [rng.choice([*values, *values, "joker"]) for _ in range(size)]
    if rng.random() < 0.3:
        hand[0] = "blank1"
    base: tuple[str, ...] = (rng.choice([*values, "joker", "hand"]),)
    run = rng.random() < 0.5
    if run:
        start = rng.randint(max(0, low - 2), min(12, low + 3))
        cards = [str(value) for value in range(start, min(15, start + rng.choice([3, 3, 4])))]
        for place in range(0, len(cards), 2):
            if rng.random() < 0.25:
                cards[place] = "joker" if rng.random() < 0.7 or "blank2" in cards else "blank2"
        base = tuple(cards)
    elif rng.random() < 0.3:
        base = (base[0] if base[0].isdigit() else values[0],) * 2
    in_use = [*hand, *base]
    if any(in_use.count(card) > 4 for card in in_use):
        return random_case(rng)
    return Case(tuple(sorted(hand)), base, run)


CASES = [random_case(random.Random(seed)) for seed in range(90)]
BY_HAND = [
    Case(("joker", "joker", "5", "6"), ("7",), False),
    Case(("joker", "joker", "joker", "13", "14"), ("14", "joker"), False),
    Case(("0", "0", "1", "2", "joker"), ("0",), False),
    Case(("3", "7", "8", "joker"), ("4", "5", "6"), True),
    Case(("2", "3", "joker", "joker", "8"), ("4", "5", "6"), True),
    Case(("2", "3", "7", "joker"), ("joker", "5", "joker"), True),
    Case(("0", "14", "joker", "joker"), ("1", "2", "3"), True),
    Case(("0", "14", "joker", "blank1"), ("11", "12", "13"), True),
]


@pytest.mark.parametrize("case", [*BY_HAND, *CASES], ids=str)
def test_the_moves_lead_to_every_possible_lay_and_no_other(case: Case) -> None:
    assert reachable_lays(case) == possible_lays(case)


def test_the_cases_hold_every_kind_of_lay() -> None:
    lays = [lay for case in CASES for lay in possible_lays(case)]
    for kind in ("set", "run", "extension"):
        assert sum(lay[0] == kind and "joker" in lay[1] for lay in lays) > 20, kind
        assert sum(lay[0] == kind and "joker" not in lay[1] for lay in lays) > 20, kind
    assert max(len(cards) for kind, cards, _ in lays if kind == "run") >= 5
    assert sum("knock" in ends for kind, _, ends in lays if kind == "set") > 20
