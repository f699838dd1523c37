"""A menagerie of agents at fault, named as `tests.attacks.agents:Class`.

Those that are at fault now and then are so on some observations, found by their random bits; all
others play the first legal action.
"""

import asyncio
import os
import signal
import sys
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.policy import CompiledPolicy, ObservationBatch

ODDS = np.uint64(100)


class First:
    """Plays the first legal action."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        actions: NDArray[np.int64] = observations.masks.argmax(axis=1)
        return actions


class Moody(First):
    """Does something wrong on some observations."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        actions = super().act(observations)
        if (observations.random_bits % ODDS == 0).any():
            self.misbehave()
        return actions

    def misbehave(self) -> None:
        raise NotImplementedError


# --- Agents that write where they read ------------------------------------------------------------


class Eraser(First):
    """Writes zeros into all that it is shown, then fails: nothing may be left of them."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        actions = super().act(observations)
        for array in (observations.masks, observations.raw, observations.random_bits):
            array[:] = 0
        if len(actions) > 1:
            raise RuntimeError("one at a time")
        return actions


class Forger:
    """Allows itself every action, then plays the last one there is."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        observations.masks[:] = 1
        return np.full(len(observations), observations.masks.shape[1] - 1)


def _forge(_raw: NDArray[np.uint8], mask: NDArray[np.int8], _random_bits: np.uint64) -> int:
    mask[:] = 1
    return len(mask) - 1


class CompiledForger(CompiledPolicy):
    """The same, compiled."""

    def __init__(self) -> None:
        super().__init__(_forge)


# --- Exceptions -----------------------------------------------------------------------------------


class Panic(BaseException):
    """No `Exception`, as what a Rust extension raises when it panics."""


class UnspeakableError(RuntimeError):
    """An exception without a text."""

    def __str__(self) -> str:
        raise ValueError("nor this")


def raising(error: BaseException) -> type[Moody]:
    def misbehave(self: Moody) -> None:  # noqa: ARG001
        raise error

    return type("Raising", (Moody,), {"misbehave": misbehave})


Interrupted = raising(KeyboardInterrupt())
Cancelled = raising(asyncio.CancelledError())
Panicked = raising(Panic("at the disco"))
Leaving = raising(GeneratorExit())
Stopping = raising(StopIteration())
Speechless = raising(UnspeakableError())
Garbled = raising(RuntimeError("half a pair \ud800, \x1b[2Jcleared\x07 and \u202ebackwards"))
Endless = raising(RuntimeError("on and on " * 1_000_000))


# --- What is asked of an agent beside `act` -------------------------------------------------------


class Withholding:
    """Has an `act` to begin with, later none."""

    asked = False

    @property
    def act(self) -> Any:
        if self.asked:
            raise KeyError("act")
        self.asked = True
        return First().act


class Teller:
    """Fails and tells what it sees: its hand."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        raise RuntimeError(observations.raw.tobytes().hex())


# --- Processes, pipes and functions ---------------------------------------------------------------


class Forker(Moody):
    """Forks; parent and child both go on."""

    def misbehave(self) -> None:
        os.fork()


class Spawner(Moody):
    """Forks and ends; the child stays, with all pipes open."""

    def misbehave(self) -> None:
        if os.fork() == 0:
            time.sleep(600)
        os._exit(7)


class Saboteur(Moody):
    """Replaces a function of NumPy that tournaments use."""

    def misbehave(self) -> None:
        np.where = None  # type: ignore[assignment]


class Raiser(Moody):
    """Makes NumPy raise where it would go on."""

    def misbehave(self) -> None:
        np.seterr(all="raise")


class Quitter(Moody):
    """Ends its process as if all was well."""

    def misbehave(self) -> None:
        os._exit(0)


class Sleeper(Moody):
    """Stops its process."""

    def misbehave(self) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)


# --- Agents that cannot be made -------------------------------------------------------------------


class Stillborn(First):
    """Ends its process as if all was well when it is made."""

    def __init__(self) -> None:
        os._exit(0)


class Unmade(First):
    """Raises what is no `Exception` when it is made."""

    def __init__(self) -> None:
        raise Panic("not\ntoday")


class Departed(First):
    """Leaves when it is made."""

    def __init__(self) -> None:
        sys.exit()


# --- Answers --------------------------------------------------------------------------------------


class Answering:
    """Answers what is no array of legal actions."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, observations: ObservationBatch) -> Any:  # noqa: ARG002
        return self.answer


class Unreadable:
    """An answer that fails where it is read."""

    def __array__(self, *_: object, **__: object) -> NDArray[Any]:
        raise Panic("do not read")


ANSWERS: tuple[Any, ...] = (
    None,
    "draw",
    b"\0",
    [[0]],
    [0, 0, 0],
    [0.5],
    [True],
    [10**30],
    [-(2**63)],
    np.array([2**64 - 1], np.uint64),
    np.array(["NaT"], "datetime64[s]"),
    np.zeros(1, [("\x1b[2J" * 100, "i8")]),
    np.array([None]),
    Unreadable(),
)
