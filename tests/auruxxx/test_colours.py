"""Colours are only names: what no rule tells apart, and what follows for trees."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.observation import Place
from goldgriff.envs.auruxxx.rules import MAX_COLOURS, NUM_CARDS, Action, Card, relabelled_cards
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.deck import TAKEN
from goldgriff.eval.game_theory.cfr import Solver
from goldgriff.eval.game_theory.strategies import nash_conv, values
from goldgriff.eval.game_theory.tree import build_tree

ORDERS = list(permutations(range(MAX_COLOURS)))[1::17]


def relabelled(states: Any, cards: Any) -> Any:
    """The same states, in which each card has the name `cards` gives it."""
    renamed = states.copy()
    for name in ("hands", "discarded", "known"):
        renamed[name][..., cards] = states[name]
    place = np.arange(256)
    place[:NUM_CARDS] = cards
    place[TAKEN : TAKEN + NUM_CARDS] = TAKEN + np.array(cards)
    inside = np.arange(states["slots"].shape[1]) < states["deck_size"][:, None]
    renamed["slots"] = np.where(inside, place[states["slots"]], states["slots"])
    laid = np.arange(states["discards"].shape[1]) < states["discard_size"][:, None]
    renamed["discards"] = np.where(laid, place[states["discards"]], 0)  # above lies what was
    renamed["legal"][:, actions_of(cards)] = states["legal"]
    return renamed


def actions_of(cards: Any) -> Any:
    """What each action becomes."""
    actions = np.arange(len(AURUXXX.actions))
    actions[Action.LAY : Action.LAY + Card.GOLDEN] = Action.LAY + np.array(cards[: Card.GOLDEN])
    return actions


def test_a_colour_changes_its_name_with_all_its_cards() -> None:
    cards = relabelled_cards([1, 0, 2, 3, 4])
    names = {AURUXXX.cards[a]: AURUXXX.cards[b] for a, b in enumerate(cards)}
    assert (names["r7"], names["y50"], names["rH"], names["b3"]) == ("y7", "r50", "yH", "b3")
    assert names["gold"] == "gold"
    assert sorted(cards) == list(range(NUM_CARDS))


@pytest.mark.rule("A3.1", "A3.2")
@pytest.mark.parametrize("edition", ["german", "web", "italian"])
def test_relabelled_states_go_on_alike(edition: str) -> None:
    """Every move, draw and score: what is played under other names is the same game.

    Without cards taken out of hands: which one follows from its place in the sorted hand.
    """
    rules = {"num_players": 3, "edition": edition, "steals": 0, "blessings": 0, "hand_size": 5}
    for order in ORDERS:
        cards, actions = relabelled_cards(order), actions_of(relabelled_cards(order))
        one, other = Batch(AURUXXX, rules, 16), Batch(AURUXXX, rules, 16)
        one.start(derive_seeds(1, 16))
        other.start(derive_seeds(1, 16))
        other.states[:] = relabelled(one.states, cards)
        rng = np.random.default_rng(2)
        for _ in range(60):
            rows = np.flatnonzero(~one.over)
            raw, masks = one.observe(one.current_players[rows], rows)
            renamed, _ = other.observe(other.current_players[rows], rows)
            shown = raw.copy()
            for start in (Place.HAND, Place.TOP, Place.DISCARD):
                shown[:, start + np.array(cards)] = raw[:, start : start + NUM_CARDS]
            assert np.array_equal(shown, renamed)
            chosen = (masks * rng.random(masks.shape)).argmax(axis=1)
            one.step(chosen, rows)
            other.step(actions[chosen], rows)
            again = relabelled(one.states, cards)
            there = relabelled(other.states, range(NUM_CARDS))
            for name in AURUXXX.state.__annotations__:
                assert np.array_equal(again[name][rows], there[name][rows]), name


def test_only_colours_with_the_same_cards_are_interchangeable() -> None:
    read: Any = AURUXXX.settings.from_dict
    assert read({}).first_colours() == [0] * MAX_COLOURS
    assert read({"colours": 3}).first_colours() == [0, 0, 0, 3, 3]
    deck = {"r0": 1, "r2": 1, "y0": 1, "y2": 1, "g0": 2, "gold": 1}
    settings = read({"num_players": 2, "hand_size": 1, "deck": deck})
    assert settings.first_colours() == [0, 0, 2, 3, 3]
    orbits = settings.card_orbits()
    assert orbits[AURUXXX.cards.index("y2")] == AURUXXX.cards.index("r2")
    assert orbits[AURUXXX.cards.index("g2")] == AURUXXX.cards.index("g2")
    assert orbits[Card.GOLDEN :] == list(range(Card.GOLDEN, NUM_CARDS))


@pytest.mark.slow
def test_a_symmetric_tree_is_the_same_game_and_smaller() -> None:
    deck = {"r0": 1, "r2": 1, "y0": 1, "y2": 1, "swap": 1, "gold": 1}
    rules = {"num_players": 2, "rounds": 1, "hand_size": 1, "deck": deck, "max_turns": 2}
    settings = AURUXXX.read_settings({**rules, "max_draws": 1, "cards_per_two": 1})
    whole, symmetric = (build_tree(AURUXXX, settings, symmetric=one) for one in (False, True))
    assert symmetric.num_nodes < 0.65 * whole.num_nodes
    solvers = [Solver(tree) for tree in (whole, symmetric)]
    for solver in solvers:
        solver.run(200)
    uniform = [[side.uniform() for side in tree.sides] for tree in (whole, symmetric)]
    solved = [solver.strategies() for solver in solvers]
    for (one, other), tolerance in ((uniform, 1e-9), (solved, 1e-3)):
        assert values(whole, one) == pytest.approx(values(symmetric, other), abs=1e-4)
        assert nash_conv(whole, one) == pytest.approx(nash_conv(symmetric, other), abs=tolerance)
