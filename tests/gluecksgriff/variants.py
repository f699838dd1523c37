"""Settings for tests of what holds in every game."""

from dataclasses import replace

from goldgriff.envs.gluecksgriff.rules import Blank, Settings

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

VARIANTS = {
    "box": BOX,
    "everything": EVERYTHING,
    "readings": READINGS,
    "small": SMALL,
    "short": SHORT,
}
