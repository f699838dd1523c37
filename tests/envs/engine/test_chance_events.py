"""Every event of chance in the rules, against what shuffled piles of cards would bring.

A case is a position in which one action, or the deal, has random results that are not equally
likely. What to expect comes from all orders of the cards, one by one, without the library.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.envs.engine.chance import FUNCTIONS
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.match import Match

from ...auruxxx.tables import table_with as auruxxx_table
from ...gluecksgriff.tables import blanks
from ...gluecksgriff.tables import table_with as gluecksgriff_table
from ...tables import play
from .listed import BEGIN, listed, p_value, sample

Hands = tuple[str, ...]  # cards of each seat, names with spaces between
Result = tuple[tuple[str, ...], ...]  # sorted cards of each seat, and the card on top
Chances = dict[Result, Fraction]
BLUFF = {"bluffing": True, "hand_size": 4}
LATE = {"late_knock": 30}


@dataclass(frozen=True)
class Case:
    """A position and an action with random results.

    Attributes:
        name: What happens, with the rule.
        calls: Where the rules call for chance in it, as `calls_for_chance` writes it.
        match: The position; its hands are dealt anew where there is no action.
        chances: What has to be expected.
        move: The action; None for the deal.
    """

    name: str
    calls: str
    match: Callable[[], Match]
    chances: Chances
    move: str | None = None


# --- What shuffled cards bring -------------------------------------------------------------------


def result(hands: Sequence[Sequence[str]], top: str) -> Result:
    return (*(tuple(sorted(hand)) for hand in hands), (top,))


def drawn(hands: Hands, top: str, seats: Sequence[int], pile: str, under: str = "") -> Chances:
    """Each of the seats, in this order, draws a card; the cards under the top are shuffled next."""
    first = min(len(seats), len(pile.split()))
    found: Counter[Result] = Counter()
    for one, two in product(
        permutations(pile.split(), first), permutations(under.split(), len(seats) - first)
    ):
        after = [hand.split() for hand in hands]
        for seat, card in zip(seats, (*one, *two), strict=True):
            after[seat].append(card)
        found[result(after, top)] += 1
    return {key: Fraction(ways, found.total()) for key, ways in found.items()}


def stolen(hands: Hands, top: str, victims: Sequence[int]) -> Chances:
    """Seat 0 draws a card out of each of these hands."""
    found: Counter[Result] = Counter()
    for picked in product(*(hands[victim].split() for victim in victims)):
        after = [hand.split() for hand in hands]
        for victim, card in zip(victims, picked, strict=True):
            after[victim].remove(card)
            after[0].append(card)
        found[result(after, top)] += 1
    return {key: Fraction(ways, found.total()) for key, ways in found.items()}


def dealt(deck: str, hand_size: int, seats: int = 2, refused: str = "") -> Chances:
    """Hands are dealt, then a card is turned up, again and again until it is not refused."""
    cards = deck.split()
    orders = list(permutations(range(len(cards)), hand_size * seats))
    found: dict[Result, Fraction] = {}
    for order in orders:
        hands = [[cards[place] for place in order[seat::seats]] for seat in range(seats)]
        left = [card for place, card in enumerate(cards) if place not in order]
        tops = [card for card in left if card != refused]
        for top in tops:
            key = result(hands, top)
            found[key] = found.get(key, Fraction()) + Fraction(1, len(orders) * len(tops))
    return found


def either(percent: int, happens: Chances, otherwise: Chances) -> Chances:
    found = {key: chance * Fraction(percent, 100) for key, chance in happens.items()}
    for key, chance in otherwise.items():
        found[key] = found.get(key, Fraction()) + chance * Fraction(100 - percent, 100)
    return found


# --- Positions -----------------------------------------------------------------------------------


def auruxxx(*hands: str, pile: str = "", discard: str = "r7", **more: Any) -> Callable[[], Match]:
    """A table whose deck is just the cards on it."""
    deck = Counter(" ".join([*hands, pile, discard]).split())
    settings = {"hand_size": 1, "deck": dict(deck), **more.pop("settings", {})}
    return partial(auruxxx_table, *hands, discard=discard, pile=pile, settings=settings, **more)


def gluecksgriff(
    *hands: str, pile: str = "", discard: str = "7", moves: Sequence[str] = (), **more: Any
) -> Callable[[], Match]:
    """The same; moves lead to the position."""
    front = " ".join(card for card in more.get("front", ()) if card)
    deck = Counter(" ".join([*hands, pile, discard, front]).split())
    counted = {card: count for card, count in deck.items() if not card.startswith("blank")}
    settings = {"hand_size": 1, "deck": counted, **more.pop("settings", {})}
    table = partial(
        gluecksgriff_table, *hands, discard=discard, pile=pile, settings=settings, **more
    )
    return lambda: play(table(), *moves)


ITALIAN = {"edition": "italian"}
DECK = "r0 r0 r0 r1 g5 gold gold"
TRICKS = "0 0 0 1 1 joker"
DEMAND: dict[str, Any] = {"phase": "demand", "demand": 4, "discard": "r9 r9 r9 r1 r2 r2"}
SERVED: dict[str, Any] = {"phase": "hourglass", "front": ["hourglass", None]}
AURUXXX = [
    Case(
        "A1.1, A1.2 deal, no Golden 12 on top",
        "deal: deal_hands, deal: turn_up",
        auruxxx("r0", "r0", pile="r0 r1 gold gold", discard="g5"),
        dealt(DECK, 1, refused="gold"),
    ),
    Case(
        "A7.5 deal of the next round",
        "deal: deal_hands, deal: turn_up",
        auruxxx("gold gold", "r0", pile="r0 r0 r1", discard="g5", settings={"rounds": 2}),
        dealt(DECK, 1, refused="gold"),
        "lay gold",
    ),
    Case(
        "A2.2 draw",
        "play: draw_from_pile",
        auruxxx("r5", "gold", pile="r0 r0 r0 r1"),
        drawn(("r5", "gold"), "r7", [0], "r0 r0 r0 r1"),
        "draw",
    ),
    Case(
        "A1.5 draw after the pile was turned over",
        "play: draw_from_pile",
        auruxxx("r5", "gold", discard="r0 r0 r0 r1 r7"),
        drawn(("r5", "gold"), "r7", [0], "", "r0 r0 r0 r1"),
        "draw",
    ),
    Case(
        "A4.1 cards demanded, more than are in the pile",
        "play: draw_from_pile",
        auruxxx("r5", "gold", pile="r3 gold", **DEMAND),
        drawn(("r5", "gold"), "r2", [0] * 4, "r3 gold", "r9 r9 r9 r1 r2"),
        "take",
    ),
    Case(
        "A4.1 several cards at once",
        "play: draw_from_pile",
        auruxxx("r5", "gold", pile="r0 r0 r0 r1 r1 r3", **DEMAND),
        drawn(("r5", "gold"), "r2", [0] * 4, "r0 r0 r0 r1 r1 r3"),
        "take",
    ),
    Case(
        "A5.5 theft from a hand",
        "lay_action_card: steal_card",
        auruxxx("steal r5", "r0 r0 r0 r1 gold"),
        stolen(("r5", "r0 r0 r0 r1 gold"), "steal", [1]),
        "steal",
    ),
    Case(
        "A5.3 Kartensegen: a theft from every other hand",
        "lay_action_card: steal_card",
        auruxxx("blessing r5", "r0 r0 r0 r1", "r1 gold gold"),
        stolen(("r5", "r0 r0 r0 r1", "r1 gold gold"), "blessing", [1, 2]),
        "blessing",
    ),
    Case(
        "A5.8 Karte ziehen of the Italian book: the next player draws",
        "lay_action_card: draw_from_pile",
        auruxxx("steal r5", "gold", "r6", pile="r0 r0 r0 r1", settings=ITALIAN),
        drawn(("r5", "gold", "r6"), "steal", [1], "r0 r0 r0 r1"),
        "steal",
    ),
    Case(
        "A5.8 Kartensegen of the Italian book: the others draw",
        "lay_action_card: draw_from_pile",
        auruxxx("blessing r5", "gold", "r6", pile="r0 r0 r0 r1", settings=ITALIAN),
        drawn(("r5", "gold", "r6"), "blessing", [1, 2], "r0 r0 r0 r1"),
        "blessing",
    ),
    Case(
        "A5.8 the same where everybody draws, and the pile is turned over",
        "lay_action_card: draw_from_pile",
        auruxxx(
            *("blessing r5", "gold", "r6"),
            pile="r0 r1",
            discard="r3 r3 r4 r7",
            settings={**ITALIAN, "blessing_draws": "all"},
        ),
        drawn(("r5", "gold", "r6"), "blessing", [1, 2, 0], "r0 r1", "r3 r3 r4 r7"),
        "blessing",
    ),
]
GLUECKSGRIFF = [
    Case(
        "G1.1, G1.3 deal, and a card is turned up",
        "deal: deal_hands, deal: take_from_pile",
        gluecksgriff("0 0", "0 1", pile="1", discard="joker", settings={"hand_size": 2}),
        dealt(TRICKS, 2),
    ),
    Case(
        "G8.8 deal of the next round",
        "deal: deal_hands, deal: take_from_pile",
        gluecksgriff("0", "0 1 joker", pile="1", discard="0", moves=["lay 0"]),
        dealt(TRICKS, 1),
        "knock",
    ),
    Case(
        "G4.1 draw",
        "end_with_card: draw_from_pile",
        gluecksgriff("5 9", "8", pile="0 0 0 1", moves=["lay 5"]),
        drawn(("9", "8"), "5", [0], "0 0 0 1"),
        "draw",
    ),
    Case(
        "G1.4 draw after the pile was turned over",
        "end_with_card: draw_from_pile",
        gluecksgriff("5 9", "8", discard="0 0 0 1", moves=["lay 5"]),
        drawn(("9", "8"), "5", [0], "", "0 0 0 1"),
        "draw",
    ),
    Case(
        "G5.7 late knock",
        "knock: pay_for_late_knock, pay_for_late_knock: draw_from_pile",
        gluecksgriff("7 9", "8", pile="0 0 0 1", moves=["lay 7"], settings=LATE),
        either(30, drawn(("9", "8"), "7", [0], "0 0 0 1"), drawn(("9", "8"), "7", [], "")),
        "knock",
    ),
    Case(
        "G6.4 late knock of who fends off",
        "answer: pay_for_late_knock, pay_for_late_knock: draw_from_pile",
        gluecksgriff("hourglass 9", "8", pile="0 0 0 1", settings=LATE, **SERVED),
        either(
            30,
            drawn(("9", "8"), "hourglass", [0], "0 0 0 1"),
            drawn(("9", "8"), "hourglass", [], ""),
        ),
        "fend off",
    ),
    Case(
        "G6.6 penalty card",
        "answer: draw_from_pile",
        gluecksgriff("5 9", "8", pile="0 0 0 1", settings={"penalties": True}, **SERVED),
        drawn(("5 9", "8"), "7", [0], "0 0 0 1"),
        "play on",
    ),
    Case(
        "G7.6 two cards for a wrong challenge",
        "challenge: draw_several",
        gluecksgriff("hand 9", "3 4", pile="0 0 0 1 1", moves=["hand", "open 3"], settings=BLUFF),
        drawn(("9", "3 4"), "hand", [0, 0], "0 0 0 1 1"),
        "challenge +1",
    ),
    Case(
        "G7.5 a hand filled up after a right challenge",
        "challenge: draw_several",
        gluecksgriff("hand 9", "3 5", pile="0 0 0 1 1", moves=["hand", "open 5"], settings=BLUFF),
        drawn(("9", "3"), "7", [1, 1, 1], "0 0 0 1 1"),
        "challenge +1",
    ),
    Case(
        "G7.3 the others draw after the Magic Hand",
        "put_magic_hand_away: draw_from_pile",
        gluecksgriff("hand 9", "3 6", "4 5", pile="0 0 0 1", moves=["hand"]),
        drawn(("9 3", "6", "5"), "hand", [1, 2], "0 0 0 1"),
        "pick +1",
    ),
    Case(
        "G7.2, G7.3 a card from the pile instead, then the others draw",
        "end_with_card: draw_from_pile, put_magic_hand_away: draw_from_pile",
        gluecksgriff("hand 9", "3 6", "4 5", pile="0 0 0 1 1", moves=["hand"]),
        drawn(("9", "6", "5"), "hand", [0, 1, 2], "0 0 0 1 1"),
        "draw",
    ),
    Case(
        "G7.5 the others draw after a card was grabbed",
        "put_magic_hand_away: draw_from_pile",
        gluecksgriff(
            *("hand 9", "3 5 6"),
            pile="0 0 0 1",
            moves=["hand", "open 6", "challenge +1"],
            settings={"bluffing": True},
        ),
        drawn(("9 3", "5"), "hand", [1], "0 0 0 1"),
        "grab 3",
    ),
    Case(
        "G9.9 cards by a blank, more than are in the pile",
        "play_effect: draw_several",
        gluecksgriff(
            *("blank1 9", "8"), pile="3", discard="5 5 6 7", settings=blanks("draw", amount=3)
        ),
        drawn(("9", "8"), "blank1", [1, 1, 1], "3", "5 5 6 7"),
        "blank1 +1",
    ),
]
CASES = [*AURUXXX, *GLUECKSGRIFF]


# --- Tests ---------------------------------------------------------------------------------------


def seen(game: Game, states: NDArray[Any]) -> list[Result]:
    """The hands and the card on top in each state."""
    rows = np.arange(len(states))
    tops = states["discards"][rows, states["discard_size"] - 1]
    flat = np.c_[states["hands"].reshape(len(states), -1), tops]
    different, places = np.unique(flat, axis=0, return_inverse=True)
    seats, found = int(states["num_players"][0]), []
    for row in different:
        hands = row[:-1].reshape(-1, len(game.cards))[:seats]
        names = [[game.cards[c] for c in np.repeat(np.arange(len(hand)), hand)] for hand in hands]
        found.append(result(names, game.cards[row[-1]]))
    return [found[place] for place in places.ravel()]


def position_of(case: Case) -> tuple[Match, NDArray[Any], int]:
    """The position of a case, its state before the action, (1,), and the action."""
    match = case.match()
    if case.move is None:
        return match, match.game.new_states(match.settings, 1), BEGIN
    return match, match._states.copy(), match.game.actions.index(case.move)


@pytest.mark.parametrize("multisets", [False, True])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_listed_probabilities_are_those_of_shuffled_cards(case: Case, multisets: bool) -> None:
    match, before, action = position_of(case)
    found = listed(
        *(match.game, match.settings, before, action),
        lambda after: seen(match.game, after),
        multisets=multisets,
    )
    assert found == pytest.approx({key: float(chance) for key, chance in case.chances.items()})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_sampled_frequencies_are_those_of_shuffled_cards(case: Case) -> None:
    match, before, action = position_of(case)
    chances = {key: float(chance) for key, chance in case.chances.items()}
    assert max(chances.values()) > 1.3 * min(chances.values())
    states = sample(match.game, match.settings, before, action, CASES.index(case))
    counts = Counter(seen(match.game, states))
    assert counts.keys() <= chances.keys()
    assert p_value(counts, chances) > 1e-4


def calls_for_chance(folder: Path) -> Iterator[str]:
    """Each call for chance in a game's rules: the function it is in, and what it calls.

    Functions that draw, pick or turn up cards for others are followed to where they are called.
    """
    functions: dict[str, list[str]] = {}
    for file in folder.glob("*.py"):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                functions[node.name] = [
                    ast.unparse(call.func).rpartition(".")[2]  # with or without its module
                    for call in ast.walk(node)
                    if isinstance(call, ast.Call)
                ]
    chance = {function.__name__ for function in FUNCTIONS}
    direct = {name for name, called in functions.items() if chance & {*called}}
    helpers = direct - {"deal"}
    for name, called in functions.items():
        for each in called:
            if each in helpers or (each in chance and name not in helpers):
                yield f"{name}: {each}"


@pytest.mark.parametrize("name", GAMES)
def test_every_call_for_chance_has_a_case(root: Path, name: str) -> None:
    """As many as the rules have calls, each with a position in which it matters."""
    cases = {"auruxxx": AURUXXX, "gluecksgriff": GLUECKSGRIFF}[name]
    tested = Counter(call for case in cases for call in case.calls.split(", "))
    called = Counter(calls_for_chance(root / "envs" / name))
    assert called.total() > 6
    assert called <= tested
    assert tested.keys() <= called.keys()
