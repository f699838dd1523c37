"""A trained policy network as a player: loaded from a safe file, run on NumPy alone.

The file is in the safetensors format: layers `0.weight`, `0.bias`, `1.weight`, ... of a
perceptron with ReLU between them, whose last layer gives a logit for each action. Its metadata
name the environment and the observation it was trained on, and the scripted player, if any, whose
advice the network hears.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from goldgriff.agents.scripted import Adviser, find_adviser
from goldgriff.envs.core.compiled import kernel
from goldgriff.envs.core.errors import AgentError, GoldgriffError
from goldgriff.envs.core.files import write_whole
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.kernels import Masks, Rows
from goldgriff.envs.core.policy import Views

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]  # weight (out, in), bias (out,)

FORMAT = "goldgriff policy 1"
MAX_WEIGHT = 1e4  # far beyond what training gives


class CheckpointError(GoldgriffError):
    """A file that is no checkpoint, or one of another game or observation."""


class Network:
    """Samples its actions from a masked softmax over the network's logits.

    adviser: a scripted player whose move is told to the network after the features, one-hot; None
        where it decides by what it sees alone.
    """

    def __init__(self, layers: Sequence[Layer], adviser: Adviser | None = None) -> None:
        self.adviser = adviser
        self.layers = [
            (np.ascontiguousarray(weight, np.float32), np.asarray(bias, np.float32))
            for weight, bias in layers
        ]

    def act(self, views: Views) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        actions = np.empty(len(views), np.int64)
        _sample_each(self.logits(views), views.masks, views.words, actions)
        return actions

    def chances(self, views: Views) -> NDArray[np.float64]:
        """The probability of each action, float64 (rows, actions); 0 where it is illegal."""
        logits = np.where(views.masks == 1, self.logits(views), -np.inf).astype(np.float64)
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances: NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
        return chances

    def logits(self, views: Views) -> NDArray[np.float32]:
        """What the softmax is taken of, (rows, actions); those of illegal actions mean nothing."""
        hidden = views.observations
        if self.adviser is not None:
            hidden = np.concatenate([hidden, self.adviser.advice(views)], axis=1, dtype=np.float32)
        for weight, bias in self.layers[:-1]:
            hidden = np.maximum(hidden @ weight.T + bias, np.float32(0))
        weight, bias = self.layers[-1]
        logits: NDArray[np.float32] = hidden @ weight.T + bias
        return logits


@kernel
def _sample_each(
    logits: NDArray[np.float32], masks: Masks, words: NDArray[np.uint64], actions: Rows
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
        left = float(words[k] >> np.uint64(11)) / 2.0**53 * total
        for action in range(len(mask)):
            if mask[action] and left >= 0.0:
                left -= math.exp(float(row[action]) - highest)
                actions[k] = action


def save_network(path: Path, network: Network, game: Game, notes: Mapping[str, str]) -> None:
    """Write a checkpoint; `notes` (how it was trained, ...) go into its metadata."""
    tensors = {}
    for number, (weight, bias) in enumerate(network.layers):
        tensors[f"{number}.weight"] = weight
        tensors[f"{number}.bias"] = bias
    metadata = {**notes, **_labels(game)}
    if network.adviser is not None:
        metadata["adviser"] = network.adviser.name
    write_whole(path, save(tensors, metadata))


def load_network(path: Path, game: Game) -> Network:
    """Read a checkpoint. Raises CheckpointError when it does not fit the game or is damaged."""
    try:
        with safe_open(path, framework="numpy") as file:
            labels = file.metadata() or {}
            kinds = {file.get_slice(name).get_dtype() for name in file.keys()}  # noqa: SIM118
            if kinds != {"F32"}:
                raise CheckpointError(f"checkpoint {path}: must hold float32 numbers only")
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"cannot read checkpoint {path}: {error}") from None
    for name, wanted in _labels(game).items():
        if labels.get(name) != wanted:
            raise CheckpointError(
                f"checkpoint {path}: {name} is {labels.get(name)!r}, this needs {wanted!r}"
            )
    count = len(tensors) // 2
    wanted_names = {f"{k}.{part}" for k in range(count) for part in ("weight", "bias")}
    if not count or set(tensors) != wanted_names:
        raise CheckpointError(f"checkpoint {path}: not the layers of a perceptron")
    layers = [(tensors[f"{k}.weight"], tensors[f"{k}.bias"]) for k in range(count)]
    adviser = _adviser_of(path, game, labels.get("adviser", ""))
    width = game.slices.size + (len(game.actions) if adviser else 0)
    for weight, bias in layers:
        if weight.ndim != 2 or weight.shape[1] != width or bias.shape != weight.shape[:1]:
            raise CheckpointError(f"checkpoint {path}: layers do not fit together")
        if not (abs(weight).max() <= MAX_WEIGHT and abs(bias).max() <= MAX_WEIGHT):
            raise CheckpointError(f"checkpoint {path}: has weights that are no numbers or huge")
        width = weight.shape[0]
    if width != len(game.actions):
        raise CheckpointError(
            f"checkpoint {path}: for {width} actions, {game.id} has {len(game.actions)}"
        )
    return Network(layers, adviser)


def _adviser_of(path: Path, game: Game, name: str) -> Adviser | None:
    try:
        return find_adviser(name, game) if name else None
    except AgentError as error:
        raise CheckpointError(f"checkpoint {path}: {error}") from None


def _labels(game: Game) -> dict[str, str]:
    """What a checkpoint must say of itself to be used with a game."""
    observation = ",".join(f"{entry.name}:{entry.size}/{entry.scale:g}" for entry in game.slices)
    return {"format": FORMAT, "environment": game.id, "observation": observation}
