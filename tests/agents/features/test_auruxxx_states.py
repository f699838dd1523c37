"""Features of states, in a position worked out by hand."""

from typing import Any

import numpy as np

from goldgriff.agents.features.auruxxx.action_spec import SITUATION
from goldgriff.agents.features.auruxxx.states import STATE_SPEC
from goldgriff.agents.features.spec import find_feature_spec
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import CARDS, MAX_PLAYERS, NUM_CARDS
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.match import Match

from ...auruxxx.tables import table_with
from .test_auruxxx_actions import features_of

FEATURES = find_feature_spec(AURUXXX)


def state_features_of(match: Match) -> dict[str, list[int]]:
    """All numbers of a position by the names of their slices, as its mover's critic hears them."""
    holds = {card: number for number, card in enumerate(CARDS)}
    hands = np.zeros((1, MAX_PLAYERS - 1, NUM_CARDS), np.uint8)
    for other, cards in enumerate(match.position()["hands"][1:]):
        for card in cards:
            hands[0, other, holds[card]] += 1
    numbers = FEATURES.state_features(match.raw[None], hands)
    return {entry.name: numbers[0, STATE_SPEC.range(entry.name)].tolist() for entry in STATE_SPEC}


def check(features: dict[str, list[int]], **wanted: Any) -> None:
    """Compare some slices, by the hands that there are: seats without one have zeros."""
    for name, numbers in wanted.items():
        assert features[name] == numbers + [0] * (len(features[name]) - len(numbers)), name


def named(copies: list[int]) -> dict[str, int]:
    """Copies of each card type, by the names of those that there are."""
    return {CARDS[card]: count for card, count in enumerate(copies) if count}


def test_what_hands_are_like() -> None:
    """A red 7 lies. On it go reds, 6s, 7s and 8s together, 2s alone, and a red Happy-Man card."""
    match = table_with(
        "y6 g6 r1 r11 b9 gold",
        "r2 v0 y0 rH swap steal gold gold",
        "b50 y50 g10",
        discard="r7",
    )
    features = state_features_of(match)
    check(
        features,
        all_fitting=[4, 2, 0],
        all_most=[2, 1, 0],
        all_dearest=[12, 2, 0],
        all_groups=[4, 3, 2],
        all_lonely=[3, 1, 1],
        all_points=[6 + 6 + 1 + 11 + 9, 2 + 25 * 3, 110],
        all_actions=[0, 2, 0],
        all_happy=[0, 1, 0],
        all_twos=[0, 1, 0],
        all_zeros=[0, 2, 0],
        all_gold=[1, 2, 0],
        all_golden=[1, 1, 0],
        all_lays=[4, 5, 0],
        all_ready=[0, 0, 0],
        all_one_lay=[0, 0, 0],
    )
    moved = features_of(match, "draw")
    for entry in SITUATION:
        assert features[entry.name] == moved[entry.name]


def test_the_win_comes_near() -> None:
    features = state_features_of(
        table_with("gold gold", "steal gold", "v5 r5 gold", "r3", discard="r7")
    )
    check(features, all_lays=[0, 1, 1, 0], all_ready=[1, 0, 0, 0], all_one_lay=[0, 1, 1, 0])


def test_which_cards_lie_where() -> None:
    features = state_features_of(
        table_with("r1 r1 gold", "b50 swap", "vH yH v0 v0", discard="y4 r7")
    )
    assert named(features["cards"]) == {"r1": 2, "gold": 1}
    assert named(features["top"]) == {"r7": 1}
    theirs = [features["their_cards"][k * NUM_CARDS : (k + 1) * NUM_CARDS] for k in range(5)]
    assert [named(cards) for cards in theirs] == [
        {"b50": 1, "swap": 1},
        {"vH": 1, "yH": 1, "v0": 2},
        {},
        {},
        {},
    ]


def test_numbers_stay_in_their_slices() -> None:
    """In random play; with room for more hands than there are."""
    batch = Batch(AURUXXX, AURUXXX.settings.from_dict({"num_players": 3}), 40)
    batch.start(derive_seeds(5, 40))
    rng = np.random.default_rng(1)
    for _ in range(60):
        raw, masks = batch.observe(batch.current_players)
        few, many = (batch.hidden_hands(batch.current_players, others=count) for count in (2, 5))
        numbers = FEATURES.state_features(raw, few)
        assert (numbers <= STATE_SPEC.high).all()
        assert (numbers == FEATURES.state_features(raw, many)).all()
        sizes = numbers[:, STATE_SPEC.range("sizes")][:, :3]
        theirs = numbers[:, STATE_SPEC.range("their_cards")].reshape(40, 5, NUM_CARDS).sum(axis=2)
        assert (theirs[:, :2] == sizes[:, 1:]).all()
        batch.step((masks * rng.random(masks.shape)).argmax(axis=1))
