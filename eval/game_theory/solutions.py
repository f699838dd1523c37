"""Solutions as files: the strategies of all players, in the safetensors format.

A file holds a tensor for each player, uint16: the probabilities of the actions in 65535ths, in the
order of the information states of the tree (see `Side`). Those that the player never reaches by its
own strategy are left out: what it plays there changes nothing, and it is read as uniform. So the
information states are not stored. The tree of the settings, which takes a moment to build, has
them; its SHA-256 is in the metadata, beside the settings and what the solution is worth.

`goldgriff solve` writes these files; some come with the library.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load, save

from ...agents.checkpoints import with_checksum
from ...envs.engine.compile import kernel
from ...errors import GoldgriffError, one_line, quoted
from ...files import check_file, write_whole
from .strategies import Strategies, nash_conv, values, write_plan
from .tree import EMPTY, SequenceForm, Side

FORMAT = "goldgriff solution 1"
MAX_BYTES = 2**32  # of a file
FOLDER = Path(__file__).parent / "solutions"  # those that come with the library
SCALE = 65535  # a probability of 1


class SolutionError(GoldgriffError):
    """A file that is no solution, or one of another tree."""


@dataclass(frozen=True)
class Solution:
    """The strategies of all players, as a file holds them.

    Attributes:
        strategies: For each player float64 (sequences,); see strategies.py.
        metadata: What the file says: `nash_conv`, `value`, `iterations`, `settings`, ...
    """

    strategies: Strategies
    metadata: dict[str, str]


def quantised(tree: SequenceForm, strategies: Strategies) -> Strategies:
    """Return strategies as they come back out of a file."""
    pairs = zip(tree.sides, strategies, strict=True)
    return [_decode(side, _encode(side, strategy)) for side, strategy in pairs]


def save_solution(
    path: Path, tree: SequenceForm, strategies: Strategies, notes: dict[str, str]
) -> None:
    """Write a solution, whole or not at all; `notes` go into the metadata."""
    stored = quantised(tree, strategies)
    metadata = {
        **notes,
        "format": FORMAT,
        "environment": tree.game.id,
        "settings": json.dumps(tree.settings.to_dict()),
        "tree": fingerprint_tree(tree),
        "value": json.dumps(values(tree, stored).tolist()),
        "nash_conv": f"{nash_conv(tree, stored):.3e}",
    }
    pairs = enumerate(zip(tree.sides, strategies, strict=True))
    tensors = {f"player{seat}": _encode(side, strategy) for seat, (side, strategy) in pairs}
    write_whole(path, with_checksum(save(tensors, metadata)))


def load_solution(path: Path, tree: SequenceForm) -> Solution:
    """Return the solution of a file.

    Raises:
        SolutionError: It is damaged or of another tree.
    """
    metadata, tensors = read_tensors(path, tree)
    numbers = (tensors[f"player{seat}"] for seat in range(len(tree.sides)))
    strategies = [_decode(*pair) for pair in zip(tree.sides, numbers, strict=True)]
    return Solution(strategies, metadata)


def read_tensors(
    path: Path, tree: SequenceForm, form: str = FORMAT
) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """Return the metadata and the tensors of a file.

    Args:
        path: The file.
        tree: The tree that its metadata must name.
        form: Its format.

    Raises:
        SolutionError: It is damaged, of another tree or of another format.
    """
    notes, content = _read_whole(path, form)
    if notes["tree"] != fingerprint_tree(tree):
        raise SolutionError(f"{quoted(str(path))} is of other settings or rules")
    return notes, load(content)


def _read_whole(path: Path, form: str = FORMAT) -> tuple[dict[str, str], bytes]:
    """Return the metadata and the content of a file that has its checksum."""
    notes, content = read_notes(path, form), path.read_bytes()
    if with_checksum(content) != content:
        raise SolutionError(f"{quoted(str(path))} is damaged; its checksum differs")
    return notes, content


def read_notes(path: Path, form: str = FORMAT) -> dict[str, str]:
    """Return the metadata of a file: `value`, `nash_conv` and more, see `Solution`.

    Raises:
        SolutionError: It is no file of this format.
    """
    try:
        check_file(path, MAX_BYTES)
        with safe_open(path, framework="numpy") as file:
            notes: dict[str, str] = file.metadata() or {}
    except (OSError, SafetensorError) as error:
        raise SolutionError(f"cannot read solution {path}: {one_line(str(error))}") from None
    if notes.get("format") != form:
        raise SolutionError(f"{path} is no solution of this version")
    return notes


def solution_data(path: Path) -> dict[str, Any]:
    """Return what a file says of its solution, as plain data.

    `values` has the value of each player, `correlated_gap` is None in games of two players.

    Raises:
        SolutionError: It is no solution, or damaged.
    """
    notes, _ = _read_whole(path)
    gap = notes.get("correlated_gap")
    return {
        "file": str(path),
        "game": notes["environment"],
        "settings": json.loads(notes["settings"]),
        "iterations": int(notes["iterations"]),
        "nash_conv": float(notes["nash_conv"]),
        "correlated_gap": None if gap is None else float(gap),
        "values": json.loads(notes["value"]),
    }


def is_solution(name: str) -> bool:
    """Return whether a name is that of a file with a solution."""
    try:
        return bool(read_notes(Path(name)))
    except SolutionError:
        return False


def shipped_path(tree: SequenceForm) -> Path:
    """Return the file of the solution that comes with the library.

    Raises:
        SolutionError: The settings are those of no preset that has one.
    """
    presets = tree.game.settings.PRESETS
    names = [name for name in presets if path_of(tree.game.name, name).exists()]
    for name in names:
        if tree.settings == tree.game.settings.from_dict({"preset": name}):
            return path_of(tree.game.name, name)
    raise SolutionError(
        f"no solution of these settings of {tree.game.title} comes with the library; presets with "
        f"one: {', '.join(names) or 'none'}; goldgriff solve makes one of other settings"
    )


def path_of(game: str, preset: str) -> Path:
    """Return where the solution of a preset lies, if there is one."""
    return FOLDER / f"{game}-{preset}.safetensors"


def fingerprint_tree(tree: SequenceForm) -> str:
    """Return the SHA-256 of what the players can do in a tree."""
    digest = hashlib.sha256(tree.game.id.encode())
    for side in tree.sides:
        for array in (side.parents, side.starts, side.actions):
            digest.update(array.astype("<i8").tobytes())
    return digest.hexdigest()


def _encode(side: Side, strategy: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Return the numbers of a file for the strategy of a player."""
    numbers, plan = (strategy * SCALE + 0.5).astype(np.uint16), np.zeros(side.num_sequences)
    write_plan(side.parents, side.starts, (numbers > 0).astype(np.float64), plan)
    is_reached = plan[side.parents] > 0
    return numbers[1:][is_reached[side.owners[1:]]]


def _decode(side: Side, numbers: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Return the strategy of a player from the numbers of a file."""
    strategy, reached = side.uniform(), np.zeros(side.num_sequences, np.uint16)
    decode(side.parents, side.starts, numbers, reached, strategy)
    return strategy


@kernel
def decode(parents: Any, starts: Any, numbers: Any, reached: Any, strategy: Any) -> None:
    """Write a strategy out of the numbers of a file.

    Args:
        parents: See `Side`.
        starts: See `Side`.
        numbers: uint16.
        reached: uint16 (sequences,), zeros; written.
        strategy: float64 (sequences,); left as it is where nothing is reached.
    """
    reached[EMPTY], count = 1, 0
    for infoset in range(len(parents)):
        if reached[parents[infoset]] == 0:
            continue
        first, end, total = starts[infoset], starts[infoset + 1], 0.0
        for place in range(count, count + end - first):
            total += float(numbers[place])
        for sequence in range(first, end):
            if total > 0.0:
                strategy[sequence] = float(numbers[count]) / total
            reached[sequence] = numbers[count] > 0
            count += 1
