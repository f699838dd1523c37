"""Positions and game records that cannot be are refused, in a word that says why."""

import json
from typing import Any

import pytest

from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match, replay
from goldgriff.errors import PositionError, RecordError

from .tables import blanks, new_table, play, table_with
from .variants import BOX, a_record, everything

ONE_HOURGLASS = {"front": ["hourglass", None]}
WRONG_POSITIONS: dict[str, tuple[dict[str, Any], str]] = {
    "too many copies": ({"hands": [["7"] * 4, ["1"]]}, "5 times 7, the deck has 4"),
    "too many in all": ({"hands": [["hand"], ["hand"]]}, "2 times hand, the deck has 1"),
    "a blank too many": ({"hands": [["blank1"], ["1"]]}, "1 times blank1, the deck has 0"),
    "cards missing": ({"pile": []}, "the deck has"),
    "pile with too many": ({"pile": ["hand", "hand"]}, "the deck has"),
    "hourglass too many": (
        {"hands": [["hourglass"] * 4, ["1"]], "front": [None, "hourglass"]},
        "5 times hourglass",
    ),
    "unknown card": ({"hands": [["15"], ["1"]]}, r"hands\[0\]: unknown name '15'"),
    "card that is no name": ({"hands": [["1"], [7]]}, r"hands\[1\]: unknown name 7"),
    "unknown discard": ({"discard": ["7", "gold"]}, "discard: unknown name 'gold'"),
    "no such mover": (
        {"current_player": 2},
        "current_player must be a whole number from 0 to 1, not 2",
    ),
    "negative mover": ({"current_player": -1}, "current_player"),
    "mover in words": ({"current_player": "0"}, "current_player"),
    "mover a truth value": ({"current_player": True}, "current_player"),
    "mover a fraction": ({"current_player": 1.0}, "current_player"),
    "a hand too few": ({"hands": [["1"]]}, "hands must be a list of 2"),
    "a hand too many": ({"hands": [["1"], ["1"], ["1"]]}, "hands must be a list of 2"),
    "hands in one list": ({"hands": ["7", "8"]}, r"hands\[0\] must be a list"),
    "hands missing": ({"hands": None}, "hands is missing"),
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
    "unknown phase": ({"phase": "deal"}, "phase must be one of play, lay, extend"),
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
    "unknown field": ({"turn": 1}, "unknown field 'turn'"),
    "round 0": ({"round": 0}, "round"),
    "past the cap": ({"decisions": 3000}, "decisions"),
    "more capped rounds than rounds": ({"capped_rounds": 1}, "capped_rounds"),
    "half points": ({"scores": [0.5, 0]}, "scores"),
    "points in words": ({"scores": ["3", 0]}, "scores"),
    "negative points": ({"scores": [-1, 0]}, "scores"),
    "points not a number": ({"scores": [float("nan"), 0]}, "scores"),
    "scores of other seats": ({"scores": [0, 0, 0]}, "scores must be a list of 2"),
    "a game that is over": ({"scores": [101, 0]}, "over"),
}
RIGHT_POSITION = {"hands": [["8"], ["9"]], "discard": ["7"]}


@pytest.mark.parametrize(("wrong", "named"), WRONG_POSITIONS.values(), ids=WRONG_POSITIONS.keys())
def test_positions_that_cannot_arise_are_refused(wrong: dict[str, Any], named: str) -> None:
    match = new_table(num_players=2)
    play(match, next(move for move in match.legal if move.startswith("lay")))
    before = everything(match)
    with pytest.raises(PositionError, match=named):
        match.start(5, RIGHT_POSITION | wrong)
    assert everything(match) == before  # the game so far goes on
    match.play("draw")


BLUFFED = {"hands": [["8"], ["9"], ["6"]], "magician": 0, "phase": "magic", "current_player": 0}
WRONG_TABLES_OF_THREE: dict[str, dict[str, Any]] = {
    "laying open twice": {"phase": "open", "current_player": 1, "open": [None, "5", None]},
    "laying open before the one before": {
        "phase": "open",
        "current_player": 2,
        "open": [None, None, None],
    },
    "laid open too early": {"phase": "open", "current_player": 1, "open": [None, None, "5"]},
    "laying open for oneself": {"phase": "open", "current_player": 0},
    "an open card of the magician": {"open": ["5", "5", "5"]},
    "nothing laid open": {},
    "a deceiver who is the magician": {"phase": "prize", "open": [None, "5", "5"], "challenged": 0},
    "a Magic Hand after a call": {"open": [None, "5", "5"], "caller": 2, "turns_left": 2},
    "a last turn out of order": {"phase": "play", "magician": None, "caller": 1, "turns_left": 2},
    "too few last turns left": {"phase": "play", "magician": None, "caller": 2, "turns_left": 1},
}


