"""Trained networks as files.

A checkpoint is in the safetensors format: layers `0.weight`, `0.bias`, `1.weight`, ... of a
perceptron with ReLU between them. Its metadata name the environment, the observation it was
trained on, the scripted player, if any, whose advice the network hears, and how moves are described
to it, if it weighs them one by one. Such a network may come with a critic: layers named
`critic.0.weight`, ..., how tables are described to it, and the stakes of what it says.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from ..envs.engine.game import Game
from ..envs.engine.observation import ObservationSpec
from ..errors import AgentError, GoldgriffError
from ..files import write_whole
from .features.description import FeatureSpec, find_feature_spec
from .heuristics.catalog import find_base_policy
from .mlp import Layer
from .network import ActionValueNetwork, Network
from .value import MAX_BONUS, MIN_BONUS, ValueNetwork, ValueTarget

FORMAT = "goldgriff policy 2"
CRITIC = "critic."  # before the names of a critic's layers
MAX_WEIGHT = 1e4  # far beyond what training gives
_SIZE = struct.Struct("<Q")  # what a file begins with: the size of its header, in whole such words

Tensors = dict[str, NDArray[np.float32]]


class CheckpointError(GoldgriffError):
    """A file that is no checkpoint, or one of another game or observation."""


def save_network(path: Path, network: Network, game: Game, notes: Mapping[str, str]) -> None:
    """Write a checkpoint; `notes` (how it was trained, ...) go into its metadata.

    The same network and notes give the same bytes, and so the same fingerprint.
    """
    tensors = _tensors_of(network.layers)
    metadata = {**notes, **labels_of(game)}
    if network.adviser is not None:
        metadata["base_policy"] = network.adviser.name
    if isinstance(network, ActionValueNetwork):
        metadata["action_features"] = _told(network.description.spec)
        if network.critic:
            tensors |= _tensors_of(network.critic.layers, CRITIC)
            metadata["state_features"] = _told(network.critic.description.state_spec)
            metadata["value_target"] = " ".join(map(str, network.critic.stakes))
    write_whole(path, _in_order(save(tensors, metadata)))


def load_network(path: Path, game: Game) -> Network:
    """Read a checkpoint. Raises CheckpointError when it does not fit the game or is damaged."""
    labels, tensors = _read(path)
    for name, wanted in labels_of(game).items():
        _check_label(path, labels, name, wanted)
    try:
        adviser = (
            find_base_policy(labels["base_policy"], game) if labels.get("base_policy") else None
        )
        description = find_feature_spec(game) if adviser and "action_features" in labels else None
    except AgentError as error:
        raise CheckpointError(f"checkpoint {path}: {error}") from None
    if any(name.startswith(CRITIC) for name in tensors) != ("state_features" in labels):
        raise CheckpointError(
            f"checkpoint {path}: a critic's layers and state_features belong together"
        )
    judging = {name: tensors.pop(name) for name in list(tensors) if name.startswith(CRITIC)}
    if adviser and description:
        _check_label(path, labels, "action_features", _told(description.spec))
        layers = _layers_of(path, tensors, description.spec.size, 1)
        critic = _critic_of(path, labels, judging, description) if judging else None
        return ActionValueNetwork(layers, adviser, description, critic)
    if judging:
        raise CheckpointError(f"checkpoint {path}: only what weighs moves may have a critic")
    actions = len(game.actions)
    inputs = game.observation_spec.size + (actions if adviser else 0)
    return Network(_layers_of(path, tensors, inputs, actions), adviser)


def _critic_of(
    path: Path, labels: Mapping[str, str], tensors: Tensors, description: FeatureSpec
) -> ValueNetwork:
    spec = description.state_spec
    _check_label(path, labels, "state_features", _told(spec))
    try:
        win_worth, lead = map(float, labels.get("value_target", "").split())
    except ValueError:
        win_worth = lead = 0.0
    if not (MIN_BONUS <= win_worth <= MAX_BONUS and MIN_BONUS <= lead <= MAX_BONUS):
        raise CheckpointError(
            f"checkpoint {path}: value_target must be two numbers from {MIN_BONUS} to {MAX_BONUS}"
        )
    layers = _layers_of(path, tensors, spec.size, 1, CRITIC)
    return ValueNetwork(layers, description, ValueTarget(win_worth, lead))


def _tensors_of(layers: Sequence[Layer], prefix: str = "") -> Tensors:
    """Layers by the names that they have in a file."""
    return {
        f"{prefix}{number}.{name}": part
        for number, layer in enumerate(layers)
        for name, part in zip(("weight", "bias"), layer, strict=True)
    }


def _in_order(content: bytes) -> bytes:
    """A file's content with the names in its header, which safetensors writes in any, in order."""
    start, (size,) = _SIZE.size, _SIZE.unpack_from(content)
    names = json.loads(content[start : start + size])
    header = json.dumps(names, sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _SIZE.size)
    return _SIZE.pack(len(header)) + header + content[start + size :]


def _read(path: Path) -> tuple[Mapping[str, str], Tensors]:
    """A file's metadata and tensors."""
    try:
        with safe_open(path, framework="numpy") as file:
            labels = file.metadata() or {}
            kinds = {file.get_slice(name).get_dtype() for name in file.keys()}  # noqa: SIM118
            if kinds != {"F32"}:
                raise CheckpointError(f"checkpoint {path}: must hold float32 numbers only")
            return labels, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"cannot read checkpoint {path}: {error}") from None


def _layers_of(
    path: Path, tensors: Tensors, inputs: int, outputs: int, prefix: str = ""
) -> list[Layer]:
    """The layers of a perceptron that takes and gives so many numbers."""
    count = len(tensors) // 2
    wanted = {f"{prefix}{k}.{part}" for k in range(count) for part in ("weight", "bias")}
    if not count or set(tensors) != wanted:
        raise CheckpointError(f"checkpoint {path}: not the layers of a perceptron")
    names = [f"{prefix}{k}" for k in range(count)]
    layers = [(tensors[f"{name}.weight"], tensors[f"{name}.bias"]) for name in names]
    _check_widths(path, layers, inputs, outputs)
    return layers


def _check_label(path: Path, labels: Mapping[str, str], name: str, wanted: str) -> None:
    if labels.get(name) != wanted:
        raise CheckpointError(
            f"checkpoint {path}: {name} is {labels.get(name)!r}, this needs {wanted!r}"
        )


def _check_widths(path: Path, layers: list[Layer], inputs: int, outputs: int) -> None:
    width = inputs
    for weight, bias in layers:
        if weight.ndim != 2 or weight.shape[1] != width or bias.shape != weight.shape[:1]:
            raise CheckpointError(f"checkpoint {path}: layers do not fit together")
        if not weight.size:
            raise CheckpointError(f"checkpoint {path}: has a layer without numbers")
        if not (abs(weight).max() <= MAX_WEIGHT and abs(bias).max() <= MAX_WEIGHT):
            raise CheckpointError(f"checkpoint {path}: has weights that are no numbers or huge")
        width = weight.shape[0]
    if width != outputs:
        raise CheckpointError(f"checkpoint {path}: gives {width} numbers, not {outputs}")


def labels_of(game: Game) -> dict[str, str]:
    """What a checkpoint must say of itself to be used with a game."""
    return {"format": FORMAT, "environment": game.id, "observation": _told(game.observation_spec)}


def _told(spec: ObservationSpec) -> str:
    """Slices in a line: by that a network's inputs are known."""
    return ",".join(f"{entry.name}:{entry.size}/{entry.scale:g}" for entry in spec)
