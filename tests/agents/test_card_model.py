"""The opponent card model: what players hold, counted in their own games."""

import random
from typing import Any

import numpy as np
import pytest

from goldgriff.agents.heuristics.catalog import find_base_policy
from goldgriff.agents.search import agent, card_model
from goldgriff.agents.search.card_model import MIN_WEIGHT, PSEUDO_COUNT, estimate_card_weights
from goldgriff.agents.search.tree import new_buffers
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.determinization import FULL_WEIGHT, CardWeights
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.envs.policy import ObservationBatch

both_games = pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=lambda game: game.name)


def counted(game: Game, **rules: Any) -> CardWeights:
    """The card weights of the expert."""
    batch = Batch(game, game.settings.from_dict(rules), 1)
    batch.start([77])
    buffers = new_buffers(game, batch.states)
    return estimate_card_weights(
        batch.states,
        len(game.cards),
        buffers,
        find_base_policy("expert", game).policy.policy_function,
    )


@both_games
def test_they_are_the_share_of_unseen_cards_that_others_hold(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compared with the same games as a match, counted by what the match says that a seat knows."""
    monkeypatch.setattr(card_model, "GAMES", 2)
    expert, rules = find_base_policy("expert", game).policy, {"num_players": 3}
    held, unseen = np.zeros(len(game.cards)), np.zeros(len(game.cards))
    match = Match(game, game.settings.from_dict(rules))
    for seed in derive_seeds(0, 2):
        match.start(int(seed))
        while not match.over:
            state, seat = match._states[0], match.current_player
            others = [(seat + steps) % 3 for steps in (1, 2)]
            hands = state["hands"][others].astype(int).sum(axis=0) - match.known_cards(seat).sum(
                axis=0
            )
            slots = state["slots"][: state["deck_size"]]
            held += hands
            unseen += hands + np.bincount(slots[slots < 128], minlength=len(game.cards))
            observations = ObservationBatch(
                game, match.raw[None], match.mask[None], derive_seeds(1, 1)
            )
            match.play(game.actions[expert.act(observations)[0]])
    shares = (held + PSEUDO_COUNT * held.sum() / unseen.sum()) / (unseen + PSEUDO_COUNT)
    ratios = shares / (1 - shares)
    wanted = np.maximum(ratios / ratios.max(), MIN_WEIGHT)
    np.testing.assert_allclose(counted(game, **rules) / FULL_WEIGHT, wanted, rtol=1e-6)


def test_cards_that_are_soon_played_are_seldom_held() -> None:
    def weight_of(game: Game, card: str) -> float:
        return float(counted(game)[game.cards.index(card)] / FULL_WEIGHT)

    assert weight_of(AURUXXX, "r50") < weight_of(AURUXXX, "r12") < 0.5 < weight_of(AURUXXX, "r0")
    assert weight_of(AURUXXX, "gold") == 1
    assert weight_of(GLUECKSGRIFF, "joker") < weight_of(GLUECKSGRIFF, "14") < 0.5
    assert weight_of(GLUECKSGRIFF, "0") > 0.9


def test_the_number_of_counted_decisions_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long games are by their settings."""
    usual = counted(AURUXXX)
    monkeypatch.setattr(card_model, "GAMES", 10**6)
    many = counted(AURUXXX)
    assert (many != usual).any()
    np.testing.assert_allclose(many / FULL_WEIGHT, usual / FULL_WEIGHT, atol=0.1)


OTHERS: dict[Game, list[dict[str, Any]]] = {
    AURUXXX: [{}, {"num_players": 3}, {"edition": "italian"}, {"hand_size": 5}, {"steals": 4}],
    GLUECKSGRIFF: [
        {},
        {"hand_size": 5},
        {"bluffing": True},
        {"jokers": 3, "hourglasses": 5},
        {"jokers": 5, "hourglasses": 3},
    ],
}


@both_games
def test_a_search_counts_them_once_for_all_games_of_the_same_settings(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def count(*_: Any) -> CardWeights:
        asked.append(1)
        return np.ones(1, np.uint64)

    monkeypatch.setattr(agent, "estimate_card_weights", count)
    search = agent.Search(find_base_policy("expert", game).policy, iterations=1)
    rng = random.Random(1)
    for rules in OTHERS[game] * 2:
        match = Match(game, game.settings.from_dict(rules))
        for seed in (1, 2):
            match.start(seed)
            for _ in range(30):
                search._card_weights_for(game, match.information_state(match.current_player))
                match.play(rng.choice(match.legal))
    assert len(asked) == len(OTHERS[game])
