"""Randomness inside the record of a game: splitmix64 streams, one for each seat and purpose.

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
Every stream starts anew each round from the game's seed, the round and its own number. So two
games with one seed meet the same deal in every round, and a seat the same luck, however
differently the moves went before.
"""

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.compiled import rule, wrapping

Streams = NDArray[np.uint64]

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@wrapping
def mix(word: np.uint64) -> np.uint64:
    """Scramble 64 bits so that neighbouring inputs give unrelated outputs."""
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@wrapping
def derive(seed: np.uint64, number: int) -> np.uint64:
    """Seed number `number` (0 or more) derived from `seed`."""
    return mix(seed + (np.uint64(number) + np.uint64(1)) * _GAMMA)


@wrapping
def step(state: np.uint64) -> np.uint64:
    """The state of a stream after `state`; mixed, it is the stream's next word."""
    return state + _GAMMA


@rule
def next_word(streams: Streams, stream: int) -> np.uint64:
    """The next 64 random bits of a stream."""
    streams[stream] = step(streams[stream])
    return mix(streams[stream])


@rule
def scale(word: np.uint64, bound: int) -> int:
    """A random word as a number from 0 to bound - 1; see `below`."""
    return int(((word >> _32) * np.uint64(bound)) >> _32)


@rule
def below(streams: Streams, stream: int, bound: int) -> int:
    """The next number of a stream, uniform in 0 .. bound - 1; `bound` from 1 to 2**16.

    Taken from the high bits by multiplication: a little more or less in `bound` moves the number
    little, which keeps games with one seed comparable. The bias is below bound / 2**32.
    """
    return scale(next_word(streams, stream), bound)


@rule
def restart(streams: Streams, seed: np.uint64, round_number: int) -> None:
    """Start every stream of a game for one round."""
    round_seed = derive(seed, round_number)
    for stream in range(len(streams)):
        streams[stream] = derive(round_seed, stream)
