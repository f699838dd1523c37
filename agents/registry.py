"""Finding a player: by its name, as a checkpoint, or as a user's `module:Class`."""

import hashlib
import importlib
import os
import re
import sys
from pathlib import Path

from ..envs.engine.game import Game, get_game
from ..envs.policy import Policy
from ..errors import AgentError
from .checkpoints import load_network
from .ensemble import PlayerCountEnsemble, Trained
from .heuristics.auruxxx.expert import Expert as AuruxxxExpert
from .heuristics.catalog import SCRIPTED, AgentEntry
from .heuristics.gluecksgriff.expert import Expert as GluecksgriffExpert
from .search.agent import Search

CHECKPOINT = "policy.safetensors"  # the file of this name in a run folder is its player
CHAMPIONS = Path(__file__).parent / "champions"  # the networks that come with the library
# Their files, for tables of two, three, ... players; the last is for all larger ones, too.
CHAMPION_FILES = {
    "auruxxx": ("auruxxx-lookahead", "auruxxx-rollout", "auruxxx-rollout", "auruxxx-lookahead"),
    "gluecksgriff": ("gluecksgriff",),
}


def load_champion(name: str) -> PlayerCountEnsemble:
    """The trained player that comes with the library for the game of that name."""
    game = get_game(name)
    paths = _champion_of(game)
    networks = {path: load_network(path, game) for path in set(paths)}
    return PlayerCountEnsemble([networks[path] for path in paths])


def _champion_of(game: Game) -> list[Path]:
    return [CHAMPIONS / f"{name}.safetensors" for name in CHAMPION_FILES[game.name]]


DEFAULT_BUDGET = "2000"
_SEARCH = (
    f"searches {DEFAULT_BUDGET} sampled worlds for a decision; search@500 for as many, search@1s "
    "for as long"
)
_CHAMPION = "trained networks (docs/agents/champions.md)"

_TRAINED = (
    AgentEntry("auruxxx", "champion", lambda: load_champion("auruxxx"), _CHAMPION),
    AgentEntry("gluecksgriff", "champion", lambda: load_champion("gluecksgriff"), _CHAMPION),
)
_THINKING = (
    AgentEntry("auruxxx", "search", lambda: make_search(AuruxxxExpert()), _SEARCH),
    AgentEntry("gluecksgriff", "search", lambda: make_search(GluecksgriffExpert()), _SEARCH),
)
AGENTS = sorted((*SCRIPTED, *_TRAINED, *_THINKING), key=lambda entry: entry.game)


def load_agent(name: str, game: Game) -> Policy:
    """Find the player that a name stands for.

    name: a name of AGENTS, the path of a checkpoint or of a run folder with one, `search@BUDGET`
    (`search@2000` for iterations, `search@1s` for seconds a decision), `search+NETWORK@BUDGET`
    with a trained network's hunch (`search+champion@2000`), or `module:Class` with a class that
    takes no arguments and has `act` (see `Policy`).

    Raises AgentError, or CheckpointError for a checkpoint that cannot be used.
    """
    known = {entry.name: entry.make for entry in AGENTS if entry.game == game.name}
    if name in known:
        return known[name]()
    path = _checkpoint_of(name)
    if path:
        return load_network(path, game)
    thinker, budget = _thinker_of(name)
    if thinker == "search":
        return make_search(known["expert"](), budget)
    if thinker.startswith("search+"):
        hunch = load_agent(thinker.removeprefix("search+"), game)
        if not isinstance(hunch, Trained):
            raise AgentError(f"agent {name!r}: a search's hunch must be a trained network's")
        return make_search(known["expert"](), budget, hunch)
    module, colon, attribute = name.partition(":")
    if colon and module and attribute:
        return _make_own(name, module, attribute)
    elsewhere = next((entry.game for entry in AGENTS if entry.name == name), None)
    if elsewhere:
        raise AgentError(f"agent {name!r} plays {elsewhere}, not {game.name}")
    raise AgentError(
        f"unknown agent {name!r}; give {', '.join(known)}, search@BUDGET, the path of a checkpoint "
        "or of a run folder, or module:Class"
    )


def make_search(
    adviser: Policy, budget: str = DEFAULT_BUDGET, hunch: Trained | None = None
) -> Search:
    """A search that plays worlds out with `adviser`.

    budget: iterations (`2000`) or seconds (`1s`, `0.2s`) of a decision. hunch: see `Search`.

    Raises AgentError for a budget that is none and an adviser that is not compiled.
    """
    number = budget.removesuffix("s")
    if not re.fullmatch(r"\d{1,7}" if number == budget else r"\d{1,4}(\.\d+)?", number):
        raise AgentError(
            f"unknown budget {budget!r}; give iterations, as in search@2000, or seconds, as in "
            "search@1s"
        )
    if float(number) == 0:
        raise AgentError("the budget of a search must be more than 0")
    if number == budget:
        return Search(adviser, hunch=hunch, iterations=int(number))
    return Search(adviser, hunch=hunch, seconds=float(number))


def fingerprint(name: str, game: Game) -> str:
    """What tells a network from another that took its place; empty for agents without one."""
    name = _thinker_of(name)[0].removeprefix("search+")
    path = _checkpoint_of(name)
    paths = _champion_of(game) if name == "champion" else [path] if path else []
    whole = b"".join(path.read_bytes() for path in paths)
    return hashlib.sha256(whole).hexdigest()[:16] if whole else ""


def _thinker_of(name: str) -> tuple[str, str]:
    """What stands before a search's budget, and the budget, or the usual one."""
    thinker, at, budget = name.rpartition("@")
    return (thinker, budget) if at and thinker.startswith("search") else (name, DEFAULT_BUDGET)


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