@pytest.mark.parametrize("wrong", WRONG_TABLES_OF_THREE.values(), ids=WRONG_TABLES_OF_THREE.keys())
def test_tables_of_three_that_cannot_arise_are_refused(wrong: dict[str, Any]) -> None:
    match = new_table(num_players=3, bluffing=True)
    right = BLUFFED | {"discard": ["7"], "open": [None, "5", "5"]}
    match.start(5, right)
    given = BLUFFED | {"discard": ["7"]} | wrong
    with pytest.raises(PositionError, match="position: "):
        match.start(5, given)


WRONG_SECOND_PRIZES: dict[str, dict[str, Any]] = {
    "no open card taken": {"open": [None, "5", "5"]},
    "two open cards taken": {"open": [None, None, None]},
    "nobody challenged": {"challenged": None},
    "an empty hand challenged": {"hands": [["8"], [], ["6"]], "open": [None, "5", None]},
}


@pytest.mark.parametrize("wrong", WRONG_SECOND_PRIZES.values(), ids=WRONG_SECOND_PRIZES.keys())
def test_second_prizes_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    match = new_table(num_players=3, bluffing=True, challenge_prize="both")
    right = BLUFFED | {"discard": ["7"], "open": [None, None, "5"], "phase": "grab"}
    match.start(5, right | {"challenged": 1})
    assert match.legal == ["grab 9"]
    with pytest.raises(PositionError, match="position: "):
        match.start(5, right | {"challenged": 1} | wrong)


@pytest.mark.parametrize("junk", [[], "hands", 3, True, [["7"], ["8"]]], ids=repr)
def test_positions_that_are_no_objects_are_refused(junk: Any) -> None:
    with pytest.raises(PositionError, match="position must be an object"):
        Match(GLUECKSGRIFF, BOX).start(0, junk)


WRONG_RECORDS: dict[str, tuple[dict[str, Any], str]] = {
    "illegal first move": ({"moves": ["knock"]}, "move 1: 'knock' is not legal"),
    "unknown move": ({"moves": ["fly"]}, "move 1: unknown move 'fly'"),
    "moves by number": ({"moves": [0, 0]}, "moves must be a list of names"),
    "moves in one word": ({"moves": "draw"}, "moves must be a list of names"),
    "other version": ({"game": "gluecksgriff_v99"}, "unknown game 'gluecksgriff_v99'"),
    "replaced version": (
        {"game": "gluecksgriff_v0"},
        "record: gluecksgriff_v0 was replaced by gluecksgriff_v1, in which",
    ),
    "no version": ({"game": "gluecksgriff"}, "unknown game"),
    "other game": ({"game": "chess_v0"}, "unknown game 'chess_v0'"),
    "the other game's moves": ({"game": "auruxxx_v0", "settings": {}}, "move 1"),
    "game of no name": ({"game": 7}, "game"),
    "negative seed": ({"seed": -1}, "seed must be"),
    "seed too high": ({"seed": 2**64}, "seed must be"),
    "seed in words": ({"seed": "1"}, "seed must be"),
    "unknown setting": ({"settings": {"players": 2}}, "unknown setting 'players'"),
    "setting out of range": ({"settings": {"num_players": 6}}, "num_players"),
    "option in words": ({"settings": {"bluffing": "yes"}}, "bluffing"),
    "settings as a list": ({"settings": []}, "settings must be an object"),
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
    "wrong position": ({"position": {"hands": []}}, "hands"),
}


@pytest.mark.parametrize(("wrong", "named"), WRONG_RECORDS.values(), ids=WRONG_RECORDS.keys())
def test_wrong_game_records_are_refused(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(RecordError, match=named):
        replay(json.dumps(a_record() | wrong))


@pytest.mark.parametrize("name", ["game", "settings", "seed", "moves"])
def test_a_game_record_with_a_part_missing_is_refused(name: str) -> None:
    record = a_record()
    del record[name]
    with pytest.raises(RecordError, match=f"{name} is missing"):
        replay(json.dumps(record))


def test_a_move_after_the_end_is_named() -> None:
    match = play(table_with("7", "1", settings={"point_limit": 1}, scores=[0, 1]), "lay 7", "knock")
    record = json.loads(match.record())
    record["moves"].append("draw")
    with pytest.raises(RecordError, match="move 3: 'draw' comes after the end"):
        replay(json.dumps(record))


def test_blanks_are_part_of_the_record() -> None:
    match = new_table(3, num_players=2, **blanks("look", "joker", points=4))
    again = replay(match.record())
    assert again.settings == match.settings
    assert again.position() == match.position()
