"""Duplicate tournaments: every line-up plays every deal in every arrangement of its seats."""

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext

from ..agents.registry import fingerprint
from .config import TournamentConfig
from .guard import Player
from .recorder import SINGLE
from .results import Results, differences, read_results
from .shards import Shard, play_shard
from .store import Store, StoreError, plan_to_json
from .stored_games import read_games
from .workers import Progress, TimeLimit, check_workers, play_shards

# The stopping rule looks at the ends of blocks, first after so many deals, then each time a
# quarter more have been played: every look is another chance to stop by luck.
FIRST_LOOK = 50
_MORE = 1.25


def run_tournament(
    plan: TournamentConfig,
    players: Sequence[Player] | None = None,
    *,
    store: Store | None = None,
    workers: int = 1,
    limit: TimeLimit | None = None,
    on_block: Callable[[int], None] = lambda _: None,
    on_progress: Progress = lambda _: None,
) -> Results:
    """Play a tournament and return what it has shown.

    players: the agents of `plan.names`, who play in this process without a time limit; left out,
    worker processes make them by their names (a script then needs its `if __name__ ==
    "__main__":`, as always with processes). store: where the games go, by default to memory.
    on_block: called with the number of each block once it is stored. on_progress: called with the
    number of games that are over.

    workers: how many processes. An agent at fault forfeits the game. Raises StoreError as `begin`
    does, AgentError when an agent cannot be made, and SettingsError for no workers.
    """
    check_workers(workers)
    with nullcontext(store) if store else Store.create(None, plan.game, dict(plan.rules)) as kept:
        run = begin(kept, plan, by_name=players is None)
        return go_on(
            kept,
            run,
            players,
            workers=workers,
            limit=limit,
            on_block=on_block,
            on_progress=on_progress,
        )


def begin(store: Store, plan: TournamentConfig, *, by_name: bool = True) -> int:
    """Note a tournament in a store and return its number; one played there already is that one.

    by_name: whether the names are those of the registry, so that checkpoints can be told apart.
    Raises StoreError when the store has another game or other rules, or an unfinished tournament.
    """
    store.check_game(plan.game, dict(plan.rules))
    marks = _fingerprints(plan, by_name)
    for run, noted, _, finished in store.runs():
        if not finished:
            raise StoreError(f"{store.path} has an unfinished tournament; --resume goes on with it")
        if noted == plan_to_json(plan, marks):
            return run
    return store.begin_run(plan, marks)


def unfinished(store: Store) -> int:
    """The tournament to resume, or the last when all are finished. Raises StoreError for none."""
    runs = [run for run in store.runs() if json.loads(run[1])["format"] != SINGLE]
    if not runs:
        raise StoreError(f"{store.path} has no tournament to resume")
    return next((run for run, _, _, finished in runs if not finished), runs[-1][0])


def go_on(
    store: Store,
    run: int,
    players: Sequence[Player] | None = None,
    *,
    workers: int = 1,
    limit: TimeLimit | None = None,
    on_block: Callable[[int], None] = lambda _: None,
    on_progress: Progress = lambda _: None,
) -> Results:
    """Play what is missing of a tournament; the result does not tell that it was interrupted.

    workers: processes that play at a time. Raises StoreError when an agent's checkpoint has changed
    since, and SettingsError for no workers.
    """
    check_workers(workers)
    plan = store.plan(run)
    marks = zip(_fingerprints(plan, players is None), store.fingerprints(run), strict=True)
    for name, (now, then) in zip(plan.names, marks, strict=True):
        if now != then:
            raise StoreError(f"agent {name!r} has changed since the tournament was begun")
    deals, finished = store.one("SELECT deals, finished FROM runs WHERE run = ?", (run,))
    first = -(-deals // plan.block_deals)
    look_after = looks(plan)
    if not finished and first - 1 in look_after and narrow_enough(store, run, plan):
        finished = True
    if not finished:
        blocks = range(first, plan.blocks)
        over = deals * plan.games_a_deal

        def progress(games: int) -> None:
            on_progress(over + games)

        if players is None:
            source = play_shards(plan, blocks, workers, limit or TimeLimit(), progress)
        else:
            source = _play_here(plan, blocks, players, progress)
        with closing(source):
            for block in source:
                store.add(run, plan, block)
                on_block(block.number)
                if block.number in look_after and narrow_enough(store, run, plan):
                    break
    store.finish(run)
    return read_results(store, run)


def looks(plan: TournamentConfig) -> set[int]:
    """The blocks after which the stopping rule looks."""
    if plan.until is None:
        return set()
    found, due = set(), float(FIRST_LOOK)
    for block in range(plan.blocks):
        played = plan.deals_in(block).stop
        if played >= due:
            found.add(block)
            due = played * _MORE
    return found


def narrow_enough(store: Store, run: int, plan: TournamentConfig) -> bool:
    """Whether every difference of win shares is known as narrowly as the plan wants.

    One that never varied is not known yet: its interval has no width, however few the deals.
    """
    found = differences(plan, read_games(store, run, plan), range(len(plan.names)))
    widths = [one.win_share.width for one in found]
    return plan.until is not None and min(widths) > 0 and max(widths) < plan.until


def _play_here(
    plan: TournamentConfig, numbers: range, players: Sequence[Player], on_progress: Progress
) -> Generator[Shard, None, None]:
    """Play blocks in this process."""
    over = 0

    def finished(games: int) -> None:
        nonlocal over
        over += games
        on_progress(over)

    for number in numbers:
        yield play_shard(plan, number, players, on_finished=finished)


def _fingerprints(plan: TournamentConfig, by_name: bool) -> list[str]:
    return [fingerprint(name, plan.game) if by_name else "" for name in plan.names]
