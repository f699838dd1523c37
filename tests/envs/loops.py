"""Independent loops that the fast doors are compared with: one game at a time, plainly."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.rng import pick_legal
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.envs.policy import CompiledPolicy, ObservationBatch

GAMES = [AURUXXX, GLUECKSGRIFF]
SHORT: dict[str, dict[str, Any]] = {  # games of a few rounds, so that many of them end
    "auruxxx": {"num_players": 3, "rounds": 1},
    "gluecksgriff": {"num_players": 3, "point_limit": 20},
}
_WORD = 2**64
_GAMMA, _MIX_1, _MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def short(game: Game, **more: Any) -> Any:
    return game.settings.from_dict({**SHORT[game.name], **more})


def derive(seed: int, number: int) -> int:
    """Seed number `number` derived from a seed: splitmix64, with whole numbers of Python."""
    return mix((seed + (number + 1) * _GAMMA) % _WORD)


def mix(bits: int) -> int:
    """The permutation of splitmix64, with whole numbers of Python."""
    bits = ((bits ^ (bits >> 30)) * _MIX_1) % _WORD
    bits = ((bits ^ (bits >> 27)) * _MIX_2) % _WORD
    return bits ^ (bits >> 31)


def decision_bits(seed: int, seat: int, number: int) -> int:
    """The random bits of a seat's decision in the game of a seed."""
    bits = derive(derive(~seed % _WORD, seat), number)
    return mix(mix(bits)) ^ bits


def random_action(mask: NDArray[Any], bits: int) -> int:
    """The legal action that a random word picks."""
    legal = np.flatnonzero(mask)
    return int(legal[(bits >> 32) * len(legal) >> 32])


@dataclass
class Turn:
    """What one row shows after a decision (or, at first, after the deal)."""

    current_player: int
    raw: NDArray[np.uint8]
    mask: NDArray[np.int8]
    rewards: NDArray[np.float32]
    result: tuple[list[float], list[float]] | None  # points and shares of a game that ended


class Row:
    """Games one after the other at one table, dealt from the seeds that a row's luck gives."""

    def __init__(self, game: Game, settings: Any, luck: int, reward: str = "points") -> None:
        self.match, self.luck, self.begun = Match(game, settings, reward), luck, 0
        self.no_rewards = np.zeros(settings.num_players, np.float32)

    def deal(self) -> Turn:
        self.match.start(derive(self.luck, self.begun))
        self.begun += 1
        return self._turn(self.no_rewards, None)

    def play(self, action: int) -> Turn:
        self.match.act(action)
        rewards = self.match.rewards.copy()
        if not self.match.over:
            return self._turn(rewards, None)
        result = (self.match.scores, self.match.win_shares())
        self.deal()
        return self._turn(rewards, result)

    def _turn(self, rewards: NDArray[np.float32], result: Any) -> Turn:
        raw, mask = self.match.observe(self.match.current_player)
        return Turn(self.match.current_player, raw[0], mask[0], rewards, result)


def _crafty(raw: NDArray[np.uint8], mask: NDArray[np.int8], bits: np.uint64) -> int:
    """Now by chance, now by what it sees: the order of play, views and words all matter."""
    seen = 0
    for place in range(len(raw)):
        seen += int(raw[place]) * (place % 7 + 1)
    if seen % 3 == 0:
        return pick_legal(mask, bits)
    action = seen % len(mask)
    while mask[action] == 0:
        action = (action + 1) % len(mask)
    return action


class Crafty(CompiledPolicy):
    """Plays `_crafty` inside the kernels."""

    def __init__(self) -> None:
        super().__init__(_crafty)


class Hidden:
    """A policy whose compiled function nobody can see: it has to be asked."""

    def __init__(self, policy: CompiledPolicy) -> None:
        self.policy = policy

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        return self.policy.act(observations)


def _cheat(raw: NDArray[np.uint8], mask: NDArray[np.int8], bits: np.uint64) -> int:  # noqa: ARG001
    return len(mask)


class Cheat(CompiledPolicy):
    """Plays what is never there, inside the kernels."""

    def __init__(self) -> None:
        super().__init__(_cheat)
