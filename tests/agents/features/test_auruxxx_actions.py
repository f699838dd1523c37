"""Features of actions, in positions worked out by hand."""

from typing import Any

import numpy as np
import pytest

from goldgriff.agents.features.auruxxx.action_spec import ACTION_SPEC, WHOLE
from goldgriff.agents.features.spec import find_feature_spec
from goldgriff.agents.registry import load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import ACTIONS
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.envs.policy import ObservationBatch
from goldgriff.errors import AgentError

from ...auruxxx.tables import table_with

FEATURES = find_feature_spec(AURUXXX)


def features_of(match: Match, action: str, base_action: str = "draw") -> dict[str, list[int]]:
    """All numbers of a move by the names of their slices."""
    mask = np.zeros((1, len(ACTIONS)), np.int8)
    mask[0, ACTIONS.index(action)] = 1
    marked = np.array([ACTIONS.index(base_action)])
    moves = FEATURES.action_features(match.raw[None], mask, marked)
    return {
        entry.name: moves.numbers[0, ACTION_SPEC.range(entry.name)].tolist()
        for entry in ACTION_SPEC
    }


def check(features: dict[str, list[int]], **wanted: Any) -> None:
    """Compare some slices; one number stands for a list of one."""
    found = {name: features[name] for name in wanted}
    assert found == {name: x if isinstance(x, list) else [x] for name, x in wanted.items()}


