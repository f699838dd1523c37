"""The one interface of everything that plays: views in, actions out, many games at a time."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .batch import Batch
from .engine import kernels
from .engine.compile import PolicyFunction, address_of, compile_policy
from .engine.game import Game
from .engine.kernels import Masks, RawObservations, Rows
from .engine.rng import pick_legal


@dataclass(frozen=True)
class ObservationBatch:
    """What the players to move see, one row for each decision that is asked for.

    raw: uint8 (rows, slices.size), the slices of the game's `observe.py` as whole numbers.
    masks: int8 (rows, actions), 1 for each legal action; every row has at least one.
    random_bits: uint64 (rows,), a fresh random word for each decision. A player that takes all its
        chance from them decides the same however the games are batched.
    information_states: the games as the movers know them (envs/engine/determinization.py), (rows,), for a policy that says
        `wants_information_states = True`; None for any other.
    """

    game: Game
    raw: RawObservations
    masks: Masks
    random_bits: NDArray[np.uint64]
    information_states: NDArray[Any] | None = None

    def __len__(self) -> int:
        return len(self.raw)

    def some(self, rows: Rows) -> "ObservationBatch":
        """The views of some rows, int64."""
        information_states = (
            None if self.information_states is None else self.information_states[rows]
        )
        return ObservationBatch(
            self.game, self.raw[rows], self.masks[rows], self.random_bits[rows], information_states
        )

    @property
    def scaled(self) -> NDArray[np.float32]:
        """The features scaled for a network, float32 (rows, slices.size)."""
        return self.game.observation_spec.to_float(self.raw)


class Policy(Protocol):
    """Whatever can play.

    It may say `wants_information_states = True` to be given `ObservationBatch.information_states`, and `slow = True` when a
    decision takes it long: then it is asked about one game at a time.
    """

    def act(self, observations: ObservationBatch) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        ...


def observation_batch(
    batch: Batch, rows: Rows, random_bits: NDArray[np.uint64], *, information_states: bool = False
) -> ObservationBatch:
    """What the movers of some rows see; with their records, if somebody wants them."""
    current_players = batch.current_players[rows].astype(np.int64)
    hidden = None
    if information_states:
        hidden = np.zeros(len(rows), batch.states.dtype)
        kernels.information_states(batch.states, rows, current_players, hidden)
    return ObservationBatch(batch.game, *batch.observe(current_players, rows), random_bits, hidden)


def wants_information_states(policy: Policy) -> bool:
    """Whether a policy asks for `ObservationBatch.information_states`."""
    return getattr(policy, "wants_information_states", False) is True


class CompiledPolicy:
    """A player that is one function to be compiled: it can decide without Python's help.

    decide: `decide(raw, mask, bits) -> action`, as `compile_policy` describes it.
    """

    def __init__(self, decide: PolicyFunction) -> None:
        self._decide = decide

    @property
    def policy_function(self) -> Any:
        """The compiled function, to be given to kernels."""
        return compile_policy(self._decide)

    def act(self, observations: ObservationBatch) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        actions = np.empty(len(observations), np.int64)
        raw, masks = (
            np.ascontiguousarray(observations.raw),
            np.ascontiguousarray(observations.masks),
        )
        kernels.act_each(
            address_of(self.policy_function), raw, masks, observations.random_bits, actions
        )
        return actions


class RandomPolicy(CompiledPolicy):
    """Picks among the legal actions, each as likely as the other."""

    def __init__(self) -> None:
        super().__init__(_pick)


def _pick(
    raw: NDArray[np.uint8],  # noqa: ARG001  (it plays without looking)
    mask: NDArray[np.int8],
    bits: np.uint64,
) -> int:
    return pick_legal(mask, bits)
