"""Duplicate tournaments: every line-up plays every deal with every agent in every seat."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext

from ...agents.registry import fingerprint
from ...errors import quoted
from ..workers.ray import RayCluster
from ..workers.shard_players import Progress, TimeLimit, check_agents, play_shards
from ..workers.sources import AgentSource
from ..workers.tasks import check_workers
from ..workers.warm_up import compile_for
from .config import TournamentConfig
from .guard import Player
from .results import Results, differences, read_games, read_results
from .shards import Shard, play_shard
from .store import Store, StoreError
from .store_rows import config_to_json

# The stopping rule is applied after shards only, first after this many deals, then each time a
# quarter more have been played: every test is another chance to stop early by accident.
FIRST_TEST = 50
_MORE = 1.25

# Agents in the order of `config.names`: loaded, or as sources for other processes.
Agents = Sequence[Player] | Sequence[AgentSource]


def run_tournament(
    config: TournamentConfig,
    agents: Agents | None = None,
    *,
    store: Store | None = None,
    workers: int = 1,
    limit: TimeLimit | None = None,
    on_shard: Callable[[int], None] = lambda _: None,
    on_progress: Progress = lambda _: None,
) -> Results:
    """Play a tournament and return its results.

    Args:
        config: The tournament.
        agents: The agents of `config.names`. A `Player` plays in this process without a time limit;
            worker processes make those that are sources. By default they load all by name.
        store: Where the games are kept, by default in memory.
        workers: Number of worker processes.
        limit: Time limit of the agents in worker processes.
        on_shard: Called with the number of each shard that has been played.
        on_progress: Called with the number of games that are over.

    Raises:
        StoreError: As `begin`.
        AgentError: An agent cannot be made; one at fault in a game forfeits it.
        SettingsError: `workers` is not positive.
    """
    if agents is None:
        check_agents(config.names, config.game, limit)
    with merge_shards(config, agents, store) as merger:
        return resume(merger, agents, workers, limit, on_shard, on_progress)


def begin(store: Store, config: TournamentConfig, agents: Agents | None = None) -> int:
    """Add a tournament to a store, unless the store has it, and return its run.

    Args:
        store: The store.
        config: The tournament.
        agents: As in `run_tournament`.

    Raises:
        StoreError: The store has another game, other rules or another, unfinished tournament.
    """
    store.check_game(config.game, dict(config.rules))
    fingerprints = [
        agent.fingerprint if isinstance(agent, Player) else agent.fingerprint(config.game)
        for agent in agents or map(AgentSource.named, config.names)
    ]
    for run, text, finished in store.tournaments():
        if text == config_to_json(config, fingerprints):
            return run
        if not finished:
            raise StoreError(f"{store.path} has an unfinished tournament; --resume goes on with it")
    return store.begin_run(config, fingerprints)


def find_unfinished(store: Store) -> int:
    """Return the run to resume, or the last one when all are finished.

    Raises:
        StoreError: The store has no tournament, or a checkpoint has changed since it was begun.
    """
    runs = store.tournaments()
    if not runs:
        raise StoreError(f"{store.path} has no tournament to resume")
    run = next((run for run, _, finished in runs if not finished), runs[-1][0])
    for name, mark in store.agents_of(run):
        if fingerprint(name, store.game) != mark:
            raise StoreError(f"agent {quoted(name)} has changed since the tournament was begun")
    return run


class ShardMerger:
    """Puts the shards of a tournament into a store in their order, and applies the stopping rule.

    Results do not depend on where shards are played, or on the order in which they are added.

    Attributes:
        store: The store.
        run: The tournament in it.
        config: The tournament.
        missing: Numbers of the shards that are not stored; none when the tournament is over.
    """

    def __init__(self, store: Store, run: int) -> None:
        self.store, self.run, self.config = store, run, store.config(run)
        deals, finished = store.one("SELECT deals, finished FROM runs WHERE run = ?", (run,))
        if deals:
            read_games(store, run, self.config)  # which checks that none is missing
        first = -(-deals // self.config.deals_per_shard)
        self.missing = range(first, self.config.num_shards)
        self._early = dict[int, Shard]()  # those that wait for others before them
        self._tested = shards_to_test(self.config)
        if finished or (first - 1 in self._tested and self._is_precise()):
            self._finish()

    def add(self, shard: Shard) -> bool:
        """Take a shard, in any order; return whether the tournament is over.

        Raises:
            StoreError: It is none of this tournament.
        """
        if shard.config != self.config:
            raise StoreError(f"shard {shard.number} is of another tournament")
        self._early[shard.number] = shard
        while self.missing and self.missing.start in self._early:
            due = self._early.pop(self.missing.start)
            self.store.add(self.run, self.config, due)
            self.missing = self.missing[1:]
            if not self.missing or (due.number in self._tested and self._is_precise()):
                self._finish()
        return not self.missing

    def results(self) -> Results:
        """Return the results so far, of at least one shard."""
        return read_results(self.store, self.run)

    def _finish(self) -> None:
        self.missing = range(0)
        self._early.clear()
        self.store.finish(self.run)

    def _is_precise(self) -> bool:
        """Return whether the interval of every difference is narrower than `config.until`."""
        games = read_games(self.store, self.run, self.config)
        pairs = differences(self.config, games, range(len(self.config.names)))
        widest = max(difference.win_share.width for difference in pairs)
        return self.config.until is not None and widest < self.config.until


@contextmanager
def merge_shards(
    config: TournamentConfig, agents: Agents | None = None, store: Store | None = None
) -> Iterator[ShardMerger]:
    """Begin a tournament whose shards are played elsewhere, and yield its merger.

    Args:
        config: The tournament.
        agents: As in `play_shard`; their fingerprints are stored.
        store: Where the games are kept, by default in memory.

    Raises:
        StoreError: As `begin`.
    """
    opened = nullcontext(store) if store else Store.create(None, config.game, dict(config.rules))
    with opened as kept:
        yield ShardMerger(kept, begin(kept, config, agents))


def resume(
    merger: ShardMerger,
    agents: Agents | None = None,
    workers: int = 1,
    limit: TimeLimit | None = None,
    on_shard: Callable[[int], None] = lambda _: None,
    on_progress: Progress = lambda _: None,
    cluster: RayCluster | None = None,
) -> Results:
    """Play the missing shards of a tournament; an interruption does not change its results.

    Args:
        merger: The tournament.
        agents: As in `run_tournament`, like the other arguments.
        workers: Number of worker processes.
        limit: Time limit of the agents in worker processes.
        on_shard: Called with the number of each shard that has been played.
        on_progress: Called with the number of games that are over.
        cluster: Plays the shards of agents that are sources, in place of worker processes.

    Raises:
        AgentError: An agent cannot be made.
        SettingsError: `workers` is not positive.
    """
    check_workers(workers)
    config = merger.config
    if merger.missing:
        over = merger.missing.start * config.deals_per_shard * config.games_per_deal

        def report(games: int) -> None:
            on_progress(over + games)

        players = [agent for agent in agents or () if isinstance(agent, Player)]
        if players:
            shards = _play_here(config, merger.missing, players, report)
        else:
            sources = [agent for agent in agents or () if isinstance(agent, AgentSource)]
            sources = sources or [AgentSource.named(name) for name in config.names]
            own = tuple(str(source.given) for source in sources if not source.is_code)
            compile_for(config.game, own, config.player_counts)
            limit = limit or TimeLimit()
            shards = play_shards(
                config, merger.missing, sources, limit, report, workers=workers, cluster=cluster
            )
        with closing(shards):
            for shard in shards:
                is_over = merger.add(shard)
                on_shard(shard.number)
                if is_over:
                    break
    return merger.results()


def shards_to_test(config: TournamentConfig) -> set[int]:
    """Return the shards after which the stopping rule is applied."""
    tested, due = set[int](), float(FIRST_TEST)
    for shard in range(config.num_shards if config.until is not None else 0):
        played = config.deals_in(shard).stop
        if played >= due:
            tested.add(shard)
            due = played * _MORE
    return tested


def _play_here(
    config: TournamentConfig, shards: range, players: Sequence[Player], on_progress: Progress
) -> Generator[Shard, None, None]:
    """Play shards in this process."""
    over = 0

    def count_finished(games: int) -> None:
        nonlocal over
        over += games
        on_progress(over)

    for number in shards:
        yield play_shard(config, number, players, on_finished=count_finished)
