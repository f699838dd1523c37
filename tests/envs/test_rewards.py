"""Rewards with the most players, to the last bit, in the compiled loops and at a table."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match

# Hands, what else the position holds, the last moves, what they add to the totals; the totals then.
AURUXXX_HANDS = ["gold gold", "r12 y50", "g0", "b50 v50 r50 g50", "rH swap steal", "y3"]
GLUECKSGRIFF_HANDS = ["7", "14 14 hand", "0", "joker joker hourglass 3", "13"]
ENDS: list[tuple[Game, list[str], dict[str, Any], list[str], list[float], list[float]]] = [
    (
        AURUXXX,
        AURUXXX_HANDS,
        {"crosses": [1, 3, 2, 0, 1, 0], "figure": 3, "scores": [5, -10.5, 0, 7, 0, -3]},
        ["lay gold"],
        [-5, 77, 10, 100, 80, 3],  # the figure halves 200
        [0, 66.5, 10, 107, 80, 0],
    ),
    (
        AURUXXX,
        AURUXXX_HANDS,
        {"crosses": [0, 0, 0, 0, 0, 3], "figure": 5},
        ["lay gold"],
        [-10, 62, 0, 200, 75, 9],
        [-10, 62, 0, 200, 75, 9],
    ),
    (
        GLUECKSGRIFF,
        GLUECKSGRIFF_HANDS,
        {"scores": [0, 53, 100, 99, 87]},
        ["lay 7", "knock"],
        [0, 48, 0, 48, -37],  # 100 is halved, who writes 0 halves nothing
        [0, 101, 100, 147, 50],
    ),
    (
        GLUECKSGRIFF,
        GLUECKSGRIFF_HANDS,
        {"scores": [100, 100, 100, 99, 88]},
        ["lay 7", "knock"],
        [0, 48, 0, 48, 13],
        [100, 148, 100, 147, 101],
    ),
]


def exactly(rewards: list[Fraction]) -> list[float]:
    return [float(np.float32(float(reward))) for reward in rewards]


def points(rise: list[float]) -> list[float]:
    """The others' mean less the own, in hundreds."""
    written = [Fraction(one) for one in rise]
    total, others = sum(written), len(rise) - 1
    return exactly([((total - own) / others - own) / 100 for own in written])


def win(totals: list[float]) -> list[float]:
    """1 for the only winner, -1 / (n - 1) for the others, (n / k - 1) / (n - 1) for each of k."""
    players, winners = len(totals), totals.count(min(totals))
    won = Fraction(players, winners) - 1
    shares = [won if total == min(totals) else Fraction(-1) for total in totals]
    return exactly([share / (players - 1) for share in shares])


def rank(totals: list[float]) -> list[float]:
    """Those who have more less those who have less, as a share of the others."""
    beaten = [sum((own < other) - (own > other) for other in totals) for own in totals]
    return exactly([Fraction(one, len(totals) - 1) for one in beaten])


@pytest.mark.parametrize("end", ENDS, ids=range(len(ENDS)))
@pytest.mark.parametrize("reward", ["points", "win", "rank"])
def test_rewards_are_exact(end: Any, reward: str) -> None:
    game, hands, fields, moves, rise, totals = end
    top = "r7" if game is AURUXXX else "7"
    position = {"hands": [hand.split() for hand in hands], "discard": [top], "round": 3, **fields}
    settings = game.settings.from_dict({"num_players": len(hands)})
    match, batch = Match(game, settings, reward), Batch(game, settings, 2, reward=reward)
    match.start(1, position)
    batch.start(np.array([1, 2]), position=position)
    for move in moves:
        match.play(move)
        batch.step([game.actions.index(move)] * 2)
    assert match.round_points == rise
    assert match.scores == totals
    assert match.over
    expected = points(rise) if reward == "points" else {"win": win, "rank": rank}[reward](totals)
    assert match.rewards.tolist() == expected
    assert batch.rewards.tolist() == [expected, expected]
