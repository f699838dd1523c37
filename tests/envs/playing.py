"""Random play, whole decks and records, for tests of what holds in every game."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match

from ..auruxxx import variants as auruxxx
from ..gluecksgriff import variants as gluecksgriff

GAMES = (AURUXXX, GLUECKSGRIFF)
BOTH_GAMES = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
SMALL = {AURUXXX: auruxxx.SMALL, GLUECKSGRIFF: gluecksgriff.SMALL}
SHORT = {AURUXXX: auruxxx.SHORT, GLUECKSGRIFF: gluecksgriff.SHORT}
VARIANTS = pytest.mark.parametrize(
    ("game", "variant"),
    [
        pytest.param(game, variant, id=f"{game.name}-{name}")
        for game, variants in ((AURUXXX, auruxxx.VARIANTS), (GLUECKSGRIFF, gluecksgriff.VARIANTS))
        for name, variant in variants.items()
    ],
)
# First words of the moves of Glücksgriff that lead into rare phases.
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


def started(game: Game, variant: Any, seed: int = 0, reward: str = "points") -> Match:
    match = Match(game, variant, reward)
    match.start(seed)
    return match


def cards_on(match: Match) -> Counter[str]:
    """Every card of the deck, wherever it is."""
    position = match.position()
    piles = [*position["hands"], position["pile"], position["discard"]]
    cards = Counter(card for pile in piles for card in pile)
    for name in ("front", "open"):  # of Glücksgriff
        cards.update(card for card in position.get(name, ()) if card is not None)
    cards["hand"] += position.get("magician") is not None  # on its way to the discard pile
    return +cards


def deck_of(game: Game, variant: Any) -> Counter[str]:
    return +Counter(dict(zip(game.cards, variant.card_counts(), strict=True)))


def everything(match: Match) -> tuple[Any, ...]:
    """All that a table holds, to see whether it changed."""
    arrays = (match.state, match.raw, match.mask, match.rewards)
    return (match.position(), list(match.moves), *(array.tobytes() for array in arrays))


def a_record(game: Game) -> dict[str, Any]:
    """The record of a game of two with four moves."""
    match = started(game, game.settings.from_dict({"num_players": 2}), 5)
    for _ in range(4):
        match.play(match.legal[0])
    record: dict[str, Any] = json.loads(match.record())
    return record
