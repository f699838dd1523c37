"""Agents by name, as a checkpoint, or as a user's own object, function or `module:Class`."""

import hashlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any, Literal, TypeVar, overload

from ..envs.engine.game import Game, get_game
from ..envs.policy import Agent, Policy, RandomPolicy, run_foreign
from ..errors import AgentError, quoted
from ..naming import did_you_mean_path, import_attribute, unknown_name
from . import hub
from .callables import AgentLike, as_policy
from .checkpoints import checkpoint_content, load_network
from .ensemble import PlayerCountEnsemble, TrainedPolicy
from .heuristics import catalog
from .heuristics.catalog import AgentEntry, find_base_policy
from .levels import LEVELS, LevelPolicy
from .model_folder import CHECKPOINT, load_ensemble, load_model_folder, network_files
from .search.agent import Search

CHAMPIONS = Path(__file__).parent / "champions"  # the networks that come with the library
AgentType = TypeVar("AgentType", bound=Agent)
DEFAULT_BUDGET = "2000"
AGENTS = catalog.AGENTS

_CHAMPION_FILES: dict[str, Sequence[str]] = {}  # by game


def register_agents(
    game: str,
    scripted: Mapping[str, tuple[Callable[[], Agent], str]],
    *,
    champion: Sequence[str] = (),
) -> None:
    """Register a game's agents: `random`, its scripted ones, `champion`, its levels, and `search`.

    Args:
        game: Name of the game.
        scripted: Constructor and description by name. The one named `expert` plays for all seats
            in the rollouts of `search`; without one there is no search.
        champion: Names of the champion's files in `CHAMPIONS`, for two, three, ... players; the
            last is for all larger numbers, too.
    """

    def add(name: str, make: Callable[[], Agent], text: str, *, is_scripted: bool = False) -> None:
        AGENTS.append(AgentEntry(game, name, make, text, is_scripted))

    add("random", RandomPolicy, "picks any legal action with equal chance", is_scripted=True)
    for name, (make, text) in scripted.items():
        add(name, make, f"scripted: {text}", is_scripted=True)
    if champion:
        _CHAMPION_FILES[game] = champion
        add("champion", lambda: load_champion(game), "trained networks: docs/agents/champions.md")
        for name, level in LEVELS.items():
            add(name, partial(load_level, game, name), level.description)
    if "expert" in scripted:
        text = (
            f"searches {DEFAULT_BUDGET} sampled states for a decision; search@500 for as many, "
            "search@1s for as long"
        )
        add("search", lambda: make_search(scripted["expert"][0]()), text)


def load_champion(name: str) -> PlayerCountEnsemble:
    """Return the trained agent that comes with the library for the game of that name."""
    game = get_game(name)
    return load_ensemble(_champion_paths(game), game)


def load_level(game: str, name: str) -> LevelPolicy:
    """Return the champion of the game of that name with the errors of a level of LEVELS."""
    return LevelPolicy(load_champion(game), LEVELS[name])


def _champion_paths(game: Game) -> list[Path]:
    return [CHAMPIONS / f"{name}.safetensors" for name in _CHAMPION_FILES.get(game.name, ())]


@overload
def load_agent(agent: Literal["champion"], game: Game | str) -> PlayerCountEnsemble: ...
@overload
def load_agent(agent: AgentType, game: Game | str) -> AgentType: ...
@overload
def load_agent(agent: AgentLike, game: Game | str) -> Agent: ...
def load_agent(agent: Any, game: Game | str) -> Any:
    """Return the agent that is meant; it has `act` and `act_on`.

    Args:
        agent: A name of AGENTS, the path of a checkpoint or of a run folder with one,
            `hf://user/name` of the Hugging Face Hub (see agents/hub.py),
            `search@BUDGET` (`search@2000` for iterations, `search@1s` for seconds a decision),
            `search+NETWORK@BUDGET` with a trained network as prior policy
            (`search+champion@2000`), or `module:name` of a class that takes no arguments and has
            `act` (see `Policy`), of an object that has it, of a function that takes no arguments
            and returns one, or of a function that plays (see `FunctionAgent`). Or such a class,
            object or function that plays itself.
        game: The game it is to play, or its name.

    Raises:
        AgentError: There is no such agent, it fails to load, or it plays another game.
        CheckpointError: The checkpoint cannot be used.
        GoldgriffError: There is no such game.
    """
    game = get_game(game)
    by_name = isinstance(agent, str | Path)
    policy = _load_named(str(agent), game) if by_name else as_policy(agent)
    if policy.game not in (None, game):
        raise AgentError(code="agent-plays", other=policy.game.name, game=game.name)
    if by_name:
        policy.game = game
    return policy


