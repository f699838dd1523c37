"""Positions and game records that cannot be, and words of the messages that refuse them."""

from typing import Any

RIGHT_POSITION = {"hands": [["8"], ["9"]], "discard": ["7"]}
ONE_HOURGLASS = {"front": ["hourglass", None]}
WRONG_POSITIONS: dict[str, tuple[dict[str, Any], str]] = {
    "too many copies": ({"hands": [["7"] * 4, ["1"]]}, "5 times 7, the deck has 4"),
    "too many in all": ({"hands": [["hand"], ["hand"]]}, "2 times hand, the deck has 1"),
    "a blank too many": ({"hands": [["blank1"], ["1"]]}, "1 times blank1, the deck has 0"),
    "pile with too many": ({"pile": ["hand", "hand"]}, "the deck has"),
    "hourglass too many": (
        {"hands": [["hourglass"] * 4, ["1"]], "front": [None, "hourglass"]},
        "5 times hourglass",
    ),
    "unknown card": ({"hands": [["15"], ["1"]]}, r"hands\[0\]\[0\]: unknown name '15'"),
    "unknown discard": ({"discard": ["7", "gold"]}, r"discard\[1\]: unknown name 'gold'"),
    "an empty hand": ({"hands": [["8"], []]}, "empty hand"),
    "an empty hand of the mover": ({"hands": [[], ["8"]]}, "empty hand"),
    "an empty hand under an hourglass": (
        {"hands": [[], ["8"]], "phase": "hourglass", **ONE_HOURGLASS},
        "position",
    ),
    "an empty hand of the other": (
        {"phase": "lay", "discard": ["5", "7"], "laid": 1, "laid_kind": "set", "hands": [[], []]},
        "empty hand",
    ),
    "no last play": ({"last_play": 0}, "last_play"),
    "no discards, but a last play": ({"discard": [], "last_play": 1}, "last_play"),
    "more last play than discards": ({"last_play": 2}, "last_play"),
    "negative last play": ({"last_play": -1}, "last_play"),
    "run of one card": ({"run": True}, "run"),
    "run of two cards": ({"run": True, "discard": ["7", "8"], "last_play": 2}, "run"),
    "run with a gap": ({"run": True, "discard": ["7", "8", "10"], "last_play": 3}, "no run"),
    "run downwards": ({"run": True, "discard": ["9", "8", "7"], "last_play": 3}, "no run"),
    "run of jokers": ({"run": True, "discard": ["joker"] * 3, "last_play": 3}, "no run"),
    "jokers side by side": (
        {"run": True, "discard": ["7", "joker", "joker", "10"], "last_play": 4},
        "no run",
    ),
    "run with a Magic Hand": ({"run": True, "discard": ["7", "hand", "9"], "last_play": 3}, "run"),
    "run beyond 14": ({"run": True, "discard": ["13", "14", "joker"], "last_play": 3}, "run"),
    "run below 0": ({"run": True, "discard": ["joker", "0", "1"], "last_play": 3}, "run"),
    "run in words": ({"run": "yes"}, "run"),
    "laid nothing": ({"phase": "lay"}, "laid"),
    "laid too early": ({"laid": 1, "laid_kind": "set"}, "laid"),
    "laid of no kind": ({"phase": "lay", "laid": 1, "last_play": 0}, "laid"),
    "laid of an unknown kind": ({"phase": "lay", "laid": 1, "laid_kind": "pair"}, "laid_kind"),
    "laid more than there is": ({"phase": "lay", "laid": 2, "laid_kind": "set"}, "laid"),
    "set of two values": (
        {"phase": "lay", "discard": ["5", "7", "8"], "laid": 2, "laid_kind": "set"},
        "set",
    ),
    "set of jokers": (
        {"phase": "lay", "discard": ["5", "joker", "joker"], "laid": 2, "laid_kind": "set"},
        "position",
    ),
    "set with an hourglass": (
        {"phase": "lay", "discard": ["5", "7", "hourglass"], "laid": 2, "laid_kind": "set"},
        "position",
    ),
    "special card that is none": (
        {"phase": "lay", "discard": ["5", "7"], "laid": 1, "laid_kind": "special"},
        "position",
    ),
    "set of a Magic Hand": (
        {"phase": "lay", "discard": ["5", "hand"], "laid": 1, "laid_kind": "set"},
        "position",
    ),
    "run of two, of which one is no joker": (
        {"phase": "lay", "discard": ["5", "hand", "8"], "laid": 2, "laid_kind": "run"},
        "run",
    ),
    "laying an extension": (
        {
            "phase": "lay",
            "discard": ["5", "6", "7", "8", "9"],
            "last_play": 3,
            "run": True,
            "laid": 2,
            "laid_kind": "high",
        },
        "position",
    ),
    "drawn after a run of two": (
        {
            "phase": "drawn",
            "discard": ["5", "6", "7"],
            "laid": 2,
            "laid_kind": "run",
            "drawn": "8",
        },
        "run",
    ),
    "laying open without bluffing": (
        {"phase": "open", "magician": 1, "current_player": 0},
        "position",
    ),
    "spoils without bluffing": (
        {"phase": "prize", "magician": 0, "challenged": 1, "open": [None, "5"]},
        "position",
    ),
    "a second prize without challenge_prize": (
        {"phase": "grab", "magician": 0, "challenged": 1, "open": [None, None]},
        "position",
    ),
    "playing on without the option": (
        {"must_sit_out": [1, 0], **ONE_HOURGLASS},
        "position",
    ),
    "drawn after a special card": (
        {
            "phase": "drawn",
            "discard": ["5", "hourglass"],
            "laid": 1,
            "laid_kind": "special",
            "drawn": "8",
        },
        "position",
    ),
    "extension of nothing": (
        {"phase": "extend", "discard": ["5", "7"], "laid": 1, "laid_kind": "high"},
        "position",
    ),
    "extension of the wrong kind": (
        {
            "phase": "extend",
            "discard": ["5", "6", "7", "8"],
            "last_play": 3,
            "run": True,
            "laid": 1,
            "laid_kind": "run",
        },
        "position",
    ),
    "drawn too early": ({"drawn": "8"}, "drawn"),
    "drawn nothing": (
        {"phase": "drawn", "discard": ["5", "7"], "laid": 1, "laid_kind": "set"},
        "drawn",
    ),
    "drawn and not in hand": (
        {
            "phase": "drawn",
            "discard": ["5", "7"],
            "laid": 1,
            "laid_kind": "set",
            "drawn": "4",
        },
        "drawn",
    ),
    "in front: a trick card": ({"front": [None, "7"]}, "front"),
    "in front: a Magic Hand": ({"front": [None, "hand"]}, "front"),
    "in front of a third": ({"front": [None, None, None]}, "front"),
    "in front of the mover": (ONE_HOURGLASS, "front"),
    "hourglass without one": ({"phase": "hourglass"}, "front"),
    "must sit out without one": ({"must_sit_out": [0, 1]}, "position"),
    "sat out twice": ({"sat_out": [2, 0]}, "sat_out"),
    "open without a Magic Hand": ({"open": [None, "5"]}, "position"),
    "Magic Hand of nobody": ({"phase": "magic", "open": [None, "5"]}, "magician"),
    "Magic Hand too early": ({"magician": 0}, "magician"),
    "Magic Hand of another": ({"phase": "magic", "magician": 1, "open": [None, "5"]}, "position"),
    "deceiver too early": ({"challenged": 1}, "challenged"),
    "spoils of nobody": (
        {"phase": "prize", "magician": 0, "open": [None, "5"]},
        "challenged",
    ),
    "turns left without a call": ({"turns_left": 1}, "turns_left"),
    "a call without turns left": ({"caller": 1}, "turns_left"),
    "more turns left than players": ({"caller": 1, "turns_left": 2}, "turns_left"),
    "the caller's turn": ({"caller": 0, "turns_left": 1}, "caller"),
    "no such caller": ({"caller": 2, "turns_left": 1}, "caller"),
    "layers of other cards": ({"layers": [0, 1]}, "layers"),
    "laid by a stranger": ({"layers": [2]}, "layers"),
    "half points": ({"scores": [0.5, 0]}, "scores"),
    "negative points": ({"scores": [-1, 0]}, "scores"),
    "a game that is over": ({"scores": [101, 0]}, "over"),
}
WRONG_RECORDS: dict[str, tuple[dict[str, Any], str]] = {
    "illegal first move": ({"moves": ["knock"]}, "move 1: 'knock' is not legal"),
    "the other game's moves": ({"game": "auruxxx_v0", "settings": {}}, "move 1"),
    "option in words": ({"settings": {"bluffing": "yes"}}, "bluffing"),
    "blanks in words": ({"settings": {"blanks": "plain"}}, "blank"),
    "blanks as a number": ({"settings": {"blanks": 3}}, "blank"),
    "blank of an unknown effect": (
        {"settings": {"blanks": [{"name": "a", "points": 1, "effect": "fly"}]}},
        "effect",
    ),
    "blank without points": ({"settings": {"blanks": [{"name": "a"}]}}, "blank"),
    "blank with something more": (
        {"settings": {"blanks": [{"name": "a", "points": 1, "effect": "draw", "n": 1}]}},
        "blank",
    ),
}
