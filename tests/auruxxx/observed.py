"""What a seat should observe of a position of Auruxxx, worked out from the position alone."""

from typing import Any

from ..observations import counts, cut, one_hot

COLOURS = "rygbv"
CARDS = [
    *(f"{colour}{number}" for colour in COLOURS for number in range(13)),
    *(f"{colour}50" for colour in COLOURS),
    *(f"{colour}H" for colour in COLOURS),
    *("gold", "blessing", "steal", "swap"),
]


def expected(position: dict[str, Any], settings: Any, seat: int) -> dict[str, list[int]]:
    """The fields of the page, without the zeros at their ends."""
    players = settings.num_players
    clockwise = [(seat + steps) % players for steps in range(players)]
    figure, hands = position["figure"], position["hands"]
    known = [position["known"][seat][other] for other in clockwise[1:]]
    return {
        "hand": counts(hands[seat], CARDS),
        "top": one_hot(CARDS.index(position["discard"][-1]), 79),
        "discard": counts(position["discard"], CARDS),
        "hand_sizes": [len(hands[other]) for other in clockwise],
        "crosses": [position["crosses"][other] for other in clockwise],
        "scores": [cut((position["scores"][other] + 64) / 2, 255) for other in clockwise],
        "figure": one_hot(6 if figure is None else clockwise.index(figure), 7),
        "players": one_hot(players - 2, 5),
        "current_player": one_hot(clockwise.index(position["current_player"]), 6),
        "phase": one_hot(["play", "demand", "multiple"].index(position["phase"]), 3),
        "drawn": [position["drawn"]],
        "acted": [position["acted"]],
        "demand": [cut(position["demand"], 160)],
        "pile": [len(position["pile"])],
        "rounds_left": [max(settings.rounds - position["round"], 0)],
        "known": [len(cards) for cards in known],
        "known_gold": [cards.count("gold") for cards in known],
    }
