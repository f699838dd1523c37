"""Small games for the tests of sessions and the page."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.session.session import Session

EFFECTS = ("plain", "joker", "sit_out", "draw", "look", "swap")
BLANKS = [{"name": e.title(), "points": 6, "effect": e, "amount": 2} for e in EFFECTS]
SMALL = {
    "auruxxx": {
        "num_players": 3, "rounds": 2, "hand_size": 4, "colours": 2, "highest_number": 5,
        "golden_twelves": 3, "blessings": 2, "steals": 2, "swaps": 2, "max_decisions": 80,
    },
    "gluecksgriff": {"num_players": 3, "point_limit": 20, "hand_size": 5, "max_decisions": 80},
}  # fmt: skip
CASES: list[tuple[Game, dict[str, Any]]] = [
    (AURUXXX, SMALL["auruxxx"]),
    (AURUXXX, {**SMALL["auruxxx"], "preset": "italian", "rounds": 1}),
    (
        GLUECKSGRIFF,
        {"num_players": 4, "point_limit": 60, "max_decisions": 80, "bluffing": True,
         "magic_hands": 4, "fend_off": "turn", "challenge_prize": "both", "joker_knock": "wide"},
    ),
    (
        GLUECKSGRIFF,
        {"num_players": 3, "point_limit": 60, "max_decisions": 80, "bluffing": True,
         "penalties": True, "late_knock": 30, "magic_hands": 4, "blanks": BLANKS},
    ),
]  # fmt: skip


def small_session(game: Game, rules: dict[str, Any], seed: int = 1, **options: Any) -> Session:
    """Return a session of a person on seat 0 and random players."""
    settings = game.settings.from_dict(rules)
    names = [PERSON, *["random"] * (settings.num_players - 1)]
    return Session(game, settings, names, seed, **options)


def play_by_chance(session: Session, seed: int = 0) -> Iterator[Session]:
    """Play to the end, the person by chance; yields before every move."""
    chance = np.random.default_rng(seed)
    while not session.over:
        yield session
        if session.your_turn:
            session.play(int(chance.choice(session.legal)))
        else:
            session.step()
