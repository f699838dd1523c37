"""What holds in every game: conservation, masks, endings, rewards."""

from typing import Any

import numpy as np
import pytest

from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.rules import ACTIONS, Settings
from goldgriff.envs.match import Match
from goldgriff.errors import MoveError

from .tables import new_table, play, table_with
from .variants import VARIANTS, cards_on, deck_of, everything, random_play, started


# --- Cards, masks, endings ----------------------------------------------------------------------
@VARIANTS
@pytest.mark.parametrize("seed", range(3))
def test_no_card_is_ever_lost_or_made(variant: Settings, seed: int) -> None:
    match = started(variant, seed)
    deck = deck_of(variant)
    assert cards_on(match) == deck
    for move in random_play(match, 700, seed):
        assert match.over or cards_on(match) == deck, move


@VARIANTS
def test_the_mask_is_exactly_the_legal_set(variant: Settings) -> None:
    match = started(variant)
    for _ in random_play(match, 60):
        before, position = everything(match), match.position()
        assert [ACTIONS[action] for action in np.flatnonzero(match.mask)] == match.legal
        for action in np.flatnonzero(match.mask == 0):
            with pytest.raises(MoveError):
                match.play(int(action))
        assert everything(match) == before
        if match.over:
            return
        for move in match.legal:
            copy = Match(GLUECKSGRIFF, variant)
            copy.start(1, position)
            copy.play(move)


@pytest.mark.parametrize(
    "move",
    [-1, len(ACTIONS), 10**6, 2**63, -(2**70), 1.5, None, "", "lay 15", "LAY 7", "lay", "hand +1"],
    ids=repr,
)
def test_what_is_no_move_is_refused_and_changes_nothing(move: Any) -> None:
    match = new_table(num_players=3)
    play(match, next(move for move in match.legal if move.startswith("lay")))
    before = everything(match)
    with pytest.raises(MoveError):
        match.play(move)
    assert everything(match) == before


def test_a_refused_move_is_named_with_what_is_legal() -> None:
    match = table_with("8 0", "1 1")
    with pytest.raises(MoveError, match=r"'lay 9' is not legal here.*lay 0, lay 8"):
        match.play("lay 9")
    with pytest.raises(MoveError, match=r"unknown move 'fly'.*lay 0, lay 8"):
        match.play("fly")


def test_nothing_is_legal_after_the_end() -> None:
    match = play(table_with("7", "1 1", settings={"point_limit": 1}), "lay 7", "knock")
    assert (match.over, match.legal, int(match.mask.sum())) == (True, [], 0)
    for action in range(len(ACTIONS)):
        with pytest.raises(MoveError, match="after the end"):
            match.play(action)


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("variant", ["box", "options"])
def test_games_end_and_there_is_always_a_move_before(players: int, variant: str) -> None:
    options: dict[str, Any] = {"bluffing": True, "penalties": True, "late_knock": 50}
    extra = options if variant == "options" else {}
    match = started(Settings(num_players=players, max_decisions=400, **extra), seed=players)
    for _ in random_play(match, 100 * 400):
        assert match.over == (not match.legal)
    assert match.over
    assert sum(match.win_shares()) == pytest.approx(1)
    assert max(match.scores) > 100


# --- Rewards ------------------------------------------------------------------------------------
@VARIANTS
def test_points_are_the_others_mean_less_ones_own(variant: Settings) -> None:
    players, rounds = variant.num_players, 0
    for seed in range(5):
        match, scores = started(variant, seed), [0.0] * variant.num_players
        for _ in random_play(match, 3000, seed):
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
        match = play(table_with("7", *others, scores=scores, reward=reward), "lay 7", "knock")
        assert match.rewards == pytest.approx(expected, abs=1e-6)
