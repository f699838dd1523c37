"""Sample actions from trained networks, and save such agents: the base class of all of them."""

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.compile import kernel
from ..envs.engine.protocol import Masks, Rows
from ..envs.policy import Agent, ObservationBatch
from ..files import as_path


@dataclass(frozen=True)
class Evaluation:
    """Result of an agent against another one in all other seats.

    Attributes:
        opponent: The name of the other agent.
        num_players: The numbers of players, each of which counts alike.
        deals: Deals for each of them; each is played in every seat.
        win_share: The mean share of wins.
        low: Lower end of its 95 % interval.
        high: Upper end of it.
    """

    opponent: str
    num_players: Sequence[int]
    deals: int
    win_share: float
    low: float
    high: float

    @property
    def even_share(self) -> float:
        """The share of wins where all players are equally strong."""
        return sum(1 / players for players in self.num_players) / len(self.num_players)

    @property
    def opponent_share(self) -> float | None:
        """The share of wins of each opponent; None for several numbers of players."""
        (players, *more) = self.num_players
        return None if more else (1 - self.win_share) / (players - 1)

    @property
    def table(self) -> str:
        """Who sits in the other seats, such as `among 3 experts`."""
        (players, *more), name = self.num_players, self.opponent
        if players == 2 and not more:
            return f"against {name}"
        plural = f"{name}s" if name.isalpha() else f"copies of {name}"
        return f"among {plural}" if more else f"among {players - 1} {plural}"

    def describe(self) -> str:
        """Return the shares of wins of the agent and of each opponent, and the even share."""
        others, mean = "", " on average"
        if self.opponent_share is not None:
            each = f"each {self.opponent}" if self.opponent.isalpha() else "each of them"
            who = self.opponent if self.num_players[0] == 2 else each
            others, mean = f", {who} {100 * self.opponent_share:.1f} %", ""
        return (
            f"{self.table} it wins{mean} {100 * self.win_share:.1f} % ({100 * self.low:.1f} - "
            f"{100 * self.high:.1f}){others}; even is {100 * self.even_share:.3g} %"
        )


class PretrainedAgent(Agent):
    """An agent that consists of trained networks, and samples from the softmax of their logits.

    Attributes:
        notes: How it was trained, by name: `algorithm`, `timesteps`, `settings`; empty if unknown.
        evaluation: How it did in training, if its folder says so.
    """

    notes: Mapping[str, str] = {}
    evaluation: Evaluation | None = None

    @abstractmethod
    def logits(self, batch: ObservationBatch) -> NDArray[np.float32]:
        """Return the logits, float32 (rows, actions); those of illegal actions mean nothing."""

    def act(self, batch: ObservationBatch) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        actions: Rows = batch.masks.argmax(axis=1)  # legal, whatever the logits are
        _sample_each(self.logits(batch), batch.masks, batch.random_bits, actions)
        return actions

    def action_probabilities(self, batch: ObservationBatch) -> NDArray[np.float64]:
        """Return the probability of each action, float64 (rows, actions); 0 for illegal ones."""
        return masked_softmax(self.logits(batch), batch.masks)

    def save_pretrained(self, save_directory: str | Path) -> None:
        """Write a model repository: `model.safetensors`, `config.json` and the card `README.md`.

        Args:
            save_directory: Its folder, made if it does not exist.

        Raises:
            AgentError: The game of the agent is not known: `load_agent` did not return it.
            FileError: The folder cannot be written to.
        """
        _writer().write_model_folder(self, as_path(save_directory))

    def push_to_hub(self, repo_id: str, **options: Any) -> str:
        """Upload the same files to the Hugging Face Hub, and return the address of the commit.

        Args:
            repo_id: `user/name`; made if it does not exist.
            **options: `commit_message`, `private`, `token`, `branch`, `create_pr`; see `upload` in
                agents/hub.py.

        Raises:
            GoldgriffError: The extra `hub` is missing, or the Hub refuses or cannot be reached.
        """
        address: str = _writer().push_to_hub(self, repo_id, **options)
        return address


def _writer() -> Any:
    """Import what writes agents; it knows all kinds of them, so it lies above."""
    return import_module("goldgriff.agents.model_card")


def masked_softmax(
    logits: NDArray[np.float32], masks: Masks, temperature: float = 1.0
) -> NDArray[np.float64]:
    """Return the softmax over each row's legal actions, float64 (rows, actions).

    Args:
        logits: (rows, actions).
        masks: int8 (rows, actions), 1 for each legal action, of which a row needs one.
        temperature: Divides the logits.
    """
    legal = np.where(masks == 1, logits, -np.inf).astype(np.float64)
    raised = np.exp((legal - legal.max(axis=1, keepdims=True)) / temperature)
    probabilities: NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
    return probabilities


@kernel
def _sample_each(
    logits: NDArray[np.float32], masks: Masks, random_bits: NDArray[np.uint64], actions: Rows
) -> None:
    """Draw from the softmax over each row's legal actions, of which there must be one."""
    for k in range(len(masks)):
        row, mask = logits[k], masks[k]
        highest = -np.inf
        for action in range(len(mask)):
            if mask[action]:
                highest = max(highest, float(row[action]))
        total = 0.0
        for action in range(len(mask)):
            if mask[action]:
                total += math.exp(float(row[action]) - highest)
        # A point in [0, total); rounding may leave it beyond the last action, which is then taken.
        left = float(random_bits[k] >> np.uint64(11)) / 2.0**53 * total
        for action in range(len(mask)):
            if mask[action] and left >= 0.0:
                left -= math.exp(float(row[action]) - highest)
                actions[k] = action
