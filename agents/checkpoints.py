"""Trained networks as files.

A checkpoint is in the safetensors format: layers `0.weight`, `0.bias`, `1.weight`, ... of a
perceptron with ReLU between them. Its metadata name the environment, the observation it was
trained on, the scripted player, if any, whose advice the network hears, and how moves are described
to it, if it weighs them one by one.
"""

from collections.abc import Mapping
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from goldgriff.agents.descriptions import find_description
from goldgriff.agents.network import Layer, MoveNetwork, Network
from goldgriff.agents.scripted import find_adviser
from goldgriff.envs.core.errors import AgentError, GoldgriffError
from goldgriff.envs.core.files import write_whole
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.slices import Slices

FORMAT = "goldgriff policy 1"
MAX_WEIGHT = 1e4  # far beyond what training gives


class CheckpointError(GoldgriffError):
    """A file that is no checkpoint, or one of another game or observation."""


def save_network(path: Path, network: Network, game: Game, notes: Mapping[str, str]) -> None:
    """Write a checkpoint; `notes` (how it was trained, ...) go into its metadata."""
    tensors = {}
    for number, (weight, bias) in enumerate(network.layers):
        tensors[f"{number}.weight"] = weight
        tensors[f"{number}.bias"] = bias
    metadata = {**notes, **_labels(game)}
    if network.adviser is not None:
        metadata["adviser"] = network.adviser.name
    if isinstance(network, MoveNetwork):
        metadata["moves"] = _told(network.description.slices)
    write_whole(path, save(tensors, metadata))


def load_network(path: Path, game: Game) -> Network:
    """Read a checkpoint. Raises CheckpointError when it does not fit the game or is damaged."""
    labels, layers = _read(path)
    for name, wanted in _labels(game).items():
        _check_label(path, labels, name, wanted)
    try:
        adviser = find_adviser(labels["adviser"], game) if labels.get("adviser") else None
        description = find_description(game) if adviser and "moves" in labels else None
    except AgentError as error:
        raise CheckpointError(f"checkpoint {path}: {error}") from None
    if adviser and description:
        _check_label(path, labels, "moves", _told(description.slices))
        _check_widths(path, layers, description.slices.size, 1)
        return MoveNetwork(layers, adviser, description)
    actions = len(game.actions)
    _check_widths(path, layers, game.slices.size + (actions if adviser else 0), actions)
    return Network(layers, adviser)


def _read(path: Path) -> tuple[Mapping[str, str], list[Layer]]:
    """A file's metadata and layers."""
    try:
        with safe_open(path, framework="numpy") as file:
            labels = file.metadata() or {}
            kinds = {file.get_slice(name).get_dtype() for name in file.keys()}  # noqa: SIM118
            if kinds != {"F32"}:
                raise CheckpointError(f"checkpoint {path}: must hold float32 numbers only")
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"cannot read checkpoint {path}: {error}") from None
    count = len(tensors) // 2
    wanted = {f"{k}.{part}" for k in range(count) for part in ("weight", "bias")}
    if not count or set(tensors) != wanted:
        raise CheckpointError(f"checkpoint {path}: not the layers of a perceptron")
    return labels, [(tensors[f"{k}.weight"], tensors[f"{k}.bias"]) for k in range(count)]


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
        if not (abs(weight).max() <= MAX_WEIGHT and abs(bias).max() <= MAX_WEIGHT):
            raise CheckpointError(f"checkpoint {path}: has weights that are no numbers or huge")
        width = weight.shape[0]
    if width != outputs:
        raise CheckpointError(f"checkpoint {path}: gives {width} numbers, not {outputs}")


def _labels(game: Game) -> dict[str, str]:
    """What a checkpoint must say of itself to be used with a game."""
    return {"format": FORMAT, "environment": game.id, "observation": _told(game.slices)}


def _told(slices: Slices) -> str:
    """Slices in a line: by that a network's inputs are known."""
    return ",".join(f"{entry.name}:{entry.size}/{entry.scale:g}" for entry in slices)
