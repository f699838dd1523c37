"""Trained networks as files.

A checkpoint is in the safetensors format: layers `0.weight`, `0.bias`, `1.weight`, ... of a
perceptron with ReLU between them. Its metadata name the environment and its observation; the base
policy, if its action is an input of the network; and the features of states and actions, if the
network values actions one by one, with its margin, and whether it asks the base policy. Such a
network may come with a critic: layers `critic.0.weight`, ..., its inputs, and the value target of
its estimates. The metadata end with the SHA-256 of the file.
"""

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from ..envs.engine.game import Game, get_game
from ..envs.engine.observation import ObservationSpec
from ..envs.engine.preview import action_spec, state_spec
from ..errors import AgentError, GoldgriffError, one_line, quoted
from ..files import read_limited, write_whole
from ..naming import counted
from .heuristics.catalog import find_base_policy
from .mlp import Layer
from .network import ActionValueNetwork, Network
from .value import MAX_BONUS, MIN_BONUS, ValueNetwork, ValueTarget, critic_spec

FORMAT = "goldgriff policy 2"
CRITIC = "critic."  # before the names of a critic's layers
CHECKSUM = "sha256"  # in the metadata
MAX_WEIGHT = 1e4  # far beyond what training gives
MAX_BYTES = 2**32  # more than the largest network that `train` makes
OWN_LABELS = {  # what `save_network` writes into the metadata beside the notes
    *("format", "environment", "observation", "base_policy", "action_features", "state_features"),
    *("margin", "advice", "value_target", CHECKSUM),
}
_SIZE = struct.Struct("<Q")  # what a file begins with: the size of its header, in whole such words
_NO_CHECKSUM = "0" * 64

Tensors = dict[str, NDArray[np.float32]]


class CheckpointError(GoldgriffError):
    """A file that is no checkpoint, or one of another format, game or observation."""


def unusable(path: Path, why: str) -> CheckpointError:
    """Return the error about a checkpoint that is none, or does not fit."""
    return CheckpointError(code="checkpoint", path=path, why=why)


def save_network(path: Path, network: Network, game: Game | str, notes: Mapping[str, str]) -> None:
    """Write a checkpoint; `notes` (how it was trained, ...) go into its metadata."""
    write_whole(path, network_content(network, get_game(game), notes))


def network_content(network: Network, game: Game, notes: Mapping[str, str]) -> bytes:
    """Return the content of a checkpoint.

    The same network and notes give the same bytes, and so the same fingerprint.
    """
    tensors = _tensors_of(network.layers)
    metadata = {**notes, **labels_of(game)}
    if network.base_policy is not None:
        metadata["base_policy"] = network.base_policy.name
    if isinstance(network, ActionValueNetwork):
        metadata["action_features"] = _action_features(game)
        metadata["margin"], metadata["advice"] = str(network.margin), str(network.advice)
        if network.critic:
            tensors |= _tensors_of(network.critic.layers, CRITIC)
            metadata["state_features"] = _summary(critic_spec(game))
            metadata["value_target"] = " ".join(map(str, network.critic.value_target))
    return with_checksum(save(tensors, metadata))


def load_network(path: Path, game: Game | str) -> Network:
    """Return the network of a checkpoint, with its notes.

    Raises:
        CheckpointError: The file is damaged, of an older format or version of the game, or does
            not fit the game.
    """
    checkpoint = _Checkpoint(path, get_game(game))
    network = checkpoint.network()
    notes = checkpoint.labels.items()
    network.notes = {name: text for name, text in notes if name not in OWN_LABELS}
    return network


