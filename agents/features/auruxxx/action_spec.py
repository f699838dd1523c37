"""The features of an action of Auruxxx, as named fields; `actions.py` writes them.

First the situation, which all actions of a decision share, then the action itself: its kind, its
value to the expert, what is laid with it, what may follow on it, and what is then left of the hand.
"""

from ....envs.auruxxx.observation import OTHERS
from ....envs.auruxxx.rules import MAX_PLAYERS, Action
from ....envs.auruxxx.state import PHASES
from ....envs.engine.observation import Field, ObservationSpec

WHOLE = 240  # how a share of 1 is written

SITUATION = (
    Field("players", OTHERS, 1, 1, "number of players, one-hot from 2"),
    Field("sizes", MAX_PLAYERS, 160, 12, "cards in each hand"),
    Field("singles", MAX_PLAYERS, 1, 1, "whether that is one card"),
    Field("pairs", MAX_PLAYERS, 1, 1, "whether it is two"),
    Field("nearness", MAX_PLAYERS, WHOLE, WHOLE, "1 / (cards + 1)"),
    Field("crosses", MAX_PLAYERS, 3, 3, "passes each player used in this round"),
    Field("behind", OTHERS, 255, 16, "by how much each has fewer points, in twos"),
    Field("ahead", OTHERS, 255, 16, "by how much each has more"),
    Field("known", OTHERS, 160, 6, "cards known in each other hand"),
    Field("known_gold", OTHERS, 40, 1, "Golden 12s among them"),
    Field("figure", MAX_PLAYERS, 1, 1, "owner of the figure, one-hot"),
    Field("rounds_left", 1, 100, 2, "rounds to play after this one"),
    Field("last_round", 1, 1, 1, "whether there is none"),
    Field("pile", 1, 160, 100, "cards in the pile"),
    Field("phase", len(PHASES), 1, 1, "play, demand or multiple, one-hot"),
    Field("drawn", 1, 2, 2, "draws made in this turn"),
    Field("acted", 1, 1, 1, "1 when an action card was laid in this turn"),
    Field("demand", 1, 160, 4, "cards to be taken first"),
    Field("gold", 1, 40, 1, "own Golden 12s"),
    Field("golden", 1, 1, 1, "whether there are any"),
    Field("gold_elsewhere", 1, 40, 5, "Golden 12s of the box that are not"),
    Field("points", 1, 255, 60, "points of the own hand without them"),
    Field("twos", 1, 40, 1, "own 2s"),
    Field("zeros", 1, 40, 1, "own 0s"),
    Field("own_actions", 3, 40, 1, "own Kartensegen, Karte ziehen and Kartentausch"),
)
ACTION = (
    Field("base_action", 1, 1, 1, "whether it is the base policy's"),
    Field("turn", Action.LAY, 1, 1, "draw, pass, take or end, one-hot"),
    Field("swap", OTHERS, 1, 1, "swap with the player so many seats on, one-hot"),
    Field("special", 4, 1, 1, "Golden 12s, Kartensegen, Karte ziehen or Happy-Man card, one-hot"),
    Field("common", 1, 1, 1, "a number card or a 50"),
    Field("theirs", 1, 160, 12, "swap: cards in the other hand"),
    Field("theirs_single", 1, 1, 1, "whether that is one card"),
    Field("theirs_pair", 1, 1, 1, "whether it is two"),
    Field("theirs_gold", 1, 40, 1, "Golden 12s known among them"),
    Field("theirs_known", 1, WHOLE, WHOLE, "cards known among them / (cards + 1)"),
    Field("has_value", 1, 1, 1, "whether the expert has a value for it"),
    Field("value", 1, 255, 20, "that value, in points, where it is above 0"),
    Field("cost", 1, 255, 20, "where it is below"),
    Field("value_gap", 1, 255, 20, "how much less it is than the base action's, if that has one"),
    Field("each", 1, 50, 12, "lay: points of the card"),
    Field("two", 1, 1, 1, "whether it is a 2"),
    Field("two_golden", 1, 1, 1, "whether it is one, with a Golden 12 in the hand"),
    Field("zero", 1, 1, 1, "whether it is a 0"),
    Field("fifty", 1, 1, 1, "whether it is a 50"),
    Field("together", 1, 40, 1, "cards that go, with all that may join it"),
    Field("shed", 1, 255, 20, "their points"),
    Field("twins", 1, 40, 1, "other own cards of its number"),
    Field("copies", 1, 40, 1, "others of its very type"),
    Field("left", 1, 160, 12, "own cards after the action"),
    Field("left_golden", 1, 160, 4, "the same with a Golden 12 in the hand, else 0"),
    Field("all_golden", 1, 1, 1, "whether only Golden 12s are left"),
    Field("fitting", 1, 160, 4, "own cards that fit on the new top"),
    Field("fitting_share", 1, WHOLE, WHOLE, "the same / (own cards + 1)"),
    Field("stuck", 1, 1, 1, "whether there are none"),
    Field("most", 1, 40, 3, "how many of them could go at once"),
    Field("dearest", 1, 255, 25, "most points that could go at once"),
    Field("open", 1, WHOLE, WHOLE, "share of the unseen cards that fit on it"),
    Field("groups", 1, 40, 6, "lays for what is left: one a number, one a Happy-Man card"),
    Field("lonely", 1, 40, 6, "numbers of which one card is left"),
    Field("flexible", 1, 255, 42, "on how many tens of tops each card left fits, summed"),
    Field("lays", 1, 40, 6, "groups and action cards left"),
    Field("one_lay", 1, 1, 1, "whether that is one, with a Golden 12 in the hand"),
    Field("ready", 1, 1, 1, "whether it is none"),
    Field("no_action", 1, 1, 1, "whether no action card is left"),
)
ACTION_SPEC = ObservationSpec(*SITUATION, *ACTION)
