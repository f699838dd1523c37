"""The random streams against the published generator and against plain statistics."""

import numpy as np
import pytest

from goldgriff.envs.core.chance import below, derive, next_word, restart
from goldgriff.envs.core.kernels import pick


def test_the_stream_is_splitmix64() -> None:
    """The first outputs for seed 1234567, as printed with the reference code in C."""
    streams = np.array([1234567], np.uint64)
    words = [int(next_word(streams, 0)) for _ in range(3)]
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_numbers_below_a_bound_are_even() -> None:
    streams = np.array([1], np.uint64)
    counts = np.bincount([below(streams, 0, 7) for _ in range(70_000)], minlength=7)
    assert len(counts) == 7
    assert abs(counts - 10_000).max() < 500  # more than five standard deviations


def test_streams_of_one_game_differ_and_start_anew_each_round() -> None:
    first, again, later = (np.zeros(5, np.uint64) for _ in range(3))
    restart(first, np.uint64(9), 0)
    restart(again, np.uint64(9), 0)
    restart(later, np.uint64(9), 1)
    assert (first == again).all()
    assert len({*first.tolist(), *later.tolist(), int(derive(np.uint64(9), 0))}) == 11


@pytest.mark.parametrize("size", [8, 9, 14, 15, 16, 87, 192, 2040])
@pytest.mark.parametrize("share", [0.01, 0.3, 1.0])
def test_a_pick_is_the_legal_action_that_its_word_points_at(size: int, share: float) -> None:
    """The word's upper half, as a share of the legal actions, tells which of them."""
    rng = np.random.default_rng(size)
    for word in rng.integers(2**64, size=100, dtype=np.uint64):
        mask = (rng.random(size) < share).astype(np.int8)
        (legal,) = mask.nonzero()
        wanted = legal[(int(word) >> 32) * len(legal) >> 32] if len(legal) else -1
        assert pick(mask, word) == wanted
