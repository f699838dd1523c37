"""The random streams against the published generator and against plain statistics."""

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.envs.engine.compile import COMPILED, kernel
from goldgriff.envs.engine.kernels import derive_each
from goldgriff.envs.engine.rng import next_bits, pick_legal, restart_streams, scale_bits


# Python cannot call rules, kernels can.
@kernel
def draw_words(streams: NDArray[np.uint64], random_bits: NDArray[np.uint64]) -> None:
    """Draw words one after the other from the first stream."""
    for k in range(len(random_bits)):
        random_bits[k] = next_bits(streams, 0)


@kernel
def draw_below(streams: NDArray[np.uint64], bound: int, numbers: NDArray[np.int64]) -> None:
    """Draw numbers below a bound from the first stream."""
    for k in range(len(numbers)):
        numbers[k] = scale_bits(next_bits(streams, 0), bound)


@kernel
def restart_at(streams: NDArray[np.uint64], seed: np.uint64, round_index: int) -> None:
    """Start the streams of a round."""
    restart_streams(streams, seed, round_index)


@kernel
def pick_by(mask: NDArray[np.int8], bits: np.uint64) -> int:
    """Pick from one mask."""
    return pick_legal(mask, bits)


@pytest.mark.skipif(not COMPILED, reason="rules that are not compiled are plain functions")
def test_python_is_told_that_it_cannot_call_a_device_function() -> None:
    for _ in range(2):  # the second time, kernels have had it compiled
        with pytest.raises(
            TypeError, match="pick_legal is a device function: only compiled code can call it"
        ):
            pick_legal(np.ones(8, np.int8), np.uint64(1))
        pick_by(np.ones(8, np.int8), np.uint64(1))


def test_the_stream_is_splitmix64() -> None:
    """The first outputs for seed 1234567, as printed with the reference code in C."""
    streams = np.array([1234567], np.uint64)
    random_bits = np.zeros(3, np.uint64)
    draw_words(streams, random_bits)
    assert random_bits.tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_numbers_below_a_bound_are_even() -> None:
    streams = np.array([1], np.uint64)
    numbers = np.zeros(70_000, np.int64)
    draw_below(streams, 7, numbers)
    counts = np.bincount(numbers, minlength=7)
    assert len(counts) == 7
    assert abs(counts - 10_000).max() < 500  # more than five standard deviations


def test_streams_of_one_game_differ_and_start_anew_each_round() -> None:
    first, again, later = (np.zeros(5, np.uint64) for _ in range(3))
    restart_at(first, np.uint64(9), 0)
    restart_at(again, np.uint64(9), 0)
    restart_at(later, np.uint64(9), 1)
    assert (first == again).all()
    derived = np.zeros(1, np.uint64)
    derive_each(np.full(len(derived), 9, np.uint64), np.arange(len(derived)), derived)
    assert len({*first.tolist(), *later.tolist(), *derived.tolist()}) == 11


@pytest.mark.parametrize("size", [8, 9, 14, 15, 16, 87, 192, 2040])
@pytest.mark.parametrize("share", [0.01, 0.3, 1.0])
def test_a_pick_is_the_legal_action_that_its_word_points_at(size: int, share: float) -> None:
    """The word's upper half, as a share of the legal actions, tells which of them."""
    rng = np.random.default_rng(size)
    for bits in rng.integers(2**64, size=100, dtype=np.uint64):
        mask = (rng.random(size) < share).astype(np.int8)
        (legal,) = mask.nonzero()
        wanted = legal[(int(bits) >> 32) * len(legal) >> 32] if len(legal) else -1
        assert pick_by(mask, bits) == wanted
