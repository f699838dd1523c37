"""What came of the newest games of a training run."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..envs.self_play import LEARNER, EndedRows

RECENT = 100  # episodes that means are taken over, as in Stable-Baselines3
WIN_SHARE = "rollout/win_share"


class Recent(NamedTuple):
    """The newest episodes; an episode is what one learner plays of one game.

    Attributes:
        episodes: float64 (RECENT, 2), return and length, the number of the learner's decisions;
            0 and 0 where there was none yet.
        win_shares: float64 (RECENT,), of single learners in games with others; -1 where there was
            none yet.
    """

    episodes: NDArray[np.float64]
    win_shares: NDArray[np.float64]


class EpisodeRecorder:
    """Adds up what learners get in the games under way, and keeps the newest episodes.

    Attributes:
        recent: The newest episodes.
    """

    def __init__(self, num_games: int, max_players: int) -> None:
        self._returns = np.zeros((num_games, max_players), np.float32)
        self._lengths = np.zeros((num_games, max_players), np.int64)
        self.recent = Recent(np.zeros((RECENT, 2)), np.full(RECENT, -1.0))

    def start(self) -> None:
        """Begin with new games in all rows."""
        self._returns[:], self._lengths[:] = 0, 0

    def add(self, players: NDArray[Any], rewards: NDArray[np.float32], ended: EndedRows) -> None:
        """Add a step of all games.

        Args:
            players: int64 (num_games,), seats of the learners that decided.
            rewards: float32 (num_games, max_players), as `SelfPlayBatch.step` returns them.
            ended: The games that the step ended.
        """
        self._returns += rewards
        self._lengths[np.arange(len(players)), players] += 1
        returns, lengths = self._returns[ended.rows], self._lengths[ended.rows]
        played = lengths > 0
        _push(self.recent.episodes, np.stack([returns[played], lengths[played]], axis=1))
        shares = ended.win_shares[np.arange(len(ended.rows)), ended.learners]
        _push(self.recent.win_shares, shares[ended.seating.max(axis=1) != LEARNER])
        self._returns[ended.rows], self._lengths[ended.rows] = 0, 0

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all arrays by name, not copies."""
        recent = {f"recent_{name}": array for name, array in self.recent._asdict().items()}
        return {"episode_returns": self._returns, "episode_lengths": self._lengths, **recent}


def episode_figures(parts: Sequence[Recent]) -> dict[str, float]:
    """Return means over the newest episodes of all actors; none before the first has ended."""
    episodes, win_shares = map(np.concatenate, zip(*parts, strict=True))
    episodes, win_shares = episodes[episodes[:, 1] > 0], win_shares[win_shares >= 0]
    figures = {}
    if len(episodes):
        mean_return, mean_length = episodes.mean(axis=0).tolist()
        figures = {"rollout/ep_rew_mean": mean_return, "rollout/ep_len_mean": mean_length}
    if len(win_shares):
        figures[WIN_SHARE] = float(win_shares.mean())
    return figures


def _push(kept: NDArray[np.float64], new: NDArray[Any]) -> None:
    """Append rows to an array of fixed length, from whose start as many drop out."""
    kept[:] = np.concatenate([kept, new])[-len(kept) :]
