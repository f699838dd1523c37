"""What holds after every decision, with any settings: cards, masks, turns, scores, knowledge.

A failure names the seed; `pytest tests/attacks/test_invariants.py -k SEED` plays it again.
"""

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine import kernels
from goldgriff.envs.engine.deck import TAKEN
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.rules import Card
from goldgriff.envs.gluecksgriff.state import NO_CARD, NOBODY, Phase

from ..auruxxx.test_reference import POLICIES as AURUXXX_POLICIES
from ..auruxxx.test_reference import play_both as auruxxx_with_reference
from ..gluecksgriff.test_reference import POLICIES as GLUECKSGRIFF_POLICIES
from ..gluecksgriff.test_reference import play_both as gluecksgriff_with_reference
from .settings import GAMES, random_settings

CASES = [
    pytest.param(name, seed, id=f"{name}-{seed}") for name in GAMES for seed in range(101, 107)
]
LONG_CASES = [
    pytest.param(name, seed, id=f"{name}-{seed}", marks=pytest.mark.long)
    for name in GAMES
    for seed in range(201, 221)
]
GAMES_AT_ONCE, DECISIONS = 64, 60
LONG_GAMES, LONG_DECISIONS = 512, 500  # with 40 cases: 10 million
REFERENCES: dict[str, tuple[Any, list[str]]] = {
    "auruxxx": (auruxxx_with_reference, list(AURUXXX_POLICIES)),
    "gluecksgriff": (gluecksgriff_with_reference, list(GLUECKSGRIFF_POLICIES)),
}


class Table:
    """Games that are looked at after every decision; all numbers are arrays by game."""

    def __init__(self, game: Game, settings: Any, games: int, reward: str) -> None:
        self.game, self.settings, self.players = game, settings, settings.num_players
        self.batch = Batch(game, settings, games, reward=reward)
        self.deck = np.array(settings.card_counts())

    def check_cards(self, states: Any) -> None:
        """No card is lost or made, and everything that is counted twice is counted alike."""
        hands = states["hands"].astype(int)
        assert not hands[:, self.players :].any()
        assert (hands.sum(axis=2) == states["hand_sizes"]).all()
        slots = states["slots"][:, : states["deck_size"][0]]
        in_pile = self.by_type(np.where(slots < TAKEN, slots.astype(int), -1))
        assert (in_pile.sum(axis=1) == states["pile_size"]).all()
        assert (self.by_type(slots % TAKEN) == self.deck).all()
        places = np.arange(states["discards"].shape[1])
        lying = places < states["discard_size"][:, None]
        discarded = self.by_type(np.where(lying, states["discards"].astype(int), -1))
        assert (discarded == states["discarded"]).all()
        there = hands.sum(axis=1) + in_pile + discarded
        if self.game is GLUECKSGRIFF:
            there += self.by_type(states["front"]) + self.by_type(states["open"])
            there[:, Card.MAGIC_HAND] += states["magician"] != NOBODY
        assert (there == self.deck).all()

    def by_type(self, cards: NDArray[Any]) -> NDArray[np.int64]:
        """Count cards by row and type, (games, card types); below 0 is none."""
        types = len(self.game.cards)
        rows = np.arange(len(cards))[:, None] * (types + 1)
        places = rows + np.where(cards < 0, types, cards.astype(int))
        counts = np.bincount(places.ravel(), minlength=len(cards) * (types + 1))
        return counts.reshape(len(cards), types + 1)[:, :types]

    def check_masks(self, states: Any) -> None:
        """Something is legal exactly where the game goes on."""
        assert (states["legal"].any(axis=1) == (states["over"] == 0)).all()
        assert (states["legal"] <= 1).all()
        assert ((states["current_player"] >= 0) & (states["current_player"] < self.players)).all()
        assert (states["decisions"] <= self.settings.max_decisions).all()

    def check_knowledge(self, states: Any) -> None:
        """What a seat is sure of is there."""
        for seat in range(self.players):
            for steps in range(1, self.players):
                holder = (seat + steps) % self.players
                known = states["known"][:, seat, steps - 1]
                assert (known <= states["hands"][:, holder]).all()
                assert (known.sum(axis=1) == states["known_sizes"][:, holder, seat]).all()

    def check_turn(self, before: Any, after: Any) -> None:
        """The same player goes on, or the next one; a round is begun by the right one."""
        ended, over = after["round_ended"] == 1, after["over"] == 1
        old, new = before["current_player"], after["current_player"]
        begins = after["round_index"] % self.players
        assert (new == begins)[ended & ~over].all()
        assert (after["round_index"] == before["round_index"] + ended).all()
        assert (after["decisions"] == before["decisions"] + 1)[~ended].all()
        following = (old + 1) % self.players
        in_turn = (new == old) | (new == following)
        if self.game is GLUECKSGRIFF:
            was, is_there = before["magician"] != NOBODY, after["magician"] != NOBODY
            opening = after["phase"] == Phase.OPENING
            in_turn |= is_there & (opening == (new != after["magician"]))
            in_turn[is_there & ~opening & (new != after["magician"])] = False
            left = was & ~is_there
            in_turn[left] = (new == (before["magician"] + 1) % self.players)[left]
        assert in_turn[~ended].all()

    def check_scores(self, before: Any, after: Any) -> None:
        """Totals rise by what the round is written with, and by nothing else; rewards sum to 0."""
        ended, over = after["round_ended"] == 1, after["over"] == 1
        rise = after["scores"] - before["scores"]
        assert (rise[~ended] == 0).all()
        assert (rise[ended] == after["round_points"][ended]).all()
        assert (after["score_sheet"].sum(axis=2)[ended] == rise[ended]).all()
        rewards = self.batch.rewards
        assert not rewards[~ended].any()
        assert (np.abs(rewards.sum(axis=1)) < 1e-3).all()
        if self.game is AURUXXX:
            assert (over == (after["round_index"] >= self.settings.rounds)).all()
            assert (after["crosses"] <= 3).all()
        else:
            ends = after["scores"].max(axis=1) > 2 * self.settings.point_limit
            ends |= ended & (after["round_index"] == self.settings.max_rounds)
            assert (over == ends).all()
            assert (after["scores"] >= 0).all()
            assert (after["turns_left"] < self.players).all()
            assert ((after["drawn"] != NO_CARD) == (after["phase"] == Phase.DRAWN)).all()