def _load_named(name: str, game: Game) -> Agent:
    entries = {entry.name: entry.make for entry in AGENTS if entry.game == game.name}
    makers: dict[str, Callable[[], Agent]] = {"random": RandomPolicy} | entries
    if name in makers:
        return makers[name]()
    if os.path.isfile(name):  # unlike Path.is_file, false for a name too long to be a file's
        return load_network(Path(name), game)
    if _checkpoint_paths(name):
        return load_model_folder(Path(name), game)
    searcher, budget = _split_budget(name)
    if searcher == "search" or searcher.startswith("search+"):
        prior = _load_named(searcher[len("search+") :], game) if searcher != "search" else None
        if not isinstance(prior, TrainedPolicy | None):
            raise AgentError(f"agent {quoted(name)}: the prior policy of a search must be trained")
        return make_search(find_base_policy("expert", game).policy, budget, prior)
    if is_code(name):
        return _make_own(name)
    elsewhere = next((entry.game for entry in AGENTS if entry.name == name), None)
    if elsewhere:
        raise AgentError(code="agent-elsewhere", name=quoted(name), other=elsewhere, game=game.name)
    if hub.is_hub_id(name):
        return load_model_folder(hub.download(name), game)
    raise _unknown_agent(name, list(makers))


def _unknown_agent(name: str, names: Sequence[str]) -> AgentError:
    """Return the error for a name that stands for no agent: of a file, if it may be a path."""
    try:
        os.stat(Path(name) / CHECKPOINT)
    except PermissionError as error:
        return AgentError(code="agent-unread", name=quoted(name), why=error.strerror)
    except (OSError, ValueError):
        pass
    if "/" in name:
        meant = did_you_mean_path(Path(name)) or "; of the Hugging Face Hub: hf://user/name"
        return AgentError(code="no-checkpoint", name=quoted(name), meant=meant)
    others = (
        "search@BUDGET",
        "the path of a checkpoint or of a run folder",
        "hf://user/name of the Hugging Face Hub (extra hub)",
        "or module:Class",
    )
    return unknown_name(AgentError, "agent", name, [*names, *others], "give")


def is_code(name: str) -> bool:
    """Return whether loading the agent of a name may run code: that of a user's module."""
    return ":" in name and not is_remote(name) and not _checkpoint_paths(name)


def is_remote(name: str) -> bool:
    """Return whether loading the agent of a name, or its prior policy, asks the Hub for it."""
    network = _split_budget(name)[0].removeprefix("search+")
    return hub.is_hub_id(network) and not _checkpoint_paths(network)


def make_search(
    base_policy: Policy, budget: str = DEFAULT_BUDGET, prior: TrainedPolicy | None = None
) -> Search:
    """Return a search with a budget given as text.

    Args:
        base_policy: See `Search`.
        budget: Iterations (`2000`) or seconds (`1s`, `0.2s`) for each decision.
        prior: See `Search`.

    Raises:
        AgentError: The budget is none, or the base policy is not compiled.
    """
    number = budget.removesuffix("s")
    if not re.fullmatch(r"\d{1,7}" if number == budget else r"\d{1,4}(\.\d+)?", number):
        raise AgentError(
            f"unknown budget {quoted(budget)}; give iterations, as in search@2000, or seconds, as "
            "in search@1s"
        )
    if float(number) == 0:
        raise AgentError("the budget of a search must be more than 0")
    if number == budget:
        return Search(base_policy, prior=prior, iterations=int(number))
    return Search(base_policy, prior=prior, seconds=float(number))


def fingerprint(name: str, game: Game | str) -> str:
    """Return the first 16 hex digits of the SHA-256 of an agent's weights; "" for one without."""
    name, game = _split_budget(name)[0].removeprefix("search+"), get_game(game)
    is_champion = name == "champion" or name in LEVELS
    paths = _champion_paths(game) if is_champion else _checkpoint_paths(name)
    if not paths and hub.is_hub_id(name):
        folder = hub.downloaded(name)
        paths = network_files(folder) if folder else []
    content = b"".join(map(checkpoint_content, paths))
    return hashlib.sha256(content).hexdigest()[:16] if content else ""


def _split_budget(name: str) -> tuple[str, str]:
    """Split `search@BUDGET`; the budget is the default one where the name gives none."""
    searcher, at, budget = name.rpartition("@")
    is_search = searcher == "search" or searcher.startswith("search+")
    return (searcher, budget) if at and is_search else (name, DEFAULT_BUDGET)


def _checkpoint_paths(name: str) -> list[Path]:
    """Return the checkpoints that a name stands for, if it is a file or a folder with some."""
    if os.path.isfile(name):
        return [Path(name)]
    return network_files(Path(name)) if os.path.isdir(name) else []


def _make_own(name: str) -> Agent:
    """Make a user's own agent, from a module on the path or in the current folder."""

    def make() -> Agent:
        agent = import_attribute(name)
        if not isinstance(agent, type) and not hasattr(agent, "act") and _makes_agent(agent):
            agent = agent()
        return as_policy(agent)

    try:
        return run_foreign(make)
    except AgentError as error:
        raise AgentError(code="agent-code", name=quoted(name), reason=error) from None


def _makes_agent(function: Any) -> bool:
    """Return whether a function can be called without arguments."""
    try:
        signature(function).bind()
    except (TypeError, ValueError):
        return False
    return True
