"""Game trees: what is in them, compared with games that are played."""

from math import comb
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.engine.compile import kernel
from goldgriff.envs.engine.game import GAMES
from goldgriff.envs.engine.protocol import apply, begin
from goldgriff.envs.engine.rewards import WIN, reward
from goldgriff.envs.engine.rng import derive, pick_legal
from goldgriff.errors import SettingsError
from goldgriff.eval.game_theory import tree as tree_module
from goldgriff.eval.game_theory.strategies import values
from goldgriff.eval.game_theory.tree import (
    EMPTY,
    build_nodes,
    build_tree,
    estimate_nodes,
    number_nodes,
    observe_nodes,
)
from goldgriff.eval.game_theory.walk import CHANCE, probe

from .test_solvers import TINY

SETTINGS: dict[str, dict[str, Any]] = {
    "auruxxx": {**TINY, "steals": 1, "max_decisions": 6},
    "gluecksgriff": {
        "point_limit": 1,
        "hand_size": 3,
        "copies": 1,
        "highest_value": 8,
        "jokers": 0,
        "hourglasses": 0,
        "bluffing": True,
        "max_decisions": 4,  # so somebody has more than a point, and the game ends
    },
}


@kernel
def play_at_random(states: Any, seed: np.uint64, returns: Any) -> None:
    """Play every game with random legal actions and write what each seat gets."""
    for row in range(len(states)):
        state = states[row]
        state.seed = derive(seed, row)
        bits = derive(~seed, row)
        begin(state)
        while state.over == 0:
            bits = derive(bits, 0)
            apply(state, pick_legal(state.legal, bits))
            for seat in range(returns.shape[1]):
                returns[row, seat] += reward(state, seat, WIN)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("players", [2, 3])
def test_random_play_is_worth_what_random_games_bring(name: str, players: int) -> None:
    """The sampled mode, with its random streams, against the listed one, in whole games."""
    game = GAMES[name]
    settings = game.read_settings({**SETTINGS[name], "num_players": players})
    tree = build_tree(game, settings)
    returns = np.zeros((60_000, players))
    play_at_random(game.new_states(settings, len(returns)), np.uint64(4), returns)
    error = returns.std(axis=0) / len(returns) ** 0.5
    expected = values(tree, [side.uniform() for side in tree.sides])
    assert (abs(returns.mean(axis=0) - expected) < 4 * error + 1e-9).all()
    assert expected.sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", GAMES)
def test_players_in_one_information_state_see_the_same(name: str) -> None:
    game = GAMES[name]
    settings = game.read_settings({**SETTINGS[name], "num_players": 2})
    nodes = build_nodes(game, settings)
    seen: dict[int, bytes] = {}
    for seat in range(2):
        rows = np.flatnonzero(nodes.players == seat)
        observations = observe_nodes(game, settings, rows)
        for row, raw, mask in zip(rows, observations.raw, observations.masks, strict=True):
            view = raw.tobytes() + mask.tobytes()
            assert seen.setdefault(int(nodes.recalls[row]), view) == view
    assert len(seen) < (nodes.players >= 0).sum()


@pytest.mark.parametrize("name", GAMES)
def test_players_have_perfect_recall(name: str) -> None:
    """Same legal actions and same own past in all nodes of an information state."""
    game = GAMES[name]
    nodes = build_nodes(game, game.read_settings({**SETTINGS[name], "num_players": 2}))
    sides, last, _ = number_nodes(nodes, 2)
    children = np.bincount(nodes.parents[1:], minlength=len(nodes.parents))
    deciders = np.append(CHANCE, nodes.players[nodes.parents[1:]])
    for seat, side in enumerate(sides):
        rows, played = np.flatnonzero(nodes.players == seat), np.flatnonzero(deciders == seat)
        numbers = {int(recall): k for k, recall in enumerate(nodes.recalls[side.nodes])}
        infosets = [numbers[int(recall)] for recall in nodes.recalls[rows]]
        assert (children[rows] == np.diff(side.starts)[infosets]).all()
        assert (nodes.actions[played] == side.actions[last[played, seat]]).all()
        assert (last[rows, seat] == side.parents[infosets]).all()


def test_a_first_decision_shows_the_own_hand_and_the_table_only() -> None:
    """Glücksgriff with 0 to 8 and the Magic Hand: a hand of three and a card turned up."""
    game = GAMES["gluecksgriff"]
    tree = build_tree(game, game.read_settings({**SETTINGS["gluecksgriff"], "num_players": 2}))
    cards = 10
    hands = comb(cards, 3)
    first = tree.sides[0].parents == EMPTY
    assert first.sum() == hands * (cards - 3)


@pytest.mark.parametrize("name", GAMES)
def test_a_tree_too_large_is_refused_by_its_size(name: str) -> None:
    game = GAMES[name]
    settings = game.read_settings({**SETTINGS[name], "num_players": 2})
    count = len(build_nodes(game, settings).parents)
    assert len(build_nodes(game, settings, count).parents) == count
    with pytest.raises(SettingsError, match=rf"more than {count - 1:,} nodes"):
        build_nodes(game, settings, count - 1)
    with pytest.raises(SettingsError, match=r"more than 1,000 nodes, about \de.0[3-6];"):
        build_tree(game, settings, limit=1000)
    assert estimate_nodes(game, settings) == pytest.approx(count, rel=0.25)


def test_games_without_an_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game, deck = GAMES["gluecksgriff"], {"copies": 1, "highest_value": 2}
    settings = game.read_settings({**deck, "num_players": 2, "hand_size": 1})
    with pytest.raises(SettingsError, match=r"nodes.*; max_turns.*solved: tiny-a, tiny-b, tiny-c"):
        build_tree(game, settings)
    monkeypatch.setattr(tree_module, "estimate_nodes", lambda *_: 1.0)
    with pytest.raises(SettingsError, match=r"too deep.*solved: tiny-a, tiny-b, tiny-c"):
        build_tree(game, settings)


@pytest.mark.parametrize("name", GAMES)
def test_a_hopeless_tree_is_refused_by_its_estimate(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it is begun, and after few random paths."""
    paths: list[Any] = []

    def counted_probe(*given: Any) -> float:
        paths.append(given)
        return probe(*given)

    monkeypatch.setattr(tree_module, "walk_tree", None)
    monkeypatch.setattr(tree_module, "probe", counted_probe)
    game = GAMES[name]
    one_round = "rounds" if name == "auruxxx" else "max_rounds"
    for rules, size in (
        ({}, "endlessly many nodes"),
        ({one_round: 1, "max_turns": 4}, r"more than 20,000,000 nodes, about \de\+\d\d"),
    ):
        paths.clear()
        with pytest.raises(SettingsError, match=rf"has {size}.*; presets .*: tiny-a, tiny-b"):
            build_tree(game, game.read_settings(rules))
        assert len(paths) <= 100
