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

from goldgriff.envs.core.errors import GoldgriffError, MoveError, PositionError, TranscriptError
from goldgriff.envs.core.table import Table, replay
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.rules import ACTIONS, CARDS, Blank, Settings

from .tables import blanks, hand, new_table, play, table_with

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
VARIANTS = pytest.mark.parametrize(
    "variant", [BOX, EVERYTHING, SMALL, SHORT], ids=["box", "everything", "small", "short"]
)
# First words of the moves that lead into rare phases.
RARE = ("hand", "fend", "open", "challenge", "low", "high", "run", "play", "pick")


def random_play(table: Table, decisions: int, seed: int = 0) -> Iterator[str]:
    """Play random moves, rare ones preferred; the move is handed out after it was played."""
    rng = random.Random(seed)
    for _ in range(decisions):
        if table.over:
            return
        legal = table.legal
        rare = [move for move in legal if move.split(maxsplit=1)[0] in RARE]
        move = rng.choice(rare if rare and rng.random() < 0.5 else legal)
        table.play(move)
        yield move


def started(variant: Settings, seed: int = 0, reward: str = "points") -> Table:
    table = Table(GLUECKSGRIFF, variant, reward)
    table.start(seed)
    return table


def cards_on(table: Table) -> Counter[str]:
    """Every card of the deck, wherever it is."""
    position = table.position()
    piles = [*position["hands"], position["pile"], position["discard"]]
    cards = Counter(card for pile in piles for card in pile)
    cards.update(card for card in (*position["front"], *position["open"]) if card is not None)
    cards["hand"] += position["magician"] is not None  # on its way to the discard pile
    return +cards


def deck_of(variant: Settings) -> Counter[str]:
    return +Counter(dict(zip(CARDS, variant.deck(), strict=True)))


def everything(table: Table) -> tuple[Any, ...]:
    """All that a table holds, to see whether it changed."""
    arrays = (table.state, table.features, table.mask, table.rewards)
    return (table.position(), list(table.moves), *(array.tobytes() for array in arrays))


# --- Cards, masks, endings ----------------------------------------------------------------------
@VARIANTS
@pytest.mark.parametrize("seed", range(3))
def test_no_card_is_ever_lost_or_made(variant: Settings, seed: int) -> None:
    table = started(variant, seed)
    deck = deck_of(variant)
    assert cards_on(table) == deck
    for move in random_play(table, 700, seed):
        assert table.over or cards_on(table) == deck, move


@VARIANTS
def test_the_mask_is_exactly_the_legal_set(variant: Settings) -> None:
    table = started(variant)
    for _ in random_play(table, 60):
        before, position = everything(table), table.position()
        assert [ACTIONS[action] for action in np.flatnonzero(table.mask)] == table.legal
        for action in np.flatnonzero(table.mask == 0):
            with pytest.raises(MoveError):
                table.play(int(action))
        assert everything(table) == before
        if table.over:
            return
        for move in table.legal:
            copy = Table(GLUECKSGRIFF, variant)
            copy.start(1, position)
            copy.play(move)


@pytest.mark.parametrize(
    "move",
    [-1, len(ACTIONS), 10**6, 2**63, -(2**70), 1.5, None, "", "lay 15", "LAY 7", "lay", "hand +1"],
    ids=repr,
)
def test_what_is_no_move_is_refused_and_changes_nothing(move: Any) -> None:
    table = new_table(num_players=3)
    play(table, next(move for move in table.legal if move.startswith("lay")))
    before = everything(table)
    with pytest.raises(MoveError):
        table.play(move)
    assert everything(table) == before


def test_a_refused_move_is_named_with_what_is_legal() -> None:
    table = table_with("8 0", "1 1")
    with pytest.raises(MoveError, match=r"'lay 9' is not legal here.*lay 0, lay 8"):
        table.play("lay 9")
    with pytest.raises(MoveError, match=r"unknown move 'fly'.*lay 0, lay 8"):
        table.play("fly")


def test_nothing_is_legal_after_the_end() -> None:
    table = play(table_with("7", "1 1", settings={"point_limit": 1}), "lay 7", "knock")
    assert (table.over, table.legal, int(table.mask.sum())) == (True, [], 0)
    for action in range(len(ACTIONS)):
        with pytest.raises(MoveError, match="after the end"):
            table.play(action)


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("variant", ["box", "options"])
def test_games_end_and_there_is_always_a_move_before(players: int, variant: str) -> None:
    options: dict[str, Any] = {"bluffing": True, "penalties": True, "late_knock": 50}
    extra = options if variant == "options" else {}
    table = started(Settings(num_players=players, max_decisions=400, **extra), seed=players)
    for _ in random_play(table, 100 * 400):
        assert table.over == (not table.legal)
    assert table.over
    assert sum(table.win_shares()) == pytest.approx(1)
    assert max(table.scores) > 100


