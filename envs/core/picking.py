"""Picking one of the legal actions at random, eight places of a mask at a time."""

from typing import Any

import numpy as np

from goldgriff.envs.core.compiled import rule, wrapping

_EACH = np.uint64(0x0101010101010101)  # 1 in each of eight bytes
_HIGHEST = np.uint64(0x8080808080808080)  # their highest bits
_EVEN = np.uint64(0x00FF00FF00FF00FF)  # every second byte
_EACH_EVEN = np.uint64(0x0001000100010001)
_7, _8, _32, _48, _56 = (np.uint64(bits) for bits in (7, 8, 32, 48, 56))


@wrapping
def pick(mask: Any, word: np.uint64) -> int:
    """Pick a legal action, each as likely as the other, by a random word; -1 if none is legal.

    mask: from 8 to 2040 places. It is read eight at a time: multiplied by _EACH, the eight bytes
    of a word become their sums from the first on, so that the highest counts the legal actions
    among them.
    """
    last, end = rest_of(mask), len(mask) // 8 * 8
    total = last  # of the words, byte by byte
    for first in range(0, end, 8):
        total += eight_of(mask, first)
    count = ((total & _EVEN) + (total >> _8 & _EVEN)) * _EACH_EVEN >> _48
    if count == 0:
        return -1
    left = (word >> _32) * count >> _32  # legal actions before the one picked
    first = 0
    sums = eight_of(mask, first) * _EACH
    while left >= sums >> _56:
        left -= sums >> _56
        first += 8
        sums = (eight_of(mask, first) if first < end else last) * _EACH
    passed = (left * _EACH + _HIGHEST - sums) >> _7 & _EACH  # 1 in each byte whose sum is in `left`
    return first + int(passed * _EACH >> _56)


@rule
def eight_of(mask: Any, first: int) -> np.uint64:
    """Eight bytes of a mask as one word, the first one lowest.

    Unsigned places let a compiler read them all at once.
    """
    start, word = np.uint64(first), np.uint64(0)
    for k in range(8):
        word |= np.uint64(np.uint8(mask[start + np.uint64(k)])) << np.uint64(8 * k)
    return word


@rule
def rest_of(mask: Any) -> np.uint64:
    """The bytes that eights from a mask's start leave over, as one word with zeros after them."""
    over = np.uint64(len(mask) % 8)
    return eight_of(mask, len(mask) - 8) >> _8 * (_7 - over) >> _8
