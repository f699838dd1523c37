"""Auruxxx: what tournaments count, from each decision and what it changed.

Rule ids refer to docs/rules/auruxxx.md.
"""

from ..engine.compile import device
from ..engine.deck import next_seat
from .rules import Action, Card
from .state import NOBODY, Numbers, State

ROUNDS_WON, GOLDEN_LAID, PASSES, SWAPS, GOLDEN_SWAPS, CARDS_TAKEN = range(6)
STATISTICS = {  # of each seat, in this order
    "rounds_won": "rounds won by laying Golden 12s (A6.2)",
    "golden_laid": "Golden 12s laid, which subtract points (A7.3)",
    "passes": "passes used, also to pass a demand on (A2.1, A4.2)",
    "swaps": "Kartentausch cards laid (A5.4)",
    "golden_swaps": "of them, swaps for a hand with more Golden 12s than the one given (A5.4)",
    "cards_taken": "cards that 2s made a player take (A4.1)",
}

BY_GOLDEN, BY_CAP, BY_TURNS = range(3)
ENDINGS = {  # of a round, in this order
    "golden_12": "a Golden 12 was laid (A6.2)",
    "cap": "the cap on decisions was reached (A8.1)",
    "turns": "the last turn that max_turns allows was over (A8.1)",
}


@device
def tally(before: State, action: int, after: State, counts: Numbers, endings: Numbers) -> None:
    """Count what one decision did; see `engine/rollouts.py`."""
    player = before.current_player
    if action == Action.PASS:
        counts[player, PASSES] += 1
    elif action == Action.TAKE:
        counts[player, CARDS_TAKEN] += before.demand
    elif action == Action.LAY + Card.GOLDEN:
        counts[player, GOLDEN_LAID] += int(before.hands[player, Card.GOLDEN])
    elif action >= Action.LAY_SWAP:
        other = next_seat(before, player, action - Action.LAY_SWAP + 1)
        counts[player, SWAPS] += 1
        if before.hands[other, Card.GOLDEN] > before.hands[player, Card.GOLDEN]:
            counts[player, GOLDEN_SWAPS] += 1
    if after.round_ended == 1:
        if after.capped_rounds > before.capped_rounds:
            endings[BY_CAP] += 1
        elif after.round_winner == NOBODY:
            endings[BY_TURNS] += 1
        else:
            endings[BY_GOLDEN] += 1
            counts[after.round_winner, ROUNDS_WON] += 1
