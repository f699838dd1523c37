"""Solvers and best responses, against what is known of Kuhn poker and against each other."""

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.eval.game_theory.cfr import Solver
from goldgriff.eval.game_theory.strategies import best_response, nash_conv, values
from goldgriff.eval.game_theory.tree import SequenceForm, build_tree

from .kuhn import BET, VALUE, kuhn
from .linear_program import solve_linear_program

TINY = {
    "rounds": 1,
    "hand_size": 1,
    "colours": 1,
    "highest_number": 2,
    "number_copies": 1,
    "fifties": 0,
    "happy_men": 0,
    "golden_twelves": 1,
    "blessings": 0,
    "steals": 0,
    "swaps": 1,
}
THREE = {**TINY, "num_players": 3, "number_copies": 2}


@pytest.fixture(scope="module")
def tree() -> SequenceForm:
    return build_tree(
        AURUXXX, AURUXXX.read_settings({**TINY, "num_players": 2, "max_decisions": 7})
    )


def test_cfr_solves_kuhn_poker() -> None:
    """The value, and that the first player bets the king three times as often as the jack."""
    poker = kuhn()
    solver = Solver(poker)
    solver.run(2000)
    found = solver.strategies()
    assert values(poker, found)[0] == pytest.approx(VALUE, abs=1e-4)
    assert nash_conv(poker, found) < 1e-3
    jack, king = found[0][1 + BET], found[0][9 + BET]
    assert king == pytest.approx(3 * jack, abs=0.02)


def test_a_linear_program_solves_kuhn_poker() -> None:
    poker = kuhn()
    found = solve_linear_program(poker)
    assert values(poker, found)[0] == pytest.approx(VALUE, abs=1e-9)
    assert nash_conv(poker, found) == pytest.approx(0, abs=1e-9)


def test_a_best_response_exploits() -> None:
    """Who always checks and folds is bet against: the other wins the ante of 1 whenever it acts."""
    poker = kuhn()
    passive = np.array([1.0] + [1.0, 0.0] * 6)
    assert best_response(poker, [passive, passive], 0).value == pytest.approx(1)
    assert best_response(poker, [passive, passive], 1).value == pytest.approx(1)
    # Both check: higher card wins, so nobody gains before deviating.
    assert values(poker, [passive, passive]).tolist() == pytest.approx([0, 0])
    assert nash_conv(poker, [passive, passive]) == pytest.approx(2)


def test_both_solvers_find_the_value_of_a_card_game(tree: SequenceForm) -> None:
    solver = Solver(tree)
    solver.run(600)
    by_regret, by_program = solver.strategies(), solve_linear_program(tree)
    assert nash_conv(tree, by_regret) < 1e-4
    assert nash_conv(tree, by_program) < 1e-6
    assert values(tree, by_regret) == pytest.approx(values(tree, by_program), abs=1e-4)


def test_a_solver_goes_on_where_it_was_stopped(tree: SequenceForm) -> None:
    whole, stopped, resumed = Solver(tree), Solver(tree), Solver(tree)
    whole.run(20)
    stopped.run(8)
    resumed.restore(stopped.iteration, {name: getattr(stopped, name) for name in Solver.ARRAYS})
    resumed.run(12)
    assert resumed.iteration == 20
    for one, other in zip(whole.strategies(), resumed.strategies(), strict=True):
        assert np.array_equal(one, other)


def test_three_players_come_near_a_coarse_correlated_equilibrium() -> None:
    settings = AURUXXX.read_settings({**THREE, "max_decisions": 5})
    solver = Solver(build_tree(AURUXXX, settings))
    solver.run(10)
    early = solver.correlated_gap()
    solver.run(290)
    assert solver.correlated_gap() < min(early, 0.01)
