"""Positions and game records that cannot be are refused, in a word that says why."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match, replay
from goldgriff.errors import GoldgriffError, PositionError, RecordError

from ..auruxxx import wrong as auruxxx
from ..gluecksgriff import wrong as gluecksgriff
from .playing import (
    BOTH_GAMES,
    GAMES,
    SHORT,
    SMALL,
    a_record,
    cards_on,
    everything,
    random_play,
    started,
)

RIGHT: dict[Game, dict[str, Any]] = {
    AURUXXX: auruxxx.RIGHT_POSITION,
    GLUECKSGRIFF: gluecksgriff.RIGHT_POSITION,
}
Wrong = dict[str, tuple[dict[str, Any], str]]


def wrong_positions(game: Game) -> Wrong:
    """Fields that spoil the position RIGHT, and what is said of them."""
    hands = RIGHT[game]["hands"]
    own = {AURUXXX: auruxxx.WRONG_POSITIONS, GLUECKSGRIFF: gluecksgriff.WRONG_POSITIONS}[game]
    return own | {
        "cards missing": ({"pile": []}, "the deck has"),
        "card that is no name": ({"hands": [hands[0], [7]]}, r"hands\[1\]\[0\]: unknown name 7"),
        "no such mover": (
            {"current_player": 2},
            "current_player must be a whole number from 0 to 1, not 2",
        ),
        "negative mover": ({"current_player": -1}, "current_player"),
        "mover in words": ({"current_player": "0"}, "current_player"),
        "mover a truth value": ({"current_player": True}, "current_player"),
        "mover a fraction": ({"current_player": 1.0}, "current_player"),
        "a hand too few": ({"hands": hands[:1]}, "hands must be a list of 2"),
        "a hand too many": ({"hands": [*hands, []]}, "hands must be a list of 2"),
        "hands in one list": ({"hands": ["7", "8"]}, r"hands\[0\] must be a list"),
        "hands missing": ({"hands": None}, "hands is missing"),
        "unknown field": ({"turn": 1}, "unknown field 'turn'"),
        "unknown phase": ({"phase": "deal"}, "phase must be one of play, "),
        "round 0": ({"round": 0}, "round"),
        "past the cap": ({"decisions": 3000}, "decisions"),
        "more capped rounds than rounds": ({"capped_rounds": 1}, "capped_rounds"),
        "points in words": ({"scores": ["3", 0]}, "scores"),
        "points not a number": ({"scores": [float("nan"), 0]}, "scores"),
        "endless points": ({"scores": [float("inf"), 0]}, "scores"),
        "scores of other seats": ({"scores": [0, 0, 0]}, "scores must be a list of 2"),
    }


def wrong_records(game: Game) -> Wrong:
    """Fields that spoil a record, and what is said of them."""
    own = {AURUXXX: auruxxx.WRONG_RECORDS, GLUECKSGRIFF: gluecksgriff.WRONG_RECORDS}[game]
    return own | {
        "unknown move": ({"moves": ["fly"]}, "move 1: unknown move 'fly'"),
        "unknown field": ({"postion": {}}, "unknown field 'postion'"),
        "moves by number": ({"moves": [0, 0]}, "moves must be a list of names"),
        "moves in one word": ({"moves": "draw"}, "moves must be a list of names"),
        "other version": (
            {"game": f"{game.name}_v99"},
            f"unknown game '{game.name}_v99'; there are auruxxx_v0",
        ),
        "no version": ({"game": game.name}, "unknown game"),
        "other game": ({"game": "chess_v0"}, "unknown game 'chess_v0'"),
        "game of no name": ({"game": 7}, "game"),
        "negative seed": ({"seed": -1}, "seed must be"),
        "seed too high": ({"seed": 2**64}, "seed must be"),
        "seed in words": ({"seed": "1"}, "seed must be"),
        "seed a fraction": ({"seed": 1.0}, "seed must be"),
        "seed a truth value": ({"seed": True}, "seed must be"),
        "unknown setting": ({"settings": {"players": 2}}, "unknown setting 'players'"),
        "setting out of range": ({"settings": {"num_players": 7}}, "num_players"),
        "settings as a list": ({"settings": []}, "settings must be an object"),
        "wrong position": ({"position": {"hands": []}}, "hands"),
    }


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in GAMES for name in wrong_positions(game)]
)
def test_positions_that_cannot_arise_are_refused(game: Game, name: str) -> None:
    wrong, message = wrong_positions(game)[name]
    match = started(game, game.settings.from_dict({"num_players": 2}))
    match.play(match.legal[0])
    before = everything(match)
    with pytest.raises(PositionError, match=message):
        match.start(5, RIGHT[game] | wrong)
    assert everything(match) == before  # the game so far goes on
    match.play(match.legal[0])


@BOTH_GAMES
@pytest.mark.parametrize("junk", [[], "hands", 3, True, [["r7"], ["8"]]], ids=repr)
def test_positions_that_are_no_objects_are_refused(game: Game, junk: Any) -> None:
    with pytest.raises(PositionError, match="position must be an object"):
        Match(game, SMALL[game]).start(0, junk)


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in GAMES for name in wrong_records(game)]
)
def test_wrong_game_records_are_refused(game: Game, name: str) -> None:
    wrong, message = wrong_records(game)[name]
    with pytest.raises(RecordError, match=message):
        replay(json.dumps(a_record(game) | wrong))


@BOTH_GAMES
@pytest.mark.parametrize("name", ["game", "settings", "seed", "moves"])
def test_a_game_record_with_a_part_missing_is_refused(game: Game, name: str) -> None:
    record = a_record(game)
    del record[name]
    with pytest.raises(RecordError, match=f"{name} is missing"):
        replay(json.dumps(record))


@pytest.mark.parametrize("text", ["", "{", "draw, draw, end", "[]", "7", "null"])
def test_what_is_no_game_record_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="record: not"):
        replay(text)


@BOTH_GAMES
def test_a_move_after_the_end_is_named(game: Game) -> None:
    match = started(game, SHORT[game])
    moves = list(random_play(match, 10_000))
    record = json.loads(match.record())
    record["moves"].append("draw")
    with pytest.raises(RecordError, match=f"move {len(moves) + 1}: 'draw' comes after the end"):
        replay(json.dumps(record))


# --- Anything at all: refused with a word, or played --------------------------------------------
def junk(game: Game) -> st.SearchStrategy[Any]:
    """Values of any kind, with names of cards among them."""
    names = st.sampled_from([*game.cards, "play"])
    leaf = st.none() | st.booleans() | st.integers() | st.floats() | names
    text = st.text(max_size=5)
    branch = leaf | st.lists(leaf, max_size=4) | st.dictionaries(text, leaf)
    return branch | st.lists(branch, max_size=4) | st.dictionaries(text, branch)


JUNK = {game: junk(game) for game in GAMES}
FIELDS = {game: sorted(started(game, SMALL[game]).position()) for game in GAMES}


@BOTH_GAMES
@settings(max_examples=300, deadline=None, derandomize=True)
@given(data=st.data(), seed=st.integers(0, 9), moves=st.integers(0, 12))
def test_a_changed_position_is_refused_or_played(
    game: Game, data: st.DataObject, seed: int, moves: int
) -> None:
    changes = data.draw(st.dictionaries(st.sampled_from(FIELDS[game]), JUNK[game], max_size=3))
    match = started(game, SMALL[game], seed)
    list(random_play(match, moves, seed))
    try:
        match.start(seed, match.position() | changes)
    except PositionError:
        return
    deck = cards_on(match)
    for _ in random_play(match, 30, seed):
        assert match.over or cards_on(match) == deck


@BOTH_GAMES
@settings(max_examples=200, deadline=None, derandomize=True)
@given(data=st.data())
def test_a_changed_game_record_is_refused_or_replayed(game: Game, data: st.DataObject) -> None:
    fields = st.sampled_from(["game", "settings", "seed", "moves"])
    changes = data.draw(st.dictionaries(fields, JUNK[game]))
    try:
        match = replay(json.dumps(a_record(game) | changes))
    except GoldgriffError:
        return
    assert replay(match.record()).record() == match.record()
