"""Random numbers inside a state: splitmix64 streams, one for each seat and purpose.

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
Every stream is restarted each round from the game's seed, the round and its own number. So two
games with one seed have the same deal in every round, and a seat the same random numbers, however
differently they were played before.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import device

Streams = NDArray[np.uint64]

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@device(wraps=True)
def mix(bits: np.uint64) -> np.uint64:
    """Scramble 64 bits so that neighbouring inputs give unrelated outputs."""
    bits = (bits ^ (bits >> _30)) * _MIX_1
    bits = (bits ^ (bits >> _27)) * _MIX_2
    return bits ^ (bits >> _31)


@device(wraps=True)
def derive(seed: np.uint64, number: int) -> np.uint64:
    """Return seed number `number` (0 or more) derived from `seed`."""
    return mix(seed + (np.uint64(number) + np.uint64(1)) * _GAMMA)


@device(wraps=True)
def conceal(bits: np.uint64) -> np.uint64:
    """Return random bits from which `bits` cannot be computed back.

    `mix` is a permutation: who knows its result knows its argument. So what a player is given goes
    through a permutation whose result is combined with its argument, as block ciphers are turned
    into hash functions (Davies and Meyer). It is no cryptographic hash.
    """
    return mix(mix(bits)) ^ bits


@device(wraps=True)
def next_state(state: np.uint64) -> np.uint64:
    """Return the state of a stream after `state`; `mix` turns it into random bits."""
    return state + _GAMMA


@device
def next_bits(streams: Streams, stream: int) -> np.uint64:
    """Return the next 64 random bits of a stream."""
    streams[stream] = next_state(streams[stream])
    return mix(streams[stream])


@device
def scale_bits(bits: np.uint64, bound: int) -> int:
    """Return random bits as a number from 0 to bound - 1; see `chance.random_below`."""
    return int(((bits >> _32) * np.uint64(bound)) >> _32)


@device
def restart_streams(streams: Streams, seed: np.uint64, round_number: int) -> None:
    """Restart every stream of a game for one round."""
    round_seed = derive(seed, round_number)
    for stream in range(len(streams)):
        streams[stream] = derive(round_seed, stream)


_EACH = np.uint64(0x0101010101010101)  # 1 in each of eight bytes
_HIGHEST = np.uint64(0x8080808080808080)  # their highest bits
_EVEN = np.uint64(0x00FF00FF00FF00FF)  # every second byte
_EACH_EVEN = np.uint64(0x0001000100010001)
_7, _8, _48, _56 = (np.uint64(bits) for bits in (7, 8, 48, 56))


@device(wraps=True)
def pick_legal(mask: Any, bits: np.uint64) -> int:
    """Pick a legal action, each equally likely.

    The mask is read eight places at a time: multiplied by _EACH, the eight bytes of a 64-bit
    number become their running sums, so the highest byte counts the legal actions among them.

    Args:
        mask: int8 or uint8 (actions,), from 8 to 2040 places.
        bits: Random bits.

    Returns:
        The action, or -1 when none is legal.
    """
    last, end = rest_of(mask), len(mask) // 8 * 8
    total = last  # byte by byte
    for first in range(0, end, 8):
        total += eight_of(mask, first)
    count = ((total & _EVEN) + (total >> _8 & _EVEN)) * _EACH_EVEN >> _48
    if count == 0:
        return -1
    left = (bits >> _32) * count >> _32  # legal actions before the one picked
    first = 0
    sums = eight_of(mask, first) * _EACH
    while left >= sums >> _56:
        left -= sums >> _56
        first += 8
        sums = (eight_of(mask, first) if first < end else last) * _EACH
    passed = (left * _EACH + _HIGHEST - sums) >> _7 & _EACH  # 1 in each byte whose sum is in `left`
    return first + int(passed * _EACH >> _56)


@device
def eight_of(mask: Any, first: int) -> np.uint64:
    """Return eight bytes of a mask as one number, the first one lowest.

    Unsigned places let a compiler read them all at once.
    """
    start, bits = np.uint64(first), np.uint64(0)
    for k in range(8):
        bits |= np.uint64(np.uint8(mask[start + np.uint64(k)])) << np.uint64(8 * k)
    return bits


@device
def rest_of(mask: Any) -> np.uint64:
    """Return the bytes of a mask behind its last whole eight, as one number."""
    over = np.uint64(len(mask) % 8)
    return eight_of(mask, len(mask) - 8) >> _8 * (_7 - over) >> _8
