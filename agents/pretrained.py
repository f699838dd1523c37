"""Trained agents save themselves as model repositories; `model_card.py` does the work."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ..envs.policy import Agent


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


class PretrainedAgent(Agent):
    """An agent that consists of trained networks.

    Attributes:
        notes: How it was trained, by name: `algorithm`, `timesteps`, `settings`; empty if unknown.
        evaluation: How it did in training, if its folder says so.
    """

    notes: Mapping[str, str] = {}
    evaluation: Evaluation | None = None

    def save_pretrained(self, save_directory: str | Path) -> None:
        """Write a model repository: `model.safetensors`, `config.json` and the card `README.md`.

        Args:
            save_directory: Its folder, made if it does not exist.

        Raises:
            AgentError: The game of the agent is not known: `load_agent` did not return it.
            FileError: The folder cannot be written to.
        """
        _writer().write_model_folder(self, Path(save_directory))

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