# --- Rewards ------------------------------------------------------------------------------------
@VARIANTS
def test_points_are_the_others_mean_less_ones_own(variant: Settings) -> None:
    players, rounds = variant.num_players, 0
    for seed in range(5):
        table, scores = started(variant, seed), [0.0] * variant.num_players
        for _ in random_play(table, 3000, seed):
            gained = [new - old for new, old in zip(table.scores, scores, strict=True)]
            scores, total = table.scores, sum(gained)
            expected = [((total - own) / (players - 1) - own) / 100 for own in gained]
            assert table.rewards == pytest.approx(expected, abs=1e-6)
            assert float(table.rewards.sum()) == pytest.approx(0, abs=1e-5)
            rounds += any(gained)
    assert rounds >= 5


@VARIANTS
def test_winning_is_the_whole_reward_and_comes_last(variant: Settings) -> None:
    players = variant.num_players
    for seed in range(5):
        table = started(variant, seed, "win")
        for _ in random_play(table, 10_000, seed):
            if not table.over:
                assert not table.rewards.any()
        assert table.over
        best = min(table.scores)
        winners = table.scores.count(best)
        won, lost = (players / winners - 1) / (players - 1), -1 / (players - 1)
        expected = [won if score == best else lost for score in table.scores]
        assert table.rewards == pytest.approx(expected, abs=1e-6)
        assert float(table.rewards.sum()) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("others", "scores", "points", "win"),
    [
        # Round points 0, 4, 10: the others' means are 7, 5, 2.
        (["4", "10"], [0, 0, 0], [0.07, 0.01, -0.08], [0, 0, 0]),
        (["4", "10"], [0, 0, 95], [0.07, 0.01, -0.08], [1, -0.5, -0.5]),
        (["4", "10"], [20, 16, 95], [0.07, 0.01, -0.08], [0.25, 0.25, -0.5]),
        # 50 becomes 25 (G8.7): the totals rise by 0, 4 and -15.
        (["4", "10"], [0, 0, 40], [-0.055, -0.115, 0.17], [0, 0, 0]),
        (["6"], [0, 0], [0.06, -0.06], [0, 0]),
        (["6"], [0, 95], [0.06, -0.06], [1, -1]),
        (["6"], [100, 95], [0.06, -0.06], [1, -1]),
    ],
)
def test_rewards_worked_out_by_hand(
    others: list[str], scores: list[int], points: list[float], win: list[float]
) -> None:
    for reward, expected in (("points", points), ("win", win)):
        table = play(table_with("7", *others, scores=scores, reward=reward), "lay 7", "knock")
        assert table.rewards == pytest.approx(expected, abs=1e-6)


# --- Positions and game records there and back --------------------------------------------------
@VARIANTS
@pytest.mark.parametrize("seed", range(2))
def test_positions_go_through_json_unchanged(variant: Settings, seed: int) -> None:
    table, again = started(variant, seed), Table(GLUECKSGRIFF, variant)
    phases = set[str]()
    for number in range(12):
        table.start(seed * 100 + number)
        for move in random_play(table, 200, number):
            if table.over:
                break
            position = table.position()
            again.start(99, json.loads(json.dumps(position)))
            assert again.position() == position, move
            assert again.legal == table.legal, move
            assert (again.mask == table.mask).all(), move
            assert again.scores == table.scores
            phases.add(position["phase"])
    wanted = {"play", "lay", "drawn", "hourglass", "giving", "magic"}
    if variant is EVERYTHING:
        wanted |= {"open", "spoils"}
    assert phases >= wanted


@VARIANTS
def test_games_go_on_alike_from_a_position(variant: Settings) -> None:
    """The same moves mean the same from a position as in the game it was taken from."""
    rng = random.Random(5)
    for seed in range(30):
        table, again = started(variant, seed), Table(GLUECKSGRIFF, variant)
        list(random_play(table, rng.randrange(40), seed))
        while not table.over:
            again.start(3, table.position())
            quiet = [m for m in table.legal if m.split()[0] in ("lay", "add", "run", "low", "high")]
            if not quiet:
                break
            move = rng.choice(quiet)
            table.play(move)
            again.play(move)
            if table.state.round_ended:
                break
            assert again.position() == table.position(), move
            assert again.legal == table.legal, move


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
    table = started(variant, 2**64 - 1)
    played = list(random_play(table, decisions))
    again = replay(table.transcript())
    assert again.transcript() == table.transcript()
    assert again.settings == variant
    assert again.state.tobytes() == table.state.tobytes()
    assert json.loads(table.transcript())["moves"] == played


