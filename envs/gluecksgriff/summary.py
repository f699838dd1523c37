"""What a hand of Glücksgriff is worth: its sets and runs, and what could be knocked."""

from ..engine.compile import device
from ..engine.observation import Field, ObservationSpec
from ..engine.protocol import RawObservations
from .piles import hand_points, jokers_in, play_top
from .rules import FEW_POINTS, VALUES, Card
from .state import State

SUMMARY_SPEC = ObservationSpec(
    Field("points", 1, 255, 20, "points"),
    Field("values", 1, VALUES, 5, "different values of trick cards"),
    Field("doubled", 1, 100, 3, "further cards of a value"),
    Field("in_runs", 1, VALUES, 4, "values in runs of three or more"),
    Field("runs", 1, VALUES, 1, "such runs"),
    Field("neighbours", 1, VALUES, 2, "values in runs of two"),
    Field("lonely", 1, VALUES, 3, "values with one card and no neighbour"),
    Field("jokers", 1, 40, 1, "jokers"),
    Field("special", 1, 40, 1, "hourglasses and Magic Hands"),
    Field("best_set", 1, 255, 20, "most points of one value"),
    Field("best_run", 1, 255, 30, "most points in one run"),
    Field("groups", 1, 100, 4, "turns to lay everything: runs, other values, special cards"),
    Field("on_top", 1, 40, 1, "cards of the value on top of the play"),
    Field("few_points", 1, 1, 1, "whether so few points are left that one may call"),
    Field("one_card", 1, 1, 1, "whether there is one card"),
    Field("two_cards", 1, 1, 1, "whether there are two"),
)

Item = SUMMARY_SPEC.places()


@device
def summarize(state: State, seat: int, numbers: RawObservations) -> None:
    """Write the summary of a hand, uint8 (SUMMARY_SPEC.size,)."""
    hand = state.hands[seat]
    values, doubled, in_runs, runs, neighbours, lonely = 0, 0, 0, 0, 0, 0
    best_set, best_run, streak, streak_points, single = 0, 0, 0, 0, False
    for value in range(VALUES + 1):
        count = int(hand[value]) if value < VALUES else 0
        if count > 0:
            values += 1
            doubled += count - 1
            best_set = max(best_set, count * value)
            streak += 1
            streak_points += value
            single = count == 1
            continue
        if streak >= 3:
            in_runs += streak
            runs += 1
            best_run = max(best_run, streak_points)
        elif streak == 2:
            neighbours += 2
        elif streak == 1 and single:
            lonely += 1
        streak, streak_points = 0, 0
    jokers = jokers_in(state, seat)
    special = int(hand[Card.HOURGLASS]) + int(hand[Card.MAGIC_HAND])
    points, on_top = hand_points(state, seat), 0
    if state.play_size > 0:
        top = int(state.discards[play_top(state)])
        if top < VALUES:
            on_top = int(hand[top])
    numbers[Item.POINTS] = min(points, 255)
    numbers[Item.VALUES] = values
    numbers[Item.DOUBLED] = min(doubled, 100)
    numbers[Item.IN_RUNS] = in_runs
    numbers[Item.RUNS] = runs
    numbers[Item.NEIGHBOURS] = neighbours
    numbers[Item.LONELY] = lonely
    numbers[Item.JOKERS] = min(jokers, 40)
    numbers[Item.SPECIAL] = min(special, 40)
    numbers[Item.BEST_SET] = min(best_set, 255)
    numbers[Item.BEST_RUN] = min(best_run, 255)
    numbers[Item.GROUPS] = min(runs + values - in_runs + special, 100)
    numbers[Item.ON_TOP] = min(on_top, 40)
    numbers[Item.FEW_POINTS] = points < FEW_POINTS
    numbers[Item.ONE_CARD] = state.hand_sizes[seat] == 1
    numbers[Item.TWO_CARDS] = state.hand_sizes[seat] == 2
