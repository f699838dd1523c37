"""The pieces of a tournament: shards that any executor plays, merged in order."""

import json
import random
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.envs.policy import ObservationBatch
from goldgriff.eval import AgentSource, Player, Shard, merge_shards, play_shard, run_tournament
from goldgriff.eval.report.report import summary
from goldgriff.eval.tournament.config import TournamentConfig
from goldgriff.eval.tournament.store import STORE, Store, StoreError
from goldgriff.eval.tournament.store_check import DamageError
from goldgriff.eval.tournament.tournament import shards_to_test

from .small import small_config


def as_json(results: Any) -> str:
    return json.dumps(summary(results))


def here(config: TournamentConfig) -> list[Player]:
    """The agents for this process, with the fingerprints of their names."""
    return [AgentSource.named(name).player(config.game) for name in config.names]


@contextmanager
def loky(workers: int) -> Iterator[Executor]:
    executor = pytest.importorskip("loky").ProcessPoolExecutor(workers)
    try:
        yield executor
    finally:
        executor.shutdown(kill_workers=True)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn")),
        lambda: ThreadPoolExecutor(3),
        lambda: loky(1),
    ],
    ids=["processes", "threads", "loky"],
)
def test_any_executor_plays_the_same_tournament(make: Any) -> None:
    config = small_config("champion", "expert", "random", deals=32)
    expected = as_json(run_tournament(config, here(config)))
    with merge_shards(config) as merger, make() as executor:
        assert merger.missing == range(config.num_shards) == range(16)
        futures = [executor.submit(play_shard, config, number) for number in merger.missing]
        over = [merger.add(future.result()) for future in as_completed(futures)]
        assert over == [False] * 15 + [True]
        assert as_json(merger.results()) == expected


def test_joblib_plays_the_same_tournament() -> None:
    joblib = pytest.importorskip("joblib")
    config = small_config("expert", "random", deals=32)
    expected = as_json(run_tournament(config, here(config)))
    tasks = (joblib.delayed(play_shard)(config, number) for number in range(config.num_shards))
    with merge_shards(config) as merger:
        for shard in joblib.Parallel(2, backend="threading", return_as="generator")(tasks):
            merger.add(shard)
        assert as_json(merger.results()) == expected


def test_objects_travel_to_executors() -> None:
    class Mine:
        def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
            actions: NDArray[np.int64] = observations.masks.argmax(axis=1)
            return actions

    config = small_config("expert", "mine", deals=32)
    agents = [AgentSource.named("expert"), AgentSource.of_object("mine", Mine())]
    play = partial(play_shard, config, agents=agents)
    with merge_shards(config, agents) as merger:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
            for shard in executor.map(play, merger.missing):
                merger.add(shard)
        results = merger.results()
    assert results.fingerprints == {"expert": "", "mine": "object"}
    assert results.finished
    again = run_tournament(config, [one.player(config.game) for one in agents])
    assert as_json(again) == as_json(results)


def shards_of(config: TournamentConfig) -> list[Shard]:
    return [play_shard(config, number) for number in range(config.num_shards)]


def test_the_stopping_rule_looks_at_shards_in_their_order() -> None:
    config = small_config("expert", "random", deals=200, until=0.5, players=2)
    tested = sorted(shards_to_test(config))
    shards = shards_of(config)
    expected = run_tournament(config, here(config))
    assert expected.deals < config.deals
    for order in (shards, shards[::-1], random.Random(1).sample(shards, len(shards))):
        with merge_shards(config) as merger:
            for shard in order:
                if merger.add(shard):
                    break
            assert as_json(merger.results()) == as_json(expected)
            assert merger.missing == range(0)
    assert config.deals_in(tested[0]).stop == expected.deals


def test_an_early_shard_waits_for_those_before_it() -> None:
    config = small_config("expert", "random", deals=32, players=2)
    first, second, *_ = shards_of(config)
    with merge_shards(config) as merger:
        assert not merger.add(second)
        assert merger.missing.start == 0
        assert not merger.add(first)
        assert merger.missing.start == 2
        assert merger.results().deals == 4


@pytest.mark.parametrize("changed", [{"deals": 64}, {"seed": 8}, {"players": 3}])
def test_a_shard_of_another_tournament_is_refused(changed: dict[str, Any]) -> None:
    given: dict[str, Any] = {"deals": 32, "players": 2, "seed": 7}
    other = play_shard(small_config("expert", "random", **given), 3)
    with merge_shards(small_config("expert", "random", **given | changed)) as merger:
        for shard in (other, replace(other, number=0)):
            with pytest.raises(StoreError, match=r"shard -?\d+ is of another tournament"):
                merger.add(shard)
        assert merger.missing.start == 0


def test_two_who_merge_into_one_store_add_nothing_twice(tmp_path: Path) -> None:
    config = small_config("expert", "random", deals=32, players=2)
    shards = shards_of(config)
    Store.create(tmp_path / STORE, config.game, dict(config.rules)).connection.close()
    with Store.open(tmp_path) as one, Store.open(tmp_path) as other:
        with merge_shards(config, store=one) as first, merge_shards(config, store=other) as second:
            first.add(shards[0])
            expected = "shard 0 does not come next in .*: another process is at work there"
            with pytest.raises(StoreError, match=expected):
                second.add(shards[0])
        with merge_shards(config, store=other) as third:
            for shard in shards[1:]:
                third.add(shard)
            assert as_json(third.results()) == as_json(run_tournament(config, here(config)))


def test_a_store_that_lacks_games_takes_no_shards(tmp_path: Path) -> None:
    config = small_config("expert", "random", deals=32, players=2)
    with Store.create(tmp_path / STORE, config.game, dict(config.rules)) as store:
        with merge_shards(config, store=store) as merger:
            merger.add(play_shard(config, 0))
        store.connection.execute("DELETE FROM games WHERE game = 1")
        with (
            pytest.raises(DamageError, match="run 1 has 6 results instead of 8"),
            merge_shards(config, store=store),
        ):
            pass