def test_game_records_from_a_position_replay_identically() -> None:
    first = started(SMALL, 3)
    list(random_play(first, 40))
    table = Table(GLUECKSGRIFF, SMALL)
    table.start(11, first.position())
    list(random_play(table, 100))
    again = replay(table.transcript())
    assert again.state.tobytes() == table.state.tobytes()


# --- What cannot be is refused ------------------------------------------------------------------
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
    "no such mover": ({"mover": 2}, "mover must be a whole number from 0 to 1, not 2"),
    "negative mover": ({"mover": -1}, "mover"),
    "mover in words": ({"mover": "0"}, "mover"),
    "mover a truth value": ({"mover": True}, "mover"),
    "mover a fraction": ({"mover": 1.0}, "mover"),
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
        {"phase": "lay", "discard": ["5", "7"], "laid": 1, "laid_kind": "same", "hands": [[], []]},
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
    "laid too early": ({"laid": 1, "laid_kind": "same"}, "laid"),
    "laid of no kind": ({"phase": "lay", "laid": 1, "last_play": 0}, "laid"),
    "laid of an unknown kind": ({"phase": "lay", "laid": 1, "laid_kind": "set"}, "laid_kind"),
    "laid more than there is": ({"phase": "lay", "laid": 2, "laid_kind": "same"}, "laid"),
    "set of two values": (
        {"phase": "lay", "discard": ["5", "7", "8"], "laid": 2, "laid_kind": "same"},
        "set",
    ),
    "set of jokers": (
        {"phase": "lay", "discard": ["5", "joker", "joker"], "laid": 2, "laid_kind": "same"},
        "position",
    ),
    "set with an hourglass": (
        {"phase": "lay", "discard": ["5", "7", "hourglass"], "laid": 2, "laid_kind": "same"},
        "position",
    ),
    "special card that is none": (
        {"phase": "lay", "discard": ["5", "7"], "laid": 1, "laid_kind": "special"},
        "position",
    ),
    "set of a Magic Hand": (
        {"phase": "lay", "discard": ["5", "hand"], "laid": 1, "laid_kind": "same"},
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
        {"phase": "open", "magician": 1, "mover": 0},
        "position",
    ),
    "spoils without bluffing": (
        {"phase": "spoils", "magician": 0, "deceiver": 1, "open": [None, "5"]},
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
        {"phase": "drawn", "discard": ["5", "7"], "laid": 1, "laid_kind": "same"},
        "drawn",
    ),
    "drawn and not in hand": (
        {
            "phase": "drawn",
            "discard": ["5", "7"],
            "laid": 1,
            "laid_kind": "same",
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
    "deceiver too early": ({"deceiver": 1}, "deceiver"),
    "spoils of nobody": (
        {"phase": "spoils", "magician": 0, "open": [None, "5"]},
        "deceiver",
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
    table = new_table(num_players=2)
    play(table, next(move for move in table.legal if move.startswith("lay")))
    before = everything(table)
    with pytest.raises(PositionError, match=named):
        table.start(5, RIGHT_POSITION | wrong)
    assert everything(table) == before  # the game so far goes on
    table.play("draw")


BLUFFED = {"hands": [["8"], ["9"], ["6"]], "magician": 0, "phase": "magic", "mover": 0}
WRONG_TABLES_OF_THREE: dict[str, dict[str, Any]] = {
    "laying open twice": {"phase": "open", "mover": 1, "open": [None, "5", None]},
    "laying open before the one before": {"phase": "open", "mover": 2, "open": [None, None, None]},
    "laid open too early": {"phase": "open", "mover": 1, "open": [None, None, "5"]},
    "laying open for oneself": {"phase": "open", "mover": 0},
    "an open card of the magician": {"open": ["5", "5", "5"]},
    "nothing laid open": {},
    "a deceiver who is the magician": {"phase": "spoils", "open": [None, "5", "5"], "deceiver": 0},
    "a Magic Hand after a call": {"open": [None, "5", "5"], "caller": 2, "turns_left": 2},
    "a last turn out of order": {"phase": "play", "magician": None, "caller": 1, "turns_left": 2},
    "too few last turns left": {"phase": "play", "magician": None, "caller": 2, "turns_left": 1},
}


@pytest.mark.parametrize("wrong", WRONG_TABLES_OF_THREE.values(), ids=WRONG_TABLES_OF_THREE.keys())
def test_tables_of_three_that_cannot_arise_are_refused(wrong: dict[str, Any]) -> None:
    table = new_table(num_players=3, bluffing=True)
    right = BLUFFED | {"discard": ["7"], "open": [None, "5", "5"]}
    table.start(5, right)
    given = BLUFFED | {"discard": ["7"]} | wrong
    with pytest.raises(PositionError, match="position: "):
        table.start(5, given)


@pytest.mark.parametrize("junk", [[], "hands", 3, True, [["7"], ["8"]]], ids=repr)
def test_positions_that_are_no_objects_are_refused(junk: Any) -> None:
    with pytest.raises(PositionError, match="position must be an object"):
        Table(GLUECKSGRIFF, BOX).start(0, junk)


def a_record() -> dict[str, Any]:
    table = new_table(5, num_players=2)
    for _ in range(4):
        table.play(next(m for m in table.legal if m.split()[0] in ("lay", "draw", "keep")))
    record: dict[str, Any] = json.loads(table.transcript())
    return record


WRONG_RECORDS: dict[str, tuple[dict[str, Any], str]] = {
    "illegal first move": ({"moves": ["knock"]}, "move 1: 'knock' is not legal"),
    "unknown move": ({"moves": ["fly"]}, "move 1: unknown move 'fly'"),
    "moves by number": ({"moves": [0, 0]}, "moves must be a list of names"),
    "moves in one word": ({"moves": "draw"}, "moves must be a list of names"),
    "other version": ({"game": "gluecksgriff_v99"}, "unknown game 'gluecksgriff_v99'"),
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
    with pytest.raises(TranscriptError, match=named):
        replay(json.dumps(a_record() | wrong))


@pytest.mark.parametrize("name", ["game", "settings", "seed", "moves"])
def test_a_game_record_with_a_part_missing_is_refused(name: str) -> None:
    record = a_record()
    del record[name]
    with pytest.raises(TranscriptError, match=f"{name} is missing"):
        replay(json.dumps(record))


def test_a_move_after_the_end_is_named() -> None:
    table = play(table_with("7", "1", settings={"point_limit": 1}, scores=[0, 1]), "lay 7", "knock")
    record = json.loads(table.transcript())
    record["moves"].append("draw")
    with pytest.raises(TranscriptError, match="move 3: 'draw' comes after the end"):
        replay(json.dumps(record))


def test_blanks_are_part_of_the_record() -> None:
    table = new_table(3, num_players=2, **blanks("look", "joker", points=4))
    again = replay(table.transcript())
    assert again.settings == table.settings
    assert again.position() == table.position()


# --- Anything at all: refused with a word, or played --------------------------------------------
LEAF = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([*CARDS, "play"])
BRANCH = LEAF | st.lists(LEAF, max_size=4) | st.dictionaries(st.text(max_size=5), LEAF)
JUNK = BRANCH | st.lists(BRANCH, max_size=4) | st.dictionaries(st.text(max_size=5), BRANCH)
FIELDS = sorted(new_table(num_players=2).position())


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    changes=st.dictionaries(st.sampled_from(FIELDS), JUNK, max_size=3),
    seed=st.integers(0, 9),
    moves=st.integers(0, 12),
)
def test_a_changed_position_is_refused_or_played(
    changes: dict[str, Any], seed: int, moves: int
) -> None:
    table = started(SMALL, seed)
    list(random_play(table, moves, seed))
    try:
        table.start(seed, table.position() | changes)
    except PositionError:
        return
    deck = cards_on(table)
    for _ in random_play(table, 30, seed):
        assert table.over or cards_on(table) == deck


PHASES = ("play", "lay", "extend", "drawn", "hourglass", "giving", "open", "magic", "spoils")
CHANGEABLE = [
    name for name in FIELDS if name not in ("pile", "scores", "round", "decisions", "capped_rounds")
]
NAMES = st.sampled_from(["0", "1", "2", "3", "4", "5", "joker", "hourglass", "hand"])
SEATS = st.none() | st.integers(0, 2)
COUNTS = st.integers(0, 4)


def none_or_names(size: int) -> st.SearchStrategy[list[str | None]]:
    return st.lists(st.none() | NAMES, min_size=size, max_size=size)


@settings(max_examples=600, deadline=None, derandomize=True)
@given(
    position=st.fixed_dictionaries(
        {
            "hands": st.lists(st.lists(NAMES, max_size=4), min_size=3, max_size=3),
            "discard": st.lists(NAMES, max_size=5),
        },
        optional={
            "phase": st.sampled_from(PHASES),
            "last_play": COUNTS,
            "run": st.booleans(),
            "laid": COUNTS,
            "laid_kind": st.sampled_from([None, "same", "run", "low", "high", "special"]),
            "laid_low": COUNTS,
            "drawn": st.none() | NAMES,
            "mover": st.integers(0, 2),
            "front": none_or_names(3),
            "sat_out": st.lists(st.integers(0, 1), min_size=3, max_size=3),
            "must_sit_out": st.lists(st.integers(0, 1), min_size=3, max_size=3),
            "open": none_or_names(3),
            "magician": SEATS,
            "deceiver": SEATS,
            "caller": SEATS,
            "turns_left": COUNTS,
            "scores": st.lists(st.integers(0, 100), min_size=3, max_size=3),
        },
    ),
    bluffing=st.booleans(),
    seed=st.integers(0, 2**64 - 1),
)
def test_a_made_up_position_is_refused_or_played(
    position: dict[str, Any], bluffing: bool, seed: int
) -> None:
    variant = Settings.from_dict({**SMALL.to_dict(), "bluffing": bluffing})
    table = Table(GLUECKSGRIFF, variant)
    try:
        table.start(seed, position)
    except PositionError:
        return
    assert table.legal
    assert hand(table, 0) == sorted(position["hands"][0])
    deck = deck_of(variant)
    assert cards_on(table) == deck
    for _ in random_play(table, 20, seed % 100):
        assert table.over or cards_on(table) == deck


def altered(name: str, position: dict[str, Any], rng: random.Random) -> Any:
    """Another value of a field, of the right kind."""
    seats = [None, 0, 1, 2]
    names = [None, "1", "2", "5", "joker", "hourglass", "hand", "blank2", "blank3"]
    some: dict[str, list[Any]] = {
        **dict.fromkeys(("magician", "deceiver", "caller"), seats),
        **{field: [0, 1, 2, 3] for field in ("laid", "last_play", "laid_low", "turns_left")},
        "mover": [0, 1, 2],
        "run": [False, True],
        "laid_kind": [None, "same", "run", "low", "high", "special"],
        "phase": [*PHASES],
        "drawn": names,
    }
    each: dict[str, list[Any]] = {
        "front": [None, None, "hourglass", "blank3"],
        "open": names,
        "sat_out": [0, 1],
        "must_sit_out": [0, 1],
    }
    if name in some:
        return rng.choice(some[name])
    if name in each:
        return [rng.choice(each[name]) for _ in range(3)]
    if name == "layers":
        return [rng.choice(seats) for _ in position["discard"]]
    if name == "discard":
        return rng.sample(position["discard"], len(position["discard"]))
    hands = [list(cards) for cards in position["hands"]]
    rng.choice(hands).clear()
    return hands


@pytest.mark.parametrize("batch", range(4))
def test_a_position_like_a_real_one_is_refused_or_played(batch: int) -> None:
    """Fields changed to something of the right kind: what is accepted can be played on."""
    played = Counter[str]()
    for number in range(150):
        seed = 1000 * batch + number
        rng = random.Random(seed)
        table, again = started(EVERYTHING, seed), Table(GLUECKSGRIFF, EVERYTHING)
        list(random_play(table, rng.randrange(25), seed))
        position = table.position()
        if table.over:
            continue
        for name in rng.sample(CHANGEABLE, rng.randrange(1, 4)):
            position[name] = altered(name, position, rng)
        del position["pile"]
        try:
            table.start(seed, position)
        except PositionError:
            continue
        played[position["phase"]] += 1
        deck = deck_of(EVERYTHING)
        assert cards_on(table) == deck, position
        for move in random_play(table, 20, seed):
            if table.over:
                break
            assert cards_on(table) == deck, (move, position)
            now = table.position()
            try:
                again.start(1, now)
            except PositionError as error:
                raise AssertionError(f"{error}: {now} after {move} from {position}") from error
            assert again.legal == table.legal, (move, position)
    assert played["play"] > 3
    assert played["lay"] > 3


@settings(max_examples=200, deadline=None, derandomize=True)
@given(changes=st.dictionaries(st.sampled_from(["game", "settings", "seed", "moves"]), JUNK))
def test_a_changed_game_record_is_refused_or_replayed(changes: dict[str, Any]) -> None:
    try:
        table = replay(json.dumps(a_record() | changes))
    except GoldgriffError:
        return
    assert replay(table.transcript()).transcript() == table.transcript()