class _Checkpoint:
    """The labels and tensors of a file, which are checked where they are used.

    Attributes:
        labels: Its metadata.
    """

    def __init__(self, path: Path, game: Game) -> None:
        """Read the file; raise CheckpointError where it is none, or not as it was written."""
        self._path, self._game = path, game
        if path.suffix == ".py":
            raise CheckpointError(
                f"{path} is code, no checkpoint: name an agent in it, {path.stem}:NAME"
            )
        content = checkpoint_content(path)
        try:
            with safe_open(path, framework="numpy") as file:
                self.labels: Mapping[str, str] = file.metadata() or {}
                dtypes = {file.get_slice(name).get_dtype() for name in file.keys()}  # noqa: SIM118
                if dtypes != {"F32"}:
                    raise unusable(path, "must hold float32 numbers only")
                self._tensors: Tensors = {
                    name: file.get_tensor(name)
                    for name in file.keys()  # noqa: SIM118
                }
        except (OSError, SafetensorError) as error:
            raise _unread(path, error) from None
        self._check("format", FORMAT)
        checksum = self.labels.get(CHECKSUM, "")
        blank = content.replace(_entry(checksum), _entry(_NO_CHECKSUM), 1)
        if len(checksum) != len(_NO_CHECKSUM) or hashlib.sha256(blank).hexdigest() != checksum:
            raise unusable(path, "is damaged; its checksum differs")

    def network(self) -> Network:
        """Return the network."""
        game, labels = self._game, self.labels
        for label, needed in labels_of(game).items():
            self._check(label, needed)
        try:
            name = labels.get("base_policy")
            base_policy = find_base_policy(name, game) if name else None
        except AgentError as error:
            raise unusable(self._path, str(error)) from None
        has_critic = any(name.startswith(CRITIC) for name in self._tensors)
        if has_critic != ("state_features" in labels):
            raise unusable(self._path, "a critic's layers and state_features belong together")
        if base_policy and "action_features" in labels:
            self._check("action_features", _action_features(game))
            (margin,) = self._numbers("margin", 1, 0.0)
            advice = labels.get("advice")
            if advice not in ("True", "False"):
                raise unusable(self._path, "advice must be True or False")
            layers = self._layers(state_spec(game).size + action_spec(game).size, 1)
            options: dict[str, Any] = {"margin": margin, "advice": advice == "True"}
            critic = self._critic() if has_critic else None
            return ActionValueNetwork(layers, base_policy, game, critic, **options)
        if has_critic:
            raise unusable(self._path, "a critic needs action_features and base_policy")
        actions = len(game.actions)
        inputs = game.observation_spec.size + (actions if base_policy else 0)
        return Network(self._layers(inputs, actions), base_policy)

    def _critic(self) -> ValueNetwork:
        spec = critic_spec(self._game)
        self._check("state_features", _summary(spec))
        target = ValueTarget(*self._numbers("value_target", 2, MIN_BONUS))
        return ValueNetwork(self._layers(spec.size, 1, CRITIC), self._game, target)

    def _check(self, label: str, needed: str) -> None:
        """Refuse a label that is not as it must be."""
        if self.labels.get(label) != needed:
            text = quoted(self.labels[label]) if label in self.labels else "missing"
            raise unusable(self._path, f"{label} is {text}, needed is {needed!r}")

    def _numbers(self, label: str, count: int, least: float) -> list[float]:
        """Return the numbers of a label, which are from `least` to MAX_BONUS."""
        try:
            numbers = [float(text) for text in self.labels.get(label, "").split()]
        except ValueError:
            numbers = []
        if len(numbers) != count or not all(least <= number <= MAX_BONUS for number in numbers):
            wanted = f"{counted(count, 'number')} from {least:g} to {MAX_BONUS}"
            raise unusable(self._path, f"{label} must be {wanted}")
        return numbers

    def _layers(self, inputs: int, outputs: int, prefix: str = "") -> list[Layer]:
        """Return the layers of a perceptron with so many inputs and outputs."""
        own = {name for name in self._tensors if name.startswith(CRITIC) == bool(prefix)}
        names = [f"{prefix}{number}" for number in range(len(own) // 2)]
        if not own or own != {f"{name}.{part}" for name in names for part in ("weight", "bias")}:
            raise unusable(self._path, "not the layers of a perceptron")
        tensors, width = self._tensors, inputs
        layers = [(tensors[f"{name}.weight"], tensors[f"{name}.bias"]) for name in names]
        for weight, bias in layers:
            if weight.ndim != 2 or weight.shape[1] != width or bias.shape != weight.shape[:1]:
                raise unusable(self._path, "layers do not fit together")
            if not weight.size:
                raise unusable(self._path, "has a layer without numbers")
            if not (abs(weight).max() <= MAX_WEIGHT and abs(bias).max() <= MAX_WEIGHT):
                raise unusable(self._path, "has weights that are no numbers or huge")
            width = weight.shape[0]
        if width != outputs:
            raise unusable(self._path, f"gives {width} numbers, not {outputs}")
        return layers


def _tensors_of(layers: Sequence[Layer], prefix: str = "") -> Tensors:
    """Return layers by the names that they have in a file."""
    return {
        f"{prefix}{number}.{name}": array
        for number, layer in enumerate(layers)
        for name, array in zip(("weight", "bias"), layer, strict=True)
    }


def with_checksum(content: bytes) -> bytes:
    """Return a file's content with its SHA-256, which `load_network` needs, in its metadata.

    It is that of the content with zeros in its place. The names in the header, which safetensors
    shuffles, are sorted.
    """
    start, (size,) = _SIZE.size, _SIZE.unpack_from(content)
    names = json.loads(content[start : start + size])
    names["__metadata__"][CHECKSUM] = _NO_CHECKSUM
    header = json.dumps(names, sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _SIZE.size)
    blank = _SIZE.pack(len(header)) + header + content[start + size :]
    checksum = hashlib.sha256(blank).hexdigest()
    return blank.replace(_entry(_NO_CHECKSUM), _entry(checksum), 1)


def _entry(checksum: str) -> bytes:
    """Return a checksum as it stands in a header."""
    return f'"{CHECKSUM}":"{checksum}"'.encode()


def checkpoint_content(path: Path) -> bytes:
    """Return the content of a checkpoint, unread. Raises CheckpointError where it cannot be had."""
    try:
        return read_limited(path, MAX_BYTES)
    except OSError as error:
        raise _unread(path, error) from None


def _unread(path: Path, error: Exception) -> CheckpointError:
    return CheckpointError(code="checkpoint-unread", path=path, why=one_line(str(error)))


def labels_of(game: Game) -> dict[str, str]:
    """Return the metadata that a checkpoint must have to be used with a game."""
    return {
        "format": FORMAT,
        "environment": game.id,
        "observation": _summary(game.observation_spec),
    }


def _action_features(game: Game) -> str:
    """Return the summary of the inputs of networks that value actions one by one."""
    return f"{_summary(state_spec(game))}|{_summary(action_spec(game))}"


def _summary(spec: ObservationSpec) -> str:
    """Return the fields in one line, by which a network's inputs are recognised."""
    return ",".join(f"{entry.name}:{entry.size}/{entry.scale:g}" for entry in spec)
