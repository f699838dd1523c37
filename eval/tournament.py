"""Duplicate tournaments: every line-up plays every deal in every arrangement of its seats."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext

from ..agents.registry import fingerprint
from ..errors import quoted
from .config import TournamentConfig
from .guard import Player
from .results import Results, differences, read_games, read_results
from .shards import Shard, play_shard
from .store import Store, StoreError, config_to_json
from .store_tables import SINGLE, read_config
from .workers import Progress, TimeLimit, check_agents, check_workers, play_shards

# The stopping rule is applied after shards only, first after this many deals, then each time a
# quarter more have been played: every test is another chance to stop early by accident.
FIRST_TEST = 50
_MORE = 1.25


def run_tournament(
    config: TournamentConfig,
    players: Sequence[Player] | None = None,
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
        players: The agents of `config.names`; they play in this process without a time limit. By
            default worker processes load the agents by name (a script then needs its `if __name__
            == "__main__":`).
        store: Where the games are kept, by default in memory.
        workers: Number of worker processes.
        limit: Time limit of the agents in worker processes.
        on_shard: Called with the number of each shard once it is stored.
        on_progress: Called with the number of games that are over.

    Raises:
        StoreError: As `begin`.
        AgentError: An agent cannot be made; one at fault in a game forfeits it.
        SettingsError: `workers` is not positive.
    """
    check_workers(workers)
    if players is None:
        check_agents(config.names, config.game, limit)
    opened = nullcontext(store) if store else Store.create(None, config.game, dict(config.rules))
    with opened as kept:
        run = begin(kept, config, by_name=players is None)
        return resume(kept, run, players, workers, limit, on_shard, on_progress)


def begin(store: Store, config: TournamentConfig, *, by_name: bool = True) -> int:
    """Add a tournament to a store and return its run; one that is there already keeps its run.

    Args:
        store: The store.
        config: The tournament.
        by_name: Whether the agents are loaded by name, so that checkpoints have fingerprints.

    Raises:
        StoreError: The store has another game, other rules or another, unfinished tournament.
    """
    store.check_game(config.game, dict(config.rules))
    fingerprints = _fingerprints(config, by_name)
    for run, stored, _, finished in store.runs():
        if stored == config_to_json(config, fingerprints):
            return run
        if not finished:
            raise StoreError(f"{store.path} has an unfinished tournament; --resume goes on with it")
    return store.begin_run(config, fingerprints)


def tournaments(store: Store) -> list[tuple[int, bool]]:
    """Return the tournaments of a store: the run of each, and whether it is finished."""
    return [
        (run, bool(finished))
        for run, config, _, finished in store.runs()
        if read_config(config)["format"] != SINGLE
    ]


def find_unfinished(store: Store) -> int:
    """Return the run to resume, or the last one when all are finished.

    Raises:
        StoreError: The store has no tournament.
    """
    runs = tournaments(store)
    if not runs:
        raise StoreError(f"{store.path} has no tournament to resume")
    return next((run for run, finished in runs if not finished), runs[-1][0])


def resume(
    store: Store,
    run: int,
    players: Sequence[Player] | None = None,
    workers: int = 1,
    limit: TimeLimit | None = None,
    on_shard: Callable[[int], None] = lambda _: None,
    on_progress: Progress = lambda _: None,
) -> Results:
    """Play what is missing of a tournament; an interruption does not change its results.

    Args:
        store: The store.
        run: The tournament.
        players: As in `run_tournament`, like the other arguments.
        workers: Number of worker processes.
        limit: Time limit of the agents in worker processes.
        on_shard: Called with the number of each shard once it is stored.
        on_progress: Called with the number of games that are over.

    Raises:
        StoreError: A checkpoint has changed since the tournament was begun.
        AgentError: An agent cannot be made.
        SettingsError: `workers` is not positive.
    """
    check_workers(workers)
    config = store.config(run)
    marks = zip(_fingerprints(config, players is None), store.fingerprints(run), strict=True)
    for name, (now, then) in zip(config.names, marks, strict=True):
        if now != then:
            raise StoreError(f"agent {quoted(name)} has changed since the tournament was begun")
    deals, finished = store.one("SELECT deals, finished FROM runs WHERE run = ?", (run,))
    store.check_games(run, config, deals)
    shards = range(-(-deals // config.deals_per_shard), config.num_shards)
    tested = shards_to_test(config)
    if not finished and not (shards.start - 1 in tested and _is_precise(store, run, config)):
        over = deals * config.games_per_deal

        def report(games: int) -> None:
            on_progress(over + games)

        if players is None:
            source = play_shards(config, shards, workers, limit or TimeLimit(), report)
        else:
            source = _play_here(config, shards, players, report)
        with closing(source):
            for shard in source:
                store.add(run, config, shard)
                on_shard(shard.number)
                if shard.number in tested and _is_precise(store, run, config):
                    break
    store.finish(run)
    return read_results(store, run)


def shards_to_test(config: TournamentConfig) -> set[int]:
    """Return the shards after which the stopping rule is applied."""
    found, due = set[int](), float(FIRST_TEST)
    for shard in range(config.num_shards if config.until is not None else 0):
        played = config.deals_in(shard).stop
        if played >= due:
            found.add(shard)
            due = played * _MORE
    return found


def _is_precise(store: Store, run: int, config: TournamentConfig) -> bool:
    """Return whether the interval of every difference is narrower than `config.until`.

    A difference that was the same in every deal is not known yet, although its interval has no
    width.
    """
    found = differences(config, read_games(store, run, config), range(len(config.names)))
    widths = [one.win_share.width for one in found]
    return config.until is not None and min(widths) > 0 and max(widths) < config.until


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


def _fingerprints(config: TournamentConfig, by_name: bool) -> list[str]:
    return [fingerprint(name, config.game) if by_name else "" for name in config.names]
