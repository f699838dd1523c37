"""The one interface of everything that plays: views in, actions out, many games at a time."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.batch import Batch
from goldgriff.envs.engine import kernels
from goldgriff.envs.engine.compile import PolicyFunction, address_of, compile_policy
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.kernels import RawObservations, Masks, Rows
from goldgriff.envs.engine.rng import pick_legal


@dataclass(frozen=True)
class ObservationBatch:
    """What the players to move see, one row for each decision that is asked for.

    features: uint8 (rows, slices.size), the slices of the game's `observe.py` as whole numbers.
    masks: int8 (rows, actions), 1 for each legal action; every row has at least one.
    words: uint64 (rows,), a fresh random word for each decision. A player that takes all its
        chance from them decides the same however the games are batched.
    records: the games as the movers know them (envs/engine/determinization.py), (rows,), for a policy that says
        `wants_information_states = True`; None for any other.
    """

    game: Game
    features: RawObservations
    masks: Masks
    words: NDArray[np.uint64]
    records: NDArray[Any] | None = None

    def __len__(self) -> int:
        return len(self.features)

    def some(self, rows: Rows) -> "ObservationBatch":
        """The views of some rows, int64."""
        records = None if self.records is None else self.records[rows]
        return ObservationBatch(self.game, self.features[rows], self.masks[rows], self.words[rows], records)

    @property
    def observations(self) -> NDArray[np.float32]:
        """The features scaled for a network, float32 (rows, slices.size)."""
        return self.game.slices.to_float(self.features)


class Policy(Protocol):
    """Whatever can play.

    It may say `wants_information_states = True` to be given `ObservationBatch.records`, and `deliberates = True` when a
    decision takes it long: then it is asked about one game at a time.
    """

    def act(self, views: ObservationBatch) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        ...


def observation_batch(
    batch: Batch, rows: Rows, words: NDArray[np.uint64], *, records: bool = False
) -> ObservationBatch:
    """What the movers of some rows see; with their records, if somebody wants them."""
    movers = batch.movers[rows].astype(np.int64)
    hidden = None
    if records:
        hidden = np.zeros(len(rows), batch.games.dtype)
        kernels.information_states(batch.games, rows, movers, hidden)
    return ObservationBatch(batch.game, *batch.look(movers, rows), words, hidden)


def wants_information_states(policy: Policy) -> bool:
    """Whether a policy asks for `ObservationBatch.records`."""
    return getattr(policy, "wants_records", False) is True


class CompiledPolicy:
    """A player that is one function to be compiled: it can decide without Python's help.

    decide: `decide(features, mask, word) -> action`, as `compile_policy` describes it.
    """

    def __init__(self, decide: PolicyFunction) -> None:
        self._decide = decide

    @property
    def choose(self) -> Any:
        """The compiled function, to be given to kernels."""
        return compile_policy(self._decide)

    def act(self, views: ObservationBatch) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        actions = np.empty(len(views), np.int64)
        features, masks = np.ascontiguousarray(views.features), np.ascontiguousarray(views.masks)
        kernels.act_each(address_of(self.choose), features, masks, views.words, actions)
        return actions


class RandomPolicy(CompiledPolicy):
    """Picks among the legal actions, each as likely as the other."""

    def __init__(self) -> None:
        super().__init__(_pick)


def _pick(
    features: NDArray[np.uint8],  # noqa: ARG001  (it plays without looking)
    mask: NDArray[np.int8],
    word: np.uint64,
) -> int:
    return pick_legal(mask, word)
