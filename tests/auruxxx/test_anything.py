"""Any position of the right kinds: refused with a word, or played."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import CARDS, Settings
from goldgriff.envs.match import Match
from goldgriff.errors import PositionError

from ..envs.playing import cards_on, random_play
from ..tables import hand

SMALL_NUMBERS = st.integers(-1, 4)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    hands=st.lists(st.lists(st.sampled_from(CARDS), max_size=4), min_size=2, max_size=2),
    discard=st.lists(st.sampled_from(CARDS), min_size=1, max_size=4),
    phase=st.sampled_from(["play", "play", "demand", "multiple"]),
    demand=SMALL_NUMBERS,
    drawn=SMALL_NUMBERS,
    acted=SMALL_NUMBERS,
    decisions=st.sampled_from([0, 2998, 2999]),
    seed=st.integers(0, 2**64 - 1),
)
def test_a_made_up_position_is_refused_or_played(
    hands: list[list[str]], discard: list[str], seed: int, **fields: Any
) -> None:
    match = Match(AURUXXX, Settings(num_players=2))
    try:
        match.start(seed, {"hands": hands, "discard": discard, **fields})
    except PositionError:
        return
    assert match.legal
    assert hand(match, 0) == sorted(hands[0])
    assert cards_on(match).total() == 160
    for _ in random_play(match, 20, seed % 100):
        assert match.over or cards_on(match).total() == 160
