"""What holds in every game: conservation, masks, rewards, round trips, refusals."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import ACTIONS, CARDS, Settings
from goldgriff.envs.match import Match, replay
from goldgriff.errors import GoldgriffError, MoveError, PositionError, RecordError

from .tables import hand, new_table, play, table_with

BOX = Settings(num_players=4)
SMALL = Settings(
    num_players=3,
    colours=2,
    highest_number=3,
    hand_size=3,
    golden_twelves=4,
    edition="italian",
    blessing_draws="all",
    after_action="lay",
    max_decisions=60,
)
SHORT = Settings(num_players=2, hand_size=2, rounds=2, golden_twelves=5, max_decisions=20)
WEB = Settings(num_players=3, hand_size=5, edition="web")
VARIANTS = pytest.mark.parametrize(
    "variant", [BOX, SMALL, SHORT, WEB], ids=["box", "small", "short", "web"]
)


def random_play(match: Match, decisions: int, seed: int = 0) -> Iterator[str]:
    """Play random moves; the move is handed out after it was played."""
    rng = random.Random(seed)
    for _ in range(decisions):
        if match.over:
            return
        move = rng.choice(match.legal)
        match.play(move)
        yield move


def started(variant: Settings, seed: int = 0, reward: str = "points") -> Match:
    match = Match(AURUXXX, variant, reward)
    match.start(seed)
    return match


def cards_on(match: Match) -> Counter[str]:
    position = match.position()
    piles = [*position["hands"], position["pile"], position["discard"]]
    return Counter(card for pile in piles for card in pile)


def everything(match: Match) -> tuple[Any, ...]:
    """All that a table holds, to see whether it changed."""
    arrays = (match.state, match.raw, match.mask, match.rewards)
    return (match.position(), list(match.moves), *(array.tobytes() for array in arrays))


# --- Cards, masks, endings ----------------------------------------------------------------------
@VARIANTS
@pytest.mark.parametrize("seed", range(3))
def test_no_card_is_ever_lost_or_made(variant: Settings, seed: int) -> None:
    match = started(variant, seed)
    deck = cards_on(match)
    assert deck.total() == (160 if variant is BOX else deck.total())
    for move in random_play(match, 700, seed):
        assert match.over or cards_on(match) == deck, move


@VARIANTS
def test_the_mask_is_exactly_the_legal_set(variant: Settings) -> None:
    match = started(variant)
    for _ in random_play(match, 120):
        before, position = everything(match), match.position()
        assert [ACTIONS[action] for action in np.flatnonzero(match.mask)] == match.legal
        for action in np.flatnonzero(match.mask == 0):
            with pytest.raises(MoveError):
                match.play(int(action))
        assert everything(match) == before
        if match.over:
            return
        for move in match.legal:
            copy = Match(AURUXXX, variant)
            copy.start(1, position)
            copy.play(move)


@pytest.mark.parametrize(
    "move",
    [-1, len(ACTIONS), 10**6, 2**63, -(2**70), 1.5, None, "", "lay r13", "LAY r7", "lay", "swap"],
    ids=repr,
)
def test_what_is_no_move_is_refused_and_changes_nothing(move: Any) -> None:
    match = play(new_table(num_players=3), "draw")
    before = everything(match)
    with pytest.raises(MoveError):
        match.play(move)
    assert everything(match) == before


def test_a_refused_move_is_named_with_what_is_legal() -> None:
    match = table_with("r8 b0", "r1")
    with pytest.raises(MoveError, match=r"'lay b0' is not legal here.*draw, pass, lay r8"):
        match.play("lay b0")
    with pytest.raises(MoveError, match=r"unknown move 'fly'.*draw, pass, lay r8"):
        match.play("fly")


def test_nothing_is_legal_after_the_end() -> None:
    match = play(table_with("gold", "r1", settings={"rounds": 1}), "lay gold")
    assert (match.legal, int(match.mask.sum())) == ([], 0)
    for action in range(len(ACTIONS)):
        with pytest.raises(MoveError, match="after the end"):
            match.play(action)


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("preset", list(Settings.PRESETS))
def test_games_end_and_there_is_always_a_move_before(players: int, preset: str) -> None:
    fixed = Settings.fixed_players({"preset": preset})
    match = started(
        Settings.from_dict({"preset": preset, "num_players": fixed or players}), seed=players
    )
    for _ in random_play(match, 3 * 3000):
        assert match.over == (not match.legal)
    assert match.over
    assert sum(match.win_shares()) == pytest.approx(1)


# --- Rewards ------------------------------------------------------------------------------------
@VARIANTS
def test_points_are_the_others_mean_less_ones_own(variant: Settings) -> None:
    players, rounds = variant.num_players, 0
    for seed in range(5):
        match, scores = started(variant, seed), [0.0] * variant.num_players
        for _ in random_play(match, 4000, seed):
            gained = [new - old for new, old in zip(match.scores, scores, strict=True)]
            scores, total = match.scores, sum(gained)
            expected = [((total - own) / (players - 1) - own) / 100 for own in gained]
            assert match.rewards == pytest.approx(expected, abs=1e-6)
            assert float(match.rewards.sum()) == pytest.approx(0, abs=1e-5)
            rounds += any(gained)
    assert rounds >= 5


@VARIANTS
def test_winning_is_the_whole_reward_and_comes_last(variant: Settings) -> None:
    players = variant.num_players
    for seed in range(5):
        match = started(variant, seed, "win")
        for _ in random_play(match, 10_000, seed):
            if not match.over:
                assert not match.rewards.any()
        assert match.over
        best = min(match.scores)
        winners = match.scores.count(best)
        won, lost = (players / winners - 1) / (players - 1), -1 / (players - 1)
        expected = [won if score == best else lost for score in match.scores]
        assert match.rewards == pytest.approx(expected, abs=1e-6)
        assert float(match.rewards.sum()) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("hands", "scores", "points", "win"),
    [
        # Round points -5, 1, 3: the others' means are 2, -1, -2.
        (["gold", "r1", "r3"], [0, 0, 0], [0.07, -0.02, -0.05], [1, -0.5, -0.5]),
        (["gold", "r1", "r3"], [6, 0, 9], [0.07, -0.02, -0.05], [0.25, 0.25, -0.5]),
        (["gold", "r1", "r3"], [8, 2, 0], [0.07, -0.02, -0.05], [0, 0, 0]),
        (["gold", "r1"], [0, 0], [0.06, -0.06], [1, -1]),
        (["gold", "r1"], [9, 0], [0.06, -0.06], [-1, 1]),
        (["gold", "r1"], [6, 0], [0.06, -0.06], [0, 0]),
    ],
)
def test_rewards_worked_out_by_hand(
    hands: list[str], scores: list[float], points: list[float], win: list[float]
) -> None:
    for reward, expected in (("points", points), ("win", win)):
        match = table_with(*hands, round=3, scores=scores, reward=reward)
        play(match, "lay gold")
        assert match.rewards == pytest.approx(expected, abs=1e-6)


# --- Positions and game records there and back --------------------------------------------------
@VARIANTS
@pytest.mark.parametrize("seed", range(2))
def test_positions_go_through_json_unchanged(variant: Settings, seed: int) -> None:
    match, again = started(variant, seed), Match(AURUXXX, variant)
    phases = set()
    for move in random_play(match, 500, seed):
        if match.over:
            return
        position = match.position()
        again.start(99, json.loads(json.dumps(position)))
        assert again.position() == position, move
        assert again.legal == match.legal, move
        assert (again.mask == match.mask).all(), move
        assert again.scores == match.scores
        phases.add(position["phase"])
    assert phases == {"play", "demand", "multiple"}


@VARIANTS
def test_one_seed_is_one_game(variant: Settings) -> None:
    one, two, other = started(variant, 7), started(variant, 7), started(variant, 8)
    assert one.position() == two.position() != other.position()
    for move in random_play(one, 400):
        two.play(move)
        assert everything(one) == everything(two)


@VARIANTS
@pytest.mark.parametrize("decisions", [0, 1, 50, 10_000])
def test_game_records_replay_identically(variant: Settings, decisions: int) -> None:
    match = started(variant, 2**64 - 1)
    played = list(random_play(match, decisions))
    again = replay(match.record())
    assert again.record() == match.record()
    assert again.settings == variant
    assert again.state.tobytes() == match.state.tobytes()
    assert json.loads(match.record())["moves"] == played


def test_game_records_from_a_position_replay_identically() -> None:
    first = started(SMALL, 3)
    list(random_play(first, 40))
    match = Match(AURUXXX, SMALL)
    match.start(11, first.position())
    list(random_play(match, 100))
    again = replay(match.record())
    assert again.state.tobytes() == match.state.tobytes()


# --- What cannot be is refused ------------------------------------------------------------------
WRONG_POSITIONS: dict[str, tuple[dict[str, Any], str]] = {
    "too many copies": ({"hands": [["b7"] * 3, []]}, "3 times b7, the deck has 2"),
    "too many copies in all": ({"hands": [["gH"], ["gH"]]}, "2 times gH, the deck has 1"),
    "cards missing": ({"pile": []}, "the deck has"),
    "pile with too many": ({"pile": ["vH", "vH"]}, "2 times vH|0 times"),
    "unknown card": ({"hands": [["r13"], []]}, r"hands\[0\]: unknown name 'r13'"),
    "card that is no name": ({"hands": [[], [7]]}, r"hands\[1\]: unknown name 7"),
    "unknown discard": ({"discard": ["r7", "joker"]}, "discard: unknown name 'joker'"),
    "no such mover": (
        {"current_player": 2},
        "current_player must be a whole number from 0 to 1, not 2",
    ),
    "negative mover": ({"current_player": -1}, "current_player"),
    "mover in words": ({"current_player": "0"}, "current_player"),
    "mover a truth value": ({"current_player": True}, "current_player"),
    "mover a fraction": ({"current_player": 1.0}, "current_player"),
    "no such owner": ({"figure": 2}, "figure"),
    "a hand too few": ({"hands": [[]]}, "hands must be a list of 2"),
    "a hand too many": ({"hands": [[], [], []]}, "hands must be a list of 2"),
    "hands in one list": ({"hands": ["r7", "r8"]}, r"hands\[0\] must be a list"),
    "hands missing": ({"hands": None}, "hands is missing"),
    "discard missing": ({"discard": None}, "discard"),
    "no discards": ({"discard": []}, "discard"),
    "golden on top": ({"discard": ["r7", "gold"]}, "no Golden 12"),
    "unknown field": ({"turn": 1}, "unknown field 'turn'"),
    "a cross too many": ({"crosses": [4, 0]}, "crosses"),
    "crosses of other seats": ({"crosses": [0, 0, 0]}, "crosses must be a list of 2"),
    "drawn three times": ({"drawn": 3}, "drawn"),
    "acted twice": ({"acted": 2}, "acted"),
    "unknown phase": ({"phase": "deal"}, "phase must be one of play, demand, multiple"),
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
    "round 0": ({"round": 0}, "round"),
    "round 4 of 3": ({"round": 4}, "round"),
    "past the cap": ({"decisions": 3000}, "decisions"),
    "more capped rounds than rounds": ({"capped_rounds": 1}, "capped_rounds"),
    "quarter points": ({"scores": [0.25, 0]}, "scores must be multiples of 0.5"),
    "points in words": ({"scores": ["3", 0]}, "scores"),
    "points not a number": ({"scores": [float("nan"), 0]}, "scores"),
    "endless points": ({"scores": [float("inf"), 0]}, "scores"),
    "scores of other seats": ({"scores": [0, 0, 0]}, "scores must be a list of 2"),
}
RIGHT_POSITION = {"hands": [["r8"], ["r9"]], "discard": ["r7"]}


@pytest.mark.parametrize(("wrong", "named"), WRONG_POSITIONS.values(), ids=WRONG_POSITIONS.keys())
def test_positions_that_cannot_arise_are_refused(wrong: dict[str, Any], named: str) -> None:
    match = play(new_table(num_players=2), "draw")
    before = everything(match)
    with pytest.raises(PositionError, match=named):
        match.start(5, RIGHT_POSITION | wrong)
    assert everything(match) == before  # the game so far goes on
    match.play("draw")


@pytest.mark.parametrize("top", ["b6 r7", "b50 r50"])
def test_within_a_multiple_no_more_of_the_number_is_needed(top: str) -> None:
    match = table_with("b8 gold", "r9", discard=top, phase="multiple")
    assert match.legal == ["end"]
    assert play(match, "end").current_player == 1


@pytest.mark.parametrize("junk", [[], "hands", 3, True, [["r7"], ["r8"]]], ids=repr)
def test_positions_that_are_no_objects_are_refused(junk: Any) -> None:
    with pytest.raises(PositionError, match="position must be an object"):
        Match(AURUXXX, BOX).start(0, junk)


def a_record() -> dict[str, Any]:
    match = play(new_table(5, num_players=2, rounds=1), "draw", "draw", "end", "pass")
    record: dict[str, Any] = json.loads(match.record())
    return record


WRONG_RECORDS: dict[str, tuple[dict[str, Any], str]] = {
    "illegal third move": ({"moves": ["draw", "draw", "take"]}, "move 3: 'take' is not legal"),
    "illegal first move": ({"moves": ["end"]}, "move 1: 'end' is not legal"),
    "unknown move": ({"moves": ["draw", "fly"]}, "move 2: unknown move 'fly'"),
    "unknown field": ({"postion": {}}, "unknown field 'postion'"),
    "moves by number": ({"moves": [0, 0]}, "moves must be a list of names"),
    "moves in one word": ({"moves": "draw"}, "moves must be a list of names"),
    "other version": ({"game": "auruxxx_v99"}, "unknown game 'auruxxx_v99'; there are auruxxx_v0"),
    "no version": ({"game": "auruxxx"}, "auruxxx|unknown game"),
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


@pytest.mark.parametrize("text", ["", "{", "draw, draw, end", "[]", "7", "null"])
def test_what_is_no_game_record_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="record: not"):
        replay(text)


def test_a_move_after_the_end_is_named() -> None:
    match = play(table_with("gold", "r1", settings={"rounds": 1}), "lay gold")
    record = json.loads(match.record())
    record["moves"].append("draw")
    with pytest.raises(RecordError, match="move 2: 'draw' comes after the end"):
        replay(json.dumps(record))


# --- Anything at all: refused with a word, or played --------------------------------------------
LEAF = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([*CARDS, "play"])
BRANCH = LEAF | st.lists(LEAF, max_size=4) | st.dictionaries(st.text(max_size=5), LEAF)
JUNK = BRANCH | st.lists(BRANCH, max_size=4) | st.dictionaries(st.text(max_size=5), BRANCH)
FIELDS = sorted(new_table(num_players=2).position())


@settings(max_examples=300, deadline=None, derandomize=True)
@given(changes=st.dictionaries(st.sampled_from(FIELDS), JUNK, max_size=3), seed=st.integers(0, 9))
def test_a_changed_position_is_refused_or_played(changes: dict[str, Any], seed: int) -> None:
    match = play(new_table(seed, num_players=2, hand_size=3), "draw")
    try:
        match.start(seed, match.position() | changes)
    except PositionError:
        return
    deck = cards_on(match)
    for _ in random_play(match, 30, seed):
        assert match.over or cards_on(match) == deck


SMALL_NUMBERS = st.integers(-1, 4)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    hands=st.lists(st.lists(st.sampled_from(CARDS), max_size=4), min_size=2, max_size=2),
    discard=st.lists(st.sampled_from(CARDS), min_size=1, max_size=4),
    phase=st.sampled_from(["play", "play", "demand", "multiple"]),
    demand=SMALL_NUMBERS,
    drawn=SMALL_NUMBERS,
    acted=SMALL_NUMBERS,
    decisions=st.sampled_from([0, 2998, 2999]),
    seed=st.integers(0, 2**64 - 1),
)
def test_a_made_up_position_is_refused_or_played(
    hands: list[list[str]], discard: list[str], seed: int, **fields: Any
) -> None:
    match = Match(AURUXXX, Settings(num_players=2))
    try:
        match.start(seed, {"hands": hands, "discard": discard, **fields})
    except PositionError:
        return
    assert match.legal
    assert hand(match, 0) == sorted(hands[0])
    assert cards_on(match).total() == 160
    for _ in random_play(match, 20, seed % 100):
        assert match.over or cards_on(match).total() == 160


@settings(max_examples=200, deadline=None, derandomize=True)
@given(changes=st.dictionaries(st.sampled_from(["game", "settings", "seed", "moves"]), JUNK))
def test_a_changed_game_record_is_refused_or_replayed(changes: dict[str, Any]) -> None:
    try:
        match = replay(json.dumps(a_record() | changes))
    except GoldgriffError:
        return
    assert replay(match.record()).record() == match.record()


@pytest.mark.parametrize(("old", "new"), [("mover", "current_player"), ("deceiver", "challenged")])
def test_a_field_of_an_older_format_is_refused_with_its_new_name(old: str, new: str) -> None:
    position = {"hands": [["r1"], ["r2"]], "discard": ["r3"], old: 1}
    with pytest.raises(PositionError, match=f"unknown field '{old}'; it is now {new}"):
        Match(AURUXXX, AURUXXX.settings(num_players=2)).start(1, position)