def attack(name: str, seed: int, games: int, decisions: int) -> int:
    """Play many games of random settings at random; return the decisions checked."""
    rng = random.Random(f"{name} {seed}")
    game = GAMES[name]
    settings = random_settings(game, rng)
    table = Table(game, settings, games, rng.choice(("points", "win")))
    batch, states = table.batch, table.batch.states
    batch.start(derive_seeds(seed, games))
    picks, actions = derive_seeds(seed, games, games), np.zeros(games, np.int64)
    try:
        for decision in range(decisions):
            before = states.copy()
            kernels.pick_random(states["legal"].astype(np.int8), picks, decision, actions)
            batch.step(actions)
            table.check_cards(states)
            table.check_masks(states)
            table.check_knowledge(states)
            table.check_turn(before, states)
            table.check_scores(before, states)
            over = np.flatnonzero(states["over"])
            batch.start(derive_seeds(seed, len(over), 2 * games + decision * games), over)
    except AssertionError as error:
        raise AssertionError(f"seed {seed}, decision {decision}: {settings}") from error
    return games * decisions


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_invariants(name: str, seed: int) -> None:
    attack(name, seed, GAMES_AT_ONCE, DECISIONS)


@pytest.mark.parametrize(("name", "seed"), LONG_CASES)
def test_invariants_in_ten_million_decisions(name: str, seed: int) -> None:
    attack(name, seed, LONG_GAMES, LONG_DECISIONS)


def against_reference(name: str, seed: int, decisions: int) -> None:
    """Play by random settings in step with the reference, whose legal moves are the engine's."""
    rng = random.Random(f"{name} {seed}")
    play_both, policies = REFERENCES[name]
    settings, policy = random_settings(GAMES[name], rng), rng.choice(policies)
    try:
        play_both(settings, policy, seed, decisions)
    except AssertionError as error:
        raise AssertionError(f"seed {seed}, {policy}: {settings}") from error


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_the_reference_agrees(name: str, seed: int) -> None:
    against_reference(name, seed, 120)


@pytest.mark.parametrize(("name", "seed"), LONG_CASES)
def test_the_reference_agrees_for_long(name: str, seed: int) -> None:
    for further in range(10):
        against_reference(name, 1000 * (further + 1) + seed, 1000)
