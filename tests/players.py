"""Players that tests seat: by the fixture's name or as `tests.players:Class`."""

import os
from threading import Event

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.agent_state import AgentState
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.protocol import Rows
from goldgriff.envs.policy import ObservationBatch, RandomPolicy


class First:
    """Plays the first legal action of the table."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        actions: NDArray[np.int64] = observations.masks.argmax(axis=1)
        return actions


class Loud(First):
    """Says whenever it is asked."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        print("asked", flush=True)
        return super().act(observations)


class Cheat:
    """Plays what is never legal."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        return np.full(len(observations), len(observations.game.actions))


class Mute:
    """Cannot act."""


class Broken:
    """Cannot even be made."""

    def __init__(self) -> None:
        raise RuntimeError("no such luck")


class Moody:
    """Fails on some views, seen by their word: alone and in company alike."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        if (observations.random_bits % np.uint64(800) == 0).any():
            raise RuntimeError("not in the mood")
        return First().act(observations)


class Hanging:
    """Waits for ever on some views, seen by their word."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        if (observations.random_bits % np.uint64(800) == 0).any():
            Event().wait()
        return First().act(observations)


class Quitter:
    """Ends its process on some views, seen by their word."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        if (observations.random_bits % np.uint64(800) == 0).any():
            os._exit(3)
        return First().act(observations)


class Shy:
    """Ends its process where it has to begin a game of Auruxxx, and plays at random after that."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        hands, discard, crosses = (
            observations.raw[:, AURUXXX.observation_spec.range(name)]
            for name in ("hand_sizes", "discard", "crosses")
        )
        as_dealt = (hands.max(axis=1) == 12) & (discard.sum(axis=1) == 1)
        if (as_dealt & ~crosses.any(axis=1)).any():
            os._exit(3)
        return RandomPolicy().act(observations)


class Remembering:
    """Its move hangs on all that it has observed, in their order."""

    def initial_agent_state(self, rows: int) -> AgentState:
        return {"seen": np.zeros((rows, 2), np.uint64), "decisions": (np.zeros(rows, np.int64),)}

    def act(self, batch: ObservationBatch, agent_state: AgentState) -> tuple[Rows, AgentState]:
        (decisions,), seen = agent_state["decisions"], agent_state["seen"]
        here = batch.raw @ np.arange(1, batch.raw.shape[1] + 1) + batch.random_bits % 1000
        seen = seen * np.uint64(31) + np.stack([here, decisions], 1).astype(np.uint64)
        legal = batch.masks.cumsum(1)
        nth = 1 + seen[:, 0] % legal[:, -1].astype(np.uint64)
        actions = (legal >= nth[:, None].astype(np.int64)).argmax(1)
        return actions, {"seen": seen, "decisions": (decisions + 1,)}


class Stone:
    """Never answers."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:  # noqa: ARG002
        Event().wait()
        raise AssertionError
