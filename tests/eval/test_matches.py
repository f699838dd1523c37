"""Many games at a time: the same whatever the batch, and one agent's fault stays its own."""

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import Settings
from goldgriff.envs.batch import derive_seeds
from goldgriff.errors import AgentError
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.matches import Outcomes, play_games

from ..players import Cheat, First, Moody
from .small import EXPERT, RANDOM


def play(other: Any, games: int = 30, **options: Any) -> Outcomes:
    """Games of three: two random players and another one, who sits in seat k % 3 of game k."""
    seating = np.array([np.roll([1, 0, 0], k) for k in range(games)])
    players = [RANDOM, Player("other", other)]
    settings = Settings(num_players=3, rounds=1)
    return play_games(AURUXXX, settings, players, seating, derive_seeds(8, games), **options)


def faulty(act: Any) -> Any:
    return SimpleNamespace(act=act)


def test_results_do_not_depend_on_batches() -> None:
    one, other = (play(EXPERT.policy, batch_size=size) for size in (7, 2048))
    assert (one.points == other.points).all()
    assert (one.win_shares == other.win_shares).all()
    assert (one.actions == other.actions).all()
    assert one.decisions.tolist() == other.decisions.tolist()
    assert one.decisions.sum() == len(one.actions) == one.starts[-1]


def test_without_forfeits_an_illegal_move_names_its_player() -> None:
    with pytest.raises(AgentError, match="agent 'other': there is no action 87"):
        play(Cheat())


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (lambda _: None, "gave object of shape ()"),
        (lambda observations: observations.masks.argmax(axis=1) + 0.5, "gave float64"),
        (lambda _: [0, 0], "not whole numbers of shape (1,)"),
        (lambda _: 1 // 0, "failed: ZeroDivisionError"),
        (lambda _: sys.exit("tired of\nplaying"), "failed: SystemExit: tired of playing"),
        (Cheat().act, "there is no action 87; actions are 0 to 86"),
        (
            lambda observations: (observations.masks == 0).argmax(axis=1),
            "is not legal here; legal are:",
        ),
    ],
)
def test_an_agent_at_fault_forfeits_and_the_rest_goes_on(act: Any, reason: str) -> None:
    outcomes = play(faulty(act), games=6, forfeits=True)
    assert [(one.game, one.seat) for one in outcomes.forfeits] == [(k, k % 3) for k in range(6)]
    assert all(reason in one.fault.text for one in outcomes.forfeits)
    assert np.isnan(outcomes.points).all()
    for game, shares in enumerate(outcomes.win_shares.tolist()):
        assert shares == [0 if seat == game % 3 else 0.5 for seat in range(3)]


def test_only_the_games_are_forfeited_in_which_it_was_at_fault() -> None:
    """Asked about many games at once, one observation makes it fail: the others are asked again."""
    whole = play(First())
    for size in (3, 2048):
        outcomes = play(Moody(), forfeits=True, batch_size=size)
        lost = {one.game for one in outcomes.forfeits}
        assert 0 < len(lost) < 30
        for game in range(30):
            if game not in lost:
                assert (outcomes.points[game] == whole.points[game]).all()
            mine = outcomes.actions[outcomes.starts[game] : outcomes.starts[game + 1]]
            theirs = whole.actions[whole.starts[game] : whole.starts[game + 1]]
            assert (mine == theirs[: len(mine)]).all()
            assert (len(mine) < len(theirs)) == (game in lost)
