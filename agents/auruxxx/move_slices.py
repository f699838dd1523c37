"""The numbers that tell a move of Auruxxx, as named slices; `moves.py` writes them.

First the situation, which all moves of a decision share, then the move itself: its kind, what the
expert makes of it, what goes with it, what may follow on it, and what is then left of the hand.
"""

from goldgriff.envs.auruxxx.observe import OTHERS
from goldgriff.envs.auruxxx.rules import LAY, MAX_PLAYERS
from goldgriff.envs.auruxxx.state import PHASES
from goldgriff.envs.core.slices import Slice, Slices

WHOLE = 240  # how a share of 1 is written

SITUATION = (
    Slice("players", OTHERS, 1, 1, "number of players, one-hot from 2"),
    Slice("sizes", MAX_PLAYERS, 160, 12, "cards in each hand"),
    Slice("singles", MAX_PLAYERS, 1, 1, "whether that is one card"),
    Slice("pairs", MAX_PLAYERS, 1, 1, "whether it is two"),
    Slice("nearness", MAX_PLAYERS, WHOLE, WHOLE, "1 / (cards + 1)"),
    Slice("crosses", MAX_PLAYERS, 3, 3, "passes each player used in this round"),
    Slice("behind", OTHERS, 255, 16, "by how much each has fewer points, in twos"),
    Slice("ahead", OTHERS, 255, 16, "by how much each has more"),
    Slice("known", OTHERS, 160, 6, "cards known in each other hand"),
    Slice("known_gold", OTHERS, 40, 1, "Golden 12s among them"),
    Slice("figure", MAX_PLAYERS, 1, 1, "owner of the figure, one-hot"),
    Slice("rounds_left", 1, 100, 2, "rounds to play after this one"),
    Slice("last_round", 1, 1, 1, "whether there is none"),
    Slice("pile", 1, 160, 100, "cards in the pile"),
    Slice("phase", len(PHASES), 1, 1, "play, demand or multiple, one-hot"),
    Slice("drawn", 1, 2, 2, "draws made in this turn"),
    Slice("acted", 1, 1, 1, "1 when an action card was laid in this turn"),
    Slice("demand", 1, 160, 4, "cards to be taken first"),
    Slice("gold", 1, 40, 1, "own Golden 12s"),
    Slice("golden", 1, 1, 1, "whether there are any"),
    Slice("gold_elsewhere", 1, 40, 5, "Golden 12s of the box that are not"),
    Slice("points", 1, 255, 60, "points of the own hand without them"),
    Slice("twos", 1, 40, 1, "own 2s"),
    Slice("zeros", 1, 40, 1, "own 0s"),
    Slice("own_actions", 3, 40, 1, "own Kartensegen, Karte ziehen and Kartentausch"),
)
MOVE = (
    Slice("advised", 1, 1, 1, "whether the expert would do it"),
    Slice("turn", LAY, 1, 1, "draw, pass, take or end, one-hot"),
    Slice("swap", OTHERS, 1, 1, "swap with the player so many seats on, one-hot"),
    Slice("special", 4, 1, 1, "Golden 12s, Kartensegen, Karte ziehen or Happy-Man card, one-hot"),
    Slice("common", 1, 1, 1, "a number card or a 50"),
    Slice("theirs", 1, 160, 12, "swap: cards in the other hand"),
    Slice("theirs_single", 1, 1, 1, "whether that is one card"),
    Slice("theirs_pair", 1, 1, 1, "whether it is two"),
    Slice("theirs_gold", 1, 40, 1, "Golden 12s known among them"),
    Slice("theirs_known", 1, WHOLE, WHOLE, "cards known among them / (cards + 1)"),
    Slice("weighed", 1, 1, 1, "whether the expert has a worth for it"),
    Slice("worth", 1, 255, 20, "that worth, in points, where it is above 0"),
    Slice("cost", 1, 255, 20, "where it is below"),
    Slice("short", 1, 255, 20, "by how much it is less than the advised move's, if that has one"),
    Slice("each", 1, 50, 12, "lay: points of the card"),
    Slice("two", 1, 1, 1, "whether it is a 2"),
    Slice("two_golden", 1, 1, 1, "whether it is one, with a Golden 12 in the hand"),
    Slice("zero", 1, 1, 1, "whether it is a 0"),
    Slice("fifty", 1, 1, 1, "whether it is a 50"),
    Slice("together", 1, 40, 1, "cards that go, with all that may join it"),
    Slice("shed", 1, 255, 20, "their points"),
    Slice("twins", 1, 40, 1, "other own cards of its number"),
    Slice("copies", 1, 40, 1, "others of its very type"),
    Slice("left", 1, 160, 12, "own cards after the move"),
    Slice("left_golden", 1, 160, 4, "the same with a Golden 12 in the hand, else 0"),
    Slice("all_golden", 1, 1, 1, "whether only Golden 12s are left"),
    Slice("fitting", 1, 160, 4, "own cards that fit on the new top"),
    Slice("fitting_share", 1, WHOLE, WHOLE, "the same / (own cards + 1)"),
    Slice("stuck", 1, 1, 1, "whether there are none"),
    Slice("most", 1, 40, 3, "how many of them could go at once"),
    Slice("dearest", 1, 255, 25, "most points that could go at once"),
    Slice("open", 1, WHOLE, WHOLE, "share of the unseen cards that fit on it"),
    Slice("groups", 1, 40, 6, "lays for what is left: one a number, one a Happy-Man card"),
    Slice("lonely", 1, 40, 6, "numbers of which one card is left"),
    Slice("flexible", 1, 255, 42, "on how many tens of tops each card left fits, summed"),
    Slice("lays", 1, 40, 6, "groups and action cards left"),
    Slice("one_lay", 1, 1, 1, "whether that is one, with a Golden 12 in the hand"),
    Slice("ready", 1, 1, 1, "whether it is none"),
    Slice("no_action", 1, 1, 1, "whether no action card is left"),
)
MOVES = Slices(*SITUATION, *MOVE)

# Where parts begin; each rule writes its part in the order above.
SIZES = MOVES.start("sizes")
TABLE = MOVES.start("figure")
OWN = MOVES.start("gold")
ADVISED = MOVES.start("advised")
TURN = MOVES.start("turn")
SWAPPED = MOVES.start("swap")
SPECIAL = MOVES.start("special")
COMMON = MOVES.start("common")
THEIRS = MOVES.start("theirs")
WEIGHED = MOVES.start("weighed")
EACH = MOVES.start("each")
LEFT = MOVES.start("left")
FITTING = MOVES.start("fitting")
GROUPS = MOVES.start("groups")