def test_the_situation() -> None:
    match = table_with(
        "gold gold r2 y0 y0 g12 steal",
        "b1",
        "v3 v3",
        discard="b9",
        scores=[10, 4, 40],
        crosses=[1, 0, 2],
        figure=2,
        round=2,
    )
    features = features_of(match, "draw")
    check(
        features,
        players=[0, 1, 0, 0, 0],
        sizes=[7, 1, 2, 0, 0, 0],
        singles=[0, 1, 0, 0, 0, 0],
        pairs=[0, 0, 1, 0, 0, 0],
        nearness=[WHOLE // 8, WHOLE // 2, WHOLE // 3, 0, 0, 0],
        crosses=[1, 0, 2, 0, 0, 0],
        behind=[3, 0, 0, 0, 0],
        ahead=[0, 15, 0, 0, 0],
        figure=[0, 0, 1, 0, 0, 0],
        phase=[1, 0, 0],
        gold=2,
        golden=1,
        gold_elsewhere=3,
        points=2 + 12 + 25,
        twos=1,
        zeros=2,
        own_actions=[0, 1, 0],
    )


def test_a_multiple() -> None:
    """Three 6s on a 7 leave a 5, which fits on them, a 50 and the Golden 12."""
    match = table_with("r6 y6 g6 v5 b50 gold", "b1 b3", discard="r7")
    features = features_of(match, "lay r6", base_action="lay r6")
    check(
        features,
        base_action=1,
        turn=[0, 0, 0, 0],
        common=1,
        special=[0, 0, 0, 0],
        each=6,
        together=3,
        shed=18,
        twins=2,
        copies=0,
        two=0,
        zero=0,
        fifty=0,
        left=3,
        left_golden=3,
        all_golden=0,
        fitting=1,
        fitting_share=WHOLE // 7,
        stuck=0,
        most=1,
        dearest=5,
        groups=2,
        lonely=2,
        lays=2,
        one_lay=0,
        ready=0,
        no_action=1,
        has_value=1,
        value_gap=0,
    )


def test_a_lay_by_colour_takes_one_card_only() -> None:
    features = features_of(table_with("r6 y6 y9 y10", "b1 b3", discard="r12"), "lay r6")
    check(
        features, together=1, shed=6, twins=1, left=3, left_golden=0, fitting=1, most=1, dearest=6
    )
    # After the 6 a Kartensegen could go, but it is no number: the groups are 6, 9 and 10.
    check(features, groups=3, lonely=3, lays=3)


def test_the_win_comes_near() -> None:
    last = features_of(table_with("r2 gold", "b1 b3"), "lay r2")
    check(last, all_golden=1, left=1, two=1, two_golden=1, ready=1, one_lay=0, groups=0, stuck=1)
    before = features_of(table_with("r2 steal gold", "b1 b3"), "lay r2")
    check(before, all_golden=0, ready=0, one_lay=1, lays=1, groups=0, no_action=0)
    win = features_of(table_with("gold gold", "b1 b3"), "lay gold")
    check(win, special=[1, 0, 0, 0], has_value=0, value=0, cost=0, left=0)


def test_a_multiple_leaves_a_card() -> None:
    """A3.11: of a hand of nothing but 6s one stays."""
    check(features_of(table_with("r6 y6 g6", "b1 b3"), "lay r6"), together=2, shed=12, left=1)


def test_a_swap() -> None:
    match = table_with("r5 swap y9", "b1", "b3 b4", discard="r7")
    features = features_of(match, "swap +2", base_action="swap +1")
    check(features, swap=[0, 1, 0, 0, 0], theirs=2, theirs_single=0, theirs_pair=1, theirs_known=0)
    check(features, has_value=1, together=0, left=3, base_action=0)
    # On a Kartentausch everything fits, as it lies there then.
    check(features, fitting=2, stuck=0)
    assert features["value_gap"][0] > 0
    check(
        features_of(match, "swap +1", base_action="swap +1"), theirs=1, theirs_single=1, value_gap=0
    )


def test_other_kinds_of_moves() -> None:
    match = table_with("rH blessing steal r5", "b1 b3", discard="r7")
    for action, special, copies in (("blessing", 1, 3), ("steal", 2, 3), ("lay rH", 3, 3)):
        wanted = [0, 0, 0, 0]
        wanted[special] = 1
        check(features_of(match, action), special=wanted, left=copies, common=0)
    for number, action in enumerate(("draw", "pass", "take", "end")):
        wanted = [0, 0, 0, 0]
        wanted[number] = 1
        check(features_of(match, action), turn=wanted, has_value=0, left=4, together=0)


def test_how_many_unseen_cards_fit() -> None:
    """A red 0 lies: on it go all reds, 0s, 1s, 2s; none of what one holds or sees is unseen."""
    match = table_with("r0 r1 y9", "b1 b3", discard="r7")
    features = features_of(match, "lay r0")
    reds = 13 * 2 + 1 + 1 - 3  # without the two held and the 7 that lies
    others = 4 * 3 * 2
    unseen = 140 - 4
    assert features["open"] == [WHOLE * (reds + others) // (unseen + 1)]


def test_numbers_stay_in_their_slices_and_moves_apart() -> None:
    """In random play: within bounds; each move described alone as among the others."""
    batch = Batch(AURUXXX, AURUXXX.settings.from_dict({}), 40)
    batch.start(derive_seeds(5, 40))
    expert, rng = load_agent("expert", AURUXXX), np.random.default_rng(1)
    for _ in range(60):
        raw, masks = batch.observe(batch.current_players)
        base_action = expert.act(ObservationBatch(AURUXXX, raw, masks, derive_seeds(1, 40)))
        moves = FEATURES.action_features(raw, masks, base_action)
        assert (moves.numbers <= ACTION_SPEC.high).all()
        assert len(moves.rows) == masks.sum()
        marked = moves.numbers[:, ACTION_SPEC.start("base_action")]
        assert (marked == (moves.actions == base_action[moves.rows])).all()
        k = int(rng.integers(len(moves.rows)))
        alone = np.zeros_like(masks[:1])
        alone[0, moves.actions[k]] = 1
        row = moves.rows[k]
        single = FEATURES.action_features(raw[row][None], alone, base_action[[row]])
        np.testing.assert_array_equal(single.numbers[0], moves.numbers[k])
        batch.step((masks * rng.random(masks.shape)).argmax(axis=1))


def test_a_game_without_features_says_so() -> None:
    with pytest.raises(
        AgentError, match="gluecksgriff has no features of actions; games that have: auruxxx"
    ):
        find_feature_spec(GLUECKSGRIFF)
