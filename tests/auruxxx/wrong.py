"""Positions and game records that cannot be, and words of the messages that refuse them."""

from typing import Any

RIGHT_POSITION = {"hands": [["r8"], ["r9"]], "discard": ["r7"]}
WRONG_POSITIONS: dict[str, tuple[dict[str, Any], str]] = {
    "too many copies": ({"hands": [["b7"] * 3, []]}, "3 times b7, the deck has 2"),
    "too many copies in all": ({"hands": [["gH"], ["gH"]]}, "2 times gH, the deck has 1"),
    "pile with too many": ({"pile": ["vH", "vH"]}, "2 times vH|0 times"),
    "unknown card": ({"hands": [["r13"], []]}, r"hands\[0\]\[0\]: unknown name 'r13'"),
    "unknown discard": ({"discard": ["r7", "joker"]}, r"discard\[1\]: unknown name 'joker'"),
    "no such owner": ({"figure": 2}, "figure"),
    "discard missing": ({"discard": None}, "discard"),
    "no discards": ({"discard": []}, "discard"),
    "golden on top": ({"discard": ["r7", "gold"]}, "no Golden 12"),
    "a cross too many": ({"crosses": [4, 0]}, "crosses"),
    "crosses of other seats": ({"crosses": [0, 0, 0]}, "crosses must be a list of 2"),
    "drawn three times": ({"drawn": 3}, "drawn"),
    "acted twice": ({"acted": 2}, "acted"),
    "demand in phase play": ({"demand": 2, "discard": ["r2"]}, "demand goes with phase"),
    "demand without 2s": ({"phase": "demand", "demand": 2}, "2 for each 2 laid on top"),
    "demand of more 2s than lie there": (
        {"phase": "demand", "demand": 4, "discard": ["r2", "r7", "g2"]},
        "2 for each 2 laid on top",
    ),
    "golden below the top": ({"discard": ["gold", "r7"]}, "no Golden 12"),
    "multiple on a card of one colour": (
        {"phase": "multiple", "hands": [["b7", "r1"], []], "discard": ["r1", "r7"]},
        "the top card must fit by number",
    ),
    "multiple on the card turned up": (
        {"phase": "multiple", "hands": [["b7", "r1"], []], "discard": ["r7"]},
        "the top card must fit by number",
    ),
    "demand of nothing": ({"phase": "demand"}, "demand of 2, 4"),
    "odd demand": (
        {"phase": "demand", "demand": 3, "discard": ["r2", "g2"]},
        "2 for each 2 laid on top",
    ),
    "negative demand": ({"phase": "demand", "demand": -2}, "demand"),
    "drawn before taking": (
        {"phase": "demand", "demand": 2, "discard": ["r2"], "drawn": 1},
        "drawn and acted",
    ),
    "acted before taking": (
        {"phase": "demand", "demand": 2, "discard": ["r2"], "acted": 1},
        "drawn and acted",
    ),
    "multiple with an empty hand": (
        {"phase": "multiple", "hands": [[], []]},
        "phase 'multiple' needs 2 cards in hand",
    ),
    "multiple with the last card": (
        {"phase": "multiple", "hands": [["b7"], ["r8", "r9"]]},
        "phase 'multiple' needs 2 cards in hand",
    ),
    "multiple of action cards": (
        {"phase": "multiple", "hands": [["swap", "swap"], []], "discard": ["swap"]},
        "phase 'multiple' needs .* a number on top",
    ),
    "multiple of Happy-Man cards": (
        {"phase": "multiple", "hands": [["gH", "r1"], []], "discard": ["rH"]},
        "phase 'multiple' needs .* a number on top",
    ),
    "2s without a demand": (
        {"phase": "multiple", "hands": [["b2", "r1"], []], "discard": ["r3", "g2"]},
        "laid 2s",
    ),
    "7s with a demand": (
        {"phase": "multiple", "hands": [["b7", "r1"], []], "demand": 2},
        "2 for each 2 laid on top",
    ),
    "round 4 of 3": ({"round": 4}, "round"),
    "quarter points": ({"scores": [0.25, 0]}, r"scores\[0\] must be multiples of 0.5"),
}
WRONG_RECORDS: dict[str, tuple[dict[str, Any], str]] = {
    "illegal third move": ({"moves": ["draw", "draw", "take"]}, "move 3: 'take' is not legal"),
    "illegal first move": ({"moves": ["end"]}, "move 1: 'end' is not legal"),
}
