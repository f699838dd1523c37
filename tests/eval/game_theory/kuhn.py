"""Kuhn poker in sequence form, whose value and equilibria are known (Kuhn 1950)."""

from typing import Any

import numpy as np

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.eval.game_theory.tree import SequenceForm, Side

VALUE = -1 / 18  # of the first player, with stakes of 1
CHECK, BET = 0, 1  # or fold, call


def kuhn() -> SequenceForm:
    """Three cards, one for each of two players, who may bet once."""
    # First player: a state at the start and one after check and bet, for each card.
    first = Side(
        parents=np.array([0, 1, 0, 5, 0, 9]),
        starts=np.arange(1, 14, 2),
        actions=np.array([-1] + [CHECK, BET] * 6),
        nodes=np.zeros(6, np.int64),
    )
    # Second player: a state after check and one after bet, for each card.
    second = Side(
        parents=np.zeros(6, np.int64),
        starts=np.arange(1, 14, 2),
        actions=first.actions,
        nodes=first.nodes,
    )
    rows: list[Any] = []
    for a in range(3):
        for b in range(3):
            if a == b:
                continue
            sign = 1 if a > b else -1
            start, later = 1 + 4 * a, 3 + 4 * a
            checked, met = 1 + 4 * b, 3 + 4 * b
            rows += [
                (start, checked, sign),  # check, check
                (later, checked + 1, -1),  # check, bet, fold
                (later + 1, checked + 1, 2 * sign),  # check, bet, call
                (start + 1, met, 1),  # bet, fold
                (start + 1, met + 1, 2 * sign),  # bet, call
            ]
    table = np.array(rows)
    payoffs = np.stack([table[:, 2], -table[:, 2]], axis=1) / 6
    return SequenceForm(
        AURUXXX, AURUXXX.read_settings(None), 58, len(rows), (first, second), table[:, :2], payoffs
    )
