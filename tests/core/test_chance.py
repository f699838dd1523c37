"""The random streams against the published generator and against plain statistics."""

import numpy as np

from goldgriff.envs.core.chance import below, derive, next_word, restart


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
