"""`play_tournament`: a tournament in one call, from a script or a notebook."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from itertools import chain, count
from pathlib import Path
from typing import Any, Literal

from ...agents.callables import AgentLike
from ...agents.registry import load_agent
from ...envs.engine.game import Game, get_game
from ...envs.engine.reading import read_whole
from ...errors import SettingsError, quoted
from ...files import as_path, claimed, make_folder
from ..report.report import write_report
from ..workers.ray import connect
from ..workers.shard_players import TIME_LIMIT, TimeLimit, check_agents
from ..workers.sources import AgentSource
from ..workers.tasks import MAX_WORKERS
from .config import FormatName, tournament_config
from .guard import Player
from .provenance import OBJECT
from .store import open_or_create
from .tournament import merge_shards, resume
from .tournament_result import TournamentResult


def play_tournament(
    game: Game | str,
    agents: Sequence[AgentLike] | Mapping[str, AgentLike],
    *,
    num_players: int | Sequence[int] | None = None,
    deals: int = 200,
    seed: int | Literal["random"] = 1,
    format: FormatName = "round-robin",  # noqa: A002 (the option's name)
    rules: Mapping[str, Any] | None = None,
    until: float | None = None,
    workers: int = 0,
    ray: bool | str = False,
    time_limit: float | None = None,
    out: str | Path | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> TournamentResult:
    """Play a tournament and return its result.

    A script needs no `if __name__ == "__main__":`, since worker processes do not import it. An
    agent at fault forfeits the game; the result counts forfeits with their reasons.

    Args:
        game: The game, or its name.
        agents: Agents as `load_agent` takes them: names, objects with `act`, classes of such, or
            functions `(observation, action_mask, info) -> action`. An agent that is listed twice
            takes two seats. The keys of a mapping are names of your own.
        num_players: A number of players, or several: every deal is played with each of them. By
            default that of the game.
        deals: Maximum number of deals.
        seed: Seed of the deals and of the bootstrap intervals. Agents that are code could work
            out all hands from a seed that they can guess; `random` draws one, which the result has.
        format: `round-robin`: all against all; `field`: the first agent against the others.
        rules: Settings of the game by name; `preset` names those of a book.
        until: Stop when every 95 % interval of a difference in win share is narrower than this.
        workers: Number of worker processes; 0 plays in this process. Results do not depend on it.
            Functions and classes of a script or notebook are sent by cloudpickle.
        ray: Where to play instead of in worker processes; results do not depend on it. `host:port`
            is the head of a Ray cluster, `auto` a cluster that runs on this machine. True is this
            process's session, or a new one (see docs/guides/ray.md).
        time_limit: Seconds for one call of an agent, by default 10; with `workers` or `ray` only.
        out: Folder of the games and the report, as with `--out`; an unfinished tournament there is
            resumed if it is this one. By default nothing is written.
        on_progress: Called with the number of games that are over, and of all.

    Raises:
        GoldgriffError: There is no such game.
        SettingsError: A setting is not allowed.
        AgentError: An agent cannot be loaded, or cannot be sent to workers.
        StoreError: `out` holds another game, other rules or another unfinished tournament.
        FileError: `out` cannot be written to, or another process is at work there.
        GoldgriffError: Ray is not installed, or no cluster answers.
    """
    game = get_game(game)
    if not isinstance(rules, Mapping | None):
        raise SettingsError(
            f'rules must be a dict of names and values, such as {{"preset": ...}}, not '
            f"{quoted(rules)}"
        )
    workers = read_whole("workers", workers, 0, MAX_WORKERS)
    if workers and ray:
        raise SettingsError("give workers or ray: on Ray the cluster's processors play")
    if not (workers or ray) and time_limit is not None:
        raise SettingsError("time_limit needs workers or ray: only a process can be stopped")
    named, entrants = _names(agents)
    if num_players is not None and "num_players" in (rules or {}):
        raise SettingsError("num_players is given twice")
    config = tournament_config(
        game, entrants, rules, num_players, deals=deals, seed=seed, format=format, until=until
    )
    limit = TimeLimit(TIME_LIMIT if time_limit is None else time_limit)
    names = [agent for agent in named.values() if isinstance(agent, str)]
    here = not (workers or ray)
    if not here:
        check_agents(names, game, limit)
    players: Any = [_entrant(name, agent, game, here=here) for name, agent in named.items()]
    total = config.deals * config.games_per_deal

    def report(over: int) -> None:
        if on_progress:
            on_progress(over, total)

    folder = None if out is None else as_path(out)
    if folder:
        make_folder(folder)
    has_code = any(isinstance(agent, AgentSource) and agent.is_code for agent in players)
    with (
        connect(ray, code=has_code) if ray else nullcontext() as cluster,
        claimed(folder) if folder else nullcontext(),
        open_or_create(folder, config.game, dict(config.rules)) as store,
        merge_shards(config, players, store) as merger,
    ):
        results = resume(
            merger, players, max(workers, 1), limit, on_progress=report, cluster=cluster
        )
        if folder:
            write_report(results, store, folder)
        return TournamentResult(results, store.connection.serialize())


def _names(
    agents: Sequence[AgentLike] | Mapping[str, AgentLike],
) -> tuple[dict[str, Any], list[str]]:
    """Return the different agents by their names, and the names of all entrants."""
    if isinstance(agents, str | bytes) or not isinstance(agents, Sequence | Mapping):
        raise SettingsError(f"agents must be a list of agents or a dict, not {quoted(agents)}")
    if isinstance(agents, Mapping):
        return {name: _plain(agent) for name, agent in agents.items()}, list(agents)
    plain_agents = [_plain(agent) for agent in agents]
    named: dict[str, Any] = {}
    entrants = []
    for agent in plain_agents:
        name = agent
        if not isinstance(agent, str):
            base = getattr(agent, "__name__", type(agent).__name__)
            free = chain([base], (f"{base}-{number}" for number in count(2)))
            taken = {other for other in plain_agents if isinstance(other, str)}
            name = next(n for n in free if n not in taken and named.get(n, agent) is agent)
        named[name] = agent
        entrants.append(name)
    return named, entrants


def _plain(agent: AgentLike) -> Any:
    return str(agent) if isinstance(agent, Path) else agent


def _entrant(name: str, agent: Any, game: Game, *, here: bool) -> Player | AgentSource:
    """Return an agent for this process, or the source from which workers make it."""
    if isinstance(agent, str):
        source = AgentSource(name, agent)
        return source.player(game) if here else source
    policy = load_agent(agent, game)  # refused here rather than in a worker
    return Player(name, policy, OBJECT) if here else AgentSource.of_object(name, agent)
