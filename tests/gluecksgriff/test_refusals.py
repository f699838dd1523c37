"""Positions with open cards that cannot be are refused."""

from typing import Any

import pytest

from goldgriff.errors import PositionError

from .tables import new_table

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
