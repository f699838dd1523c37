"""Games as files for Gambit: read by Gambit and by OpenSpiel, with the values that we find."""

from pathlib import Path
from typing import Any

import pytest

from goldgriff.envs.engine.game import get_game
from goldgriff.errors import SettingsError
from goldgriff.eval.game_theory.efg import to_efg, write_efg
from goldgriff.eval.game_theory.strategies import best_response, nash_conv, values
from goldgriff.eval.game_theory.tree import build_tree

from .linear_program import solve_linear_program

SMALL: list[tuple[str, dict[str, Any]]] = [
    (
        "auruxxx",
        {"preset": "tiny-a", "max_turns": 2, "deck": {"r0": 2, "r2": 1, "swap": 1, "gold": 1}},
    ),
    (
        "gluecksgriff",
        {"preset": "tiny-b", "max_turns": 1, "deck": {"0": 2, "1": 1, "hand": 1}, "hand_size": 1},
    ),
]


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_open_spiel_solves_an_exported_game(name: str, settings: Any) -> None:
    pyspiel: Any = pytest.importorskip("pyspiel")
    game = get_game(name)
    checked = game.read_settings(settings)
    tree = build_tree(game, checked)
    value = values(tree, solve_linear_program(tree))
    loaded = pyspiel.load_efg_game(to_efg(game, checked))
    uniform = pyspiel.UniformRandomPolicy(loaded)
    sides = [side.uniform() for side in tree.sides]
    assert pyspiel.nash_conv(loaded, uniform) == pytest.approx(nash_conv(tree, sides), abs=1e-9)
    solver = pyspiel.CFRPlusSolver(loaded)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.nash_conv(loaded, policy) < 1e-3
    found = pyspiel.expected_returns(loaded.new_initial_state(), policy, -1, True)
    assert found == pytest.approx(value, abs=1e-3)


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_gambit_reads_an_exported_game(name: str, settings: Any, tmp_path: Path) -> None:
    """It finds the same payoffs and the same regret of random play."""
    pygambit: Any = pytest.importorskip("pygambit")
    game = get_game(name)
    checked = game.read_settings(settings)
    write_efg(game, checked, tmp_path / "game.efg")
    read = pygambit.read_efg(tmp_path / "game.efg")
    tree = build_tree(game, checked)
    sides = [side.uniform() for side in tree.sides]
    uniform = read.mixed_behavior_profile(rational=False)
    payoffs = [float(uniform.payoffs[player]) for player in read.players]
    assert payoffs == pytest.approx(values(tree, sides), abs=1e-9)
    gains = [best_response(tree, sides, k).value - values(tree, sides)[k] for k in range(2)]
    assert float(uniform.max_regret()) == pytest.approx(max(gains), abs=1e-9)


@pytest.mark.parametrize("rational", [False, True])
def test_gambit_finds_an_equilibrium_of_an_exported_game(rational: bool, tmp_path: Path) -> None:
    """With any action where its linear program leaves all probabilities at zero.

    It does so where the other player's strategy gives a player its lowest payoff in any case.
    """
    pygambit: Any = pytest.importorskip("pygambit")
    game = get_game("auruxxx")
    deck = {"r0": 2, "r2": 1, "gold": 1} if rational else {"r0": 3, "swap": 1, "gold": 1}
    settings = game.read_settings({"preset": "tiny-a", "max_turns": 2, "deck": deck})
    write_efg(game, settings, tmp_path / "game.efg")
    read = pygambit.read_efg(tmp_path / "game.efg")
    profile = pygambit.nash.lp_solve(read, rational=rational).equilibrium
    tree = build_tree(game, settings)
    strategies = []
    for player, side in zip(read.players, tree.sides, strict=True):
        strategy = side.uniform()
        mixed = [dict(actions) for _, actions in profile[player]]
        for actions, a, b in zip(mixed, side.starts[:-1], side.starts[1:], strict=True):
            assert list(actions) == [game.actions[action] for action in side.actions[a:b]]
            if any(actions.values()):
                strategy[a:b] = [float(share) for share in actions.values()]
        strategies.append(strategy)
    assert nash_conv(tree, strategies) == pytest.approx(0, abs=1e-9)
    solved = values(tree, solve_linear_program(tree))
    assert values(tree, strategies) == pytest.approx(solved, abs=1e-9)


def test_too_large_games_are_not_exported() -> None:
    game = get_game("gluecksgriff")
    with pytest.raises(SettingsError, match=r"more than 300,000 nodes, about \de\+\d\d;"):
        to_efg(game, game.read_settings({"preset": "small-a"}))
    with pytest.raises(SettingsError, match="endlessly many nodes, at most 300,000") as error:
        to_efg(game, game.read_settings({"num_players": 4}))
    assert "\n" not in str(error.value)
