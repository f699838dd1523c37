"""Settings, random play and whole decks for tests of what holds in every game."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.rules import CARDS, Blank, Settings
from goldgriff.envs.match import Match

from .tables import new_table

BOX = Settings(num_players=4)
EVERYTHING = Settings(
    num_players=3,
    bluffing=True,
    penalties=True,
    late_knock=40,
    magic_hands=4,
    hand_size=5,
    copies=3,
    blanks=tuple(
        Blank(name=effect, points=points, effect=effect, amount=2)
        for points, effect in enumerate(("plain", "joker", "sit_out", "draw", "look", "swap"))
    ),
)
READINGS = replace(
    EVERYTHING, fend_off="turn", challenge_prize="both", joker_knock="wide", jokers=8, hourglasses=8
)
SMALL = Settings(
    num_players=3,
    copies=2,
    highest_value=5,
    jokers=2,
    hourglasses=3,
    magic_hands=2,
    hand_size=4,
    max_decisions=60,
)
SHORT = Settings(num_players=2, hand_size=2, copies=4, highest_value=4, max_decisions=20)
VARIANTS = pytest.mark.parametrize(
    "variant",
    [BOX, EVERYTHING, READINGS, SMALL, SHORT],
    ids=["box", "everything", "readings", "small", "short"],
)
# First words of the moves that lead into rare phases.
RARE = ("hand", "grab", "fend", "open", "challenge", "low", "high", "run", "play", "pick")


def random_play(match: Match, decisions: int, seed: int = 0) -> Iterator[str]:
    """Play random moves, rare ones preferred; the move is handed out after it was played."""
    rng = random.Random(seed)
    for _ in range(decisions):
        if match.over:
            return
        legal = match.legal
        rare = [move for move in legal if move.split(maxsplit=1)[0] in RARE]
        move = rng.choice(rare if rare and rng.random() < 0.5 else legal)
        match.play(move)
        yield move


def started(variant: Settings, seed: int = 0, reward: str = "points") -> Match:
    match = Match(GLUECKSGRIFF, variant, reward)
    match.start(seed)
    return match


def cards_on(match: Match) -> Counter[str]:
    """Every card of the deck, wherever it is."""
    position = match.position()
    piles = [*position["hands"], position["pile"], position["discard"]]
    cards = Counter(card for pile in piles for card in pile)
    cards.update(card for card in (*position["front"], *position["open"]) if card is not None)
    cards["hand"] += position["magician"] is not None  # on its way to the discard pile
    return +cards


def deck_of(variant: Settings) -> Counter[str]:
    return +Counter(dict(zip(CARDS, variant.card_counts(), strict=True)))


def everything(match: Match) -> tuple[Any, ...]:
    """All that a table holds, to see whether it changed."""
    arrays = (match.state, match.raw, match.mask, match.rewards)
    return (match.position(), list(match.moves), *(array.tobytes() for array in arrays))


def a_record() -> dict[str, Any]:
    match = new_table(5, num_players=2)
    for _ in range(4):
        match.play(next(m for m in match.legal if m.split()[0] in ("lay", "draw", "keep")))
    record: dict[str, Any] = json.loads(match.record())
    return record
