"""Finding a player: by its name, as a checkpoint, or as a user's `module:Class`."""

import hashlib
import importlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from goldgriff.agents.auruxxx.expert import Expert as AuruxxxExpert
from goldgriff.agents.gluecksgriff.expert import Expert as GluecksgriffExpert
from goldgriff.agents.network import load_network
from goldgriff.envs.core.errors import AgentError
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.policy import Policy, RandomPolicy

CHECKPOINT = "policy.safetensors"  # the file of this name in a run folder is its newest policy


@dataclass(frozen=True)
class Entry:
    """A player that can be had by name."""

    game: str
    name: str
    make: Callable[[], Policy]
    meaning: str


_RANDOM = "picks any legal move, each as likely as the other"

AGENTS = (
    Entry("auruxxx", "random", RandomPolicy, _RANDOM),
    Entry(
        "auruxxx",
        "expert",
        AuruxxxExpert,
        "scripted: sheds fast, steals the Golden 12 in the last moment, keeps its points low",
    ),
    Entry("gluecksgriff", "random", RandomPolicy, _RANDOM),
    Entry(
        "gluecksgriff",
        "expert",
        GluecksgriffExpert,
        "scripted: sheds many points at once, knocks when it can, calls in time",
    ),
)


def find_agent(name: str, game: Game) -> Policy:
    """Find the player that a name stands for.

    name: a name of AGENTS, the path of a checkpoint or of a run folder with one, or
    `module:Class` with a class that takes no arguments and has `act` (see `Policy`).

    Raises AgentError, or CheckpointError for a checkpoint that cannot be used.
    """
    known = {entry.name: entry.make for entry in AGENTS if entry.game == game.name}
    if name in known:
        return known[name]()
    path = _checkpoint_of(name)
    if path:
        return load_network(path, game)
    module, colon, attribute = name.partition(":")
    if colon and module and attribute:
        return _make_own(name, module, attribute)
    raise AgentError(
        f"unknown agent {name!r}; give {', '.join(known)}, the path of a checkpoint or of a run "
        "folder, or module:Class"
    )


def fingerprint(name: str) -> str:
    """What tells a checkpoint from another that took its place; empty for all other agents."""
    path = _checkpoint_of(name)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path else ""


def _checkpoint_of(name: str) -> Path | None:
    """The checkpoint that a name stands for, if it does."""
    for path in (Path(name) / CHECKPOINT, Path(name)):
        if os.path.isfile(path):  # unlike Path.is_file, false for a name too long to be a file's
            return path
    return None


def _make_own(name: str, module: str, attribute: str) -> Policy:
    """Make a user's own player, from a module on the path or in the current folder."""
    sys.path.insert(0, str(Path.cwd()))
    try:
        policy = getattr(importlib.import_module(module), attribute)()
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {name!r}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.pop(0)
    if not callable(getattr(policy, "act", None)):
        raise AgentError(f"agent {name!r}: has no method act(views)")
    made: Policy = policy
    return made
