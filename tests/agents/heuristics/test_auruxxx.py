"""The scripted players: legal everywhere, reproducible, true to their tips, the expert best."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldgriff.agents.registry import AGENTS, load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import ACTIONS, Action, Settings
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.policy import ObservationBatch
from goldgriff.eval.tournament.config import tournament_config
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.tournament import run_tournament

from ...auruxxx.tables import table_with

NAMES = [entry.name for entry in AGENTS if entry.scripted and entry.game == AURUXXX.name]
NAMES.remove("random")
STYLES = [name for name in NAMES if name != "expert"]

by_name = pytest.mark.parametrize("name", NAMES)
by_style = pytest.mark.parametrize("name", STYLES)


def choice(name: str, *hands: str, discard: str = "r4", **fields: Any) -> str:
    """Return what an agent plays in a position, seat 0 to move."""
    match = table_with(*hands, discard=discard, **fields)
    observations = ObservationBatch(AURUXXX, match.raw[None], match.mask[None], derive_seeds(1, 1))
    return ACTIONS[int(load_agent(name, AURUXXX).act(observations)[0])]


# --- Legal, reproducible ------------------------------------------------------------------------
# The smallest deck has more cards than are dealt, the largest has the 160 that are allowed.
variants = st.builds(
    Settings,
    num_players=st.integers(2, 6),
    hand_size=st.integers(1, 6),
    colours=st.integers(3, 5),
    highest_number=st.integers(5, 12),
    golden_twelves=st.integers(1, 5),
    blessings=st.integers(0, 5),
    steals=st.integers(0, 5),
    swaps=st.integers(0, 5),
    edition=st.sampled_from(["german", "italian", "web"]),
    after_action=st.sampled_from(["free", "lay"]),
    golden_value=st.integers(0, 100),
    max_decisions=st.just(150),
)


@by_name
@settings(max_examples=8, deadline=None, derandomize=True)
@given(variant=variants, seed=st.integers(0, 2**32))
def test_every_choice_is_legal_and_the_view_decides_it(
    name: str, variant: Settings, seed: int
) -> None:
    policy, batch = load_agent(name, AURUXXX), Batch(AURUXXX, variant, 4)
    batch.start(derive_seeds(seed, 4))
    for turn in range(40):
        rows = np.flatnonzero(~batch.over)
        raw, masks = batch.observe(batch.current_players[rows], rows)
        actions = policy.act(ObservationBatch(AURUXXX, raw, masks, derive_seeds(turn, len(rows))))
        again = policy.act(
            ObservationBatch(AURUXXX, raw[::-1], masks[::-1], derive_seeds(1, len(rows)))
        )
        assert actions.tolist() == again[::-1].tolist()
        batch.step(actions, rows)  # refuses what is illegal


# --- The tips -----------------------------------------------------------------------------------
FAR = "g1 g3 g4 g5 g7 g8 g9 g10"  # a hand that is far from winning


@by_name
def test_everybody_wins_when_it_can(name: str) -> None:
    assert choice(name, "gold gold", "b1 b2") == "lay gold"


@by_name
@pytest.mark.rule("A2.6", "A5.2")
def test_everybody_lays_what_it_must(name: str) -> None:
    """No style would lay this card by itself: it neither draws nor ends the turn."""
    web, english = {"edition": "web"}, {"after_action": "lay"}
    hands = ("swap swap", " ".join([FAR] * 2))
    assert choice(name, *hands, drawn=1, settings=web) == "swap +1"
    move = choice(name, *hands, discard="r4 steal", drawn=2, acted=1, settings=english)
    assert move == "swap +1"


@pytest.mark.rule("A2.6")
def test_the_expert_lays_the_best_of_what_it_must() -> None:
    hands = ("swap swap", f"{FAR} r1 r3", FAR)  # either swap is worse than a draw
    assert choice("expert", *hands, drawn=1) == "draw"
    assert choice("expert", *hands, drawn=1, settings={"edition": "web"}) == "swap +2"


def test_hoard() -> None:
    assert choice("hoarder", "r5 y9", FAR) == "draw"
    assert choice("hoarder", "r5 y9", FAR, drawn=1) == "draw"
    assert choice("hoarder", "r5 y9", FAR, drawn=2) == "lay r5"
    assert choice("hoarder", "r5 gold", FAR) == "lay r5"  # it has what it drew for


def test_keep_zeros() -> None:
    for name in ("hoarder", "saver", "expert"):
        assert choice(name, "r0 r1 gold", FAR, discard="r9") == "lay r1", name


def test_steal_from_whoever_is_about_to_win() -> None:
    for name in ("thief", "expert"):
        assert choice(name, "swap r5 y9 y9", "b1 b2", "v3") == "swap +2", name
        assert choice(name, "steal r5 y9 y9", "b1", FAR) == "steal", name
    assert choice("thief", "blessing r5 y9", FAR, "v3") == "blessing"


def test_save_action_cards() -> None:
    assert choice("thief", "steal swap blessing r5 y9", FAR, FAR) == "lay r5"
    assert choice("thief", "steal swap blessing y9", FAR, FAR) == "draw"


def test_bluff_speed() -> None:
    # Two low cards sooner than a high one, down to a card without a Golden 12.
    assert choice("bluffer", "r12 r5 b5", FAR) in {"lay r5", "lay b5"}
    assert choice("bluffer", "r12 v1", FAR) == "lay r12"
    # A small hand stays small.
    assert choice("bluffer", "y9 v1", FAR) == "pass"
    assert choice("bluffer", "y9 v1", FAR, discard="r2", phase="demand", demand=2) == "pass"
    assert choice("bluffer", "y9 v1 v8 v11 y12", FAR) == "draw"
    assert choice("bluffer", "swap y9 v1 v8 v11 y12 v12", "b1 b2") == "swap +1"


def test_build_multiples() -> None:
    large = "r11 r12 b6 g6 v6 y0"
    for name in ("builder", "expert"):
        assert choice(name, large, FAR, discard="r7") in {"lay b6", "lay g6", "lay v6"}, name
    # With a large hand it waits for more, or makes room for what it has.
    assert choice("builder", "r11 b6 g6 y0 y9 v1", FAR) == "draw"
    assert choice("builder", "r11 b6 g6 y0 steal v1", FAR) == "steal"
    assert choice("builder", "r11 b6 g6 y0", FAR) == "lay r11"


def test_hand_over_a_big_hand() -> None:
    assert choice("dealer", "swap r5 y9", FAR) == "draw"  # let it grow
    assert choice("dealer", "swap r5 y9 y9 b1 b2 b7 b8 b9", FAR, "v3 v4 v5") == "swap +2"
    assert choice("dealer", "swap gold r5", FAR) == "lay r5"
    big = "swap r12 y12 y11 b11 b10 b9 v10 v9 g9 g10"
    assert choice("expert", big, "v3 v4") == "swap +1"


def test_keep_points_low() -> None:
    assert choice("saver", "r12 r5 b5", FAR) == "lay r12"
    assert choice("saver", "r12 steal", FAR) == "steal"
    assert choice("saver", "r12 rH", FAR) == "lay rH"
    assert choice("saver", "r12 r5", FAR, discard="r2 b2", phase="demand", demand=4) == "pass"
    assert choice("saver", "r12 r5", FAR, discard="r2", phase="demand", demand=2) == "take"


def test_multiples_are_laid_whole() -> None:
    for name in NAMES:
        fields = {"discard": "r6 b6", "phase": "multiple"}
        assert choice(name, "g6 r12", FAR, **fields) == "lay g6", name


# --- Styles differ, and the expert beats them all -----------------------------------------------
@cache
def frequencies(name: str) -> dict[str, float]:
    """How often a player does what, in shares of its decisions among its like."""
    policy, batch = load_agent(name, AURUXXX), Batch(AURUXXX, Settings(), 100)
    batch.start(derive_seeds(7, 100))
    counts = np.zeros(len(ACTIONS))
    for _ in range(300):
        rows = np.flatnonzero(~batch.over)
        raw, masks = batch.observe(batch.current_players[rows], rows)
        actions = policy.act(ObservationBatch(AURUXXX, raw, masks, derive_seeds(1, len(rows))))
        counts += np.bincount(actions, minlength=len(ACTIONS))
        batch.step(actions, rows)
    shares = counts / counts.sum()
    return {
        "draws": shares[Action.DRAW],
        "passes": shares[Action.PASS],
        "swaps": shares[Action.LAY_SWAP :].sum(),
        "robs": shares[ACTIONS.index("blessing")] + shares[ACTIONS.index("steal")],
    }


@pytest.mark.slow
@pytest.mark.parametrize(("name", "statistic"), [("hoarder", "draws"), ("bluffer", "passes")])
def test_a_style_shows_in_its_statistics(name: str, statistic: str) -> None:
    others = [frequencies(other)[statistic] for other in ("thief", "saver")]
    assert frequencies(name)[statistic] > 1.2 * max(others)


@by_style
def test_every_style_beats_random(name: str) -> None:
    players = [Player(each, load_agent(each, AURUXXX)) for each in (name, "random")]
    plan = tournament_config(AURUXXX, [name, "random"], Settings(num_players=2), deals=30, seed=1)
    tournament = run_tournament(plan, players)
    best = tournament.standings[0]
    assert (best.name, best.win_share.low > 0.6) == (name, True)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
@by_style
def test_the_expert_beats_every_style(name: str, players: int) -> None:
    agents = ["expert", *[name] * (players - 1)]
    plan = tournament_config(AURUXXX, agents, Settings(num_players=players), deals=800, seed=1)
    met = [Player(each, load_agent(each, AURUXXX)) for each in plan.names]
    tournament = run_tournament(plan, met)
    assert tournament.standings[0].name == "expert"
    assert tournament.standings[0].win_share.low > 1 / players
