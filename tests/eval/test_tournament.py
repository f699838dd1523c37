"""Whole tournaments: fair, exact after an interruption, stopped when enough is known."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray
from threadpoolctl import threadpool_info, threadpool_limits

from goldgriff.agents.registry import load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.policy import ObservationBatch
from goldgriff.eval.ratings.leaderboard import leaderboard
from goldgriff.eval.report.report import markdown, summary
from goldgriff.eval.tournament import config as config_module
from goldgriff.eval.tournament.config import TournamentConfig
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.provenance import describe_run
from goldgriff.eval.tournament.results import Results
from goldgriff.eval.tournament.store import STORE, Store, StoreError
from goldgriff.eval.tournament.tournament import (
    ShardMerger,
    begin,
    find_unfinished,
    resume,
    run_tournament,
    shards_to_test,
)

from ..players import Cheat, First, Moody
from .small import EXPERT, RANDOM, players_of, small_config


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_module, "SHARD_GAMES", 60)


def run(config: TournamentConfig, **options: Any) -> Results:
    return run_tournament(config, players_of(config), **options)


def test_the_same_player_in_all_seats_wins_evenly() -> None:
    """In duplicate play each deal is as good for one name as for the other."""
    config = small_config("a", "b", "c")
    expert = load_agent("expert", AURUXXX)
    results = run_tournament(config, [Player(name, expert) for name in config.names])
    for standing in results.standings:
        assert standing.win_share.mean == pytest.approx(1 / 3)
        assert 0.1 < standing.win_share.low < 1 / 3 < standing.win_share.high < 0.6  # of 20 deals
        points = results.standings[0].points
        assert standing.points
        assert points
        assert standing.points.mean == pytest.approx(points.mean)
    for first in range(3):
        for second in range(3):
            assert first == second or results.head_to_head[first, second, 0] == pytest.approx(0.5)


def test_standings_count_games_and_the_best_is_first() -> None:
    results = run(small_config("random", "expert", "random"))
    best, worst = results.standings
    assert (best.name, best.games, worst.name, worst.games) == ("expert", 60, "random", 60)
    assert best.win_share.mean + 2 * worst.win_share.mean == pytest.approx(1)
    assert best.win_share.low > 1 / 3 > worst.win_share.high
    (difference,) = results.differences
    assert (difference.first, difference.second) == ("expert", "random")
    assert difference.win_share.mean == pytest.approx(best.win_share.mean - worst.win_share.mean)
    assert results.ratings.agents[0].name == "expert"
    assert results.head_to_head[1, 0, 0] > 0.5
    assert results.head_to_head[0, 1, 0] == pytest.approx(1 - results.head_to_head[1, 0, 0])
    summary_of_three = results.by_player_count[0]
    assert summary_of_three.by_seat[1].mean() == pytest.approx(best.win_share.mean)
    assert sum(summary_of_three.endings.values()) == results.games == 60


def test_a_seed_decides_the_tournament() -> None:
    first, again, other = (run(small_config("expert", "random", seed=seed)) for seed in (1, 1, 2))
    assert summary(first) == summary(again)
    assert summary(first)["agents"] != summary(other)["agents"]


def test_shards_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    config = small_config("expert", "random", deals=50)
    several = config.num_shards
    small = summary(run(config))
    monkeypatch.setattr(config_module, "SHARD_GAMES", 10_000)
    monkeypatch.setattr(config_module, "MIN_SHARDS", 1)
    assert config.num_shards == 1 < several
    assert summary(run(config)) == small


def test_cores_change_nothing() -> None:
    """On several threads NumPy rounds differently, and waits for cores that are busy."""

    class Counting(First):
        threads: ClassVar[set[int]] = set()
        calls = 0

        def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
            if self.calls % 100 == 0:  # asking takes a while
                self.threads.update(pool["num_threads"] for pool in threadpool_info())
            self.calls += 1
            return super().act(observations)

    config = small_config("counting", "expert", deals=2)
    with threadpool_limits(2):
        run_tournament(config, [Player("counting", Counting()), EXPERT])
    assert Counting.threads == {1}


def test_all_player_counts_have_the_same_deals() -> None:
    config = small_config("expert", "random")
    config = replace(config, player_counts=(2, 4))
    with Store.create(None, AURUXXX, dict(config.rules)) as store:
        results = run(config, store=store)
        seeds = [
            {seed for (seed,) in store.connection.execute(
                "SELECT seed FROM games WHERE players = ?", (size,)
            )}
            for size in (2, 4)
        ]  # fmt: skip
    assert seeds[0] == seeds[1]
    assert len(seeds[0]) == 20
    assert [one.num_players for one in results.by_player_count] == [2, 4]
    shares = [one.standings[0].win_share.mean for one in results.by_player_count]
    assert results.standings[0].win_share.mean == pytest.approx(sum(shares) / 2)


class StoppedError(Exception):
    """Stands for whatever may interrupt a tournament."""


@pytest.mark.parametrize("until", [None, 0.3])
@pytest.mark.parametrize("last", [0, 2])
def test_an_interrupted_tournament_goes_on_to_the_same_result(
    tmp_path: Path, until: float | None, last: int
) -> None:
    config = small_config("expert", "random", "random", deals=200, until=until)
    whole = run(config)

    def interrupt(shard: int) -> None:
        if shard == last:
            raise StoppedError

    with Store.create(tmp_path / STORE, AURUXXX, dict(config.rules)) as store:
        with pytest.raises(StoppedError):
            run(config, store=store, on_shard=interrupt)
        with pytest.raises(StoreError, match="has an unfinished tournament; --resume goes on"):
            run(small_config("expert", "random", "random", deals=100), store=store)
    with Store.open(tmp_path) as store:
        assert begin(store, config, players_of(config)) == find_unfinished(store)
        results = resume(ShardMerger(store, find_unfinished(store)), players_of(config))
        assert summary(results) == summary(whole)
        once = describe_run(None)
        first, second = markdown(results, once), markdown(whole, once)
        assert first.split("Time for")[0] == second.split("Time for")[0]
        assert [finished for *_, finished in store.tournaments()] == [True]
        again = run(config, store=store)  # finished: nothing is played twice
        assert again.games == whole.games == store.one("SELECT count(*) FROM games")[0]


def test_it_stops_when_the_differences_are_known_well_enough() -> None:
    config = small_config("expert", "random", "random", deals=2000, until=0.2)
    results = run(config)
    ends = [config.deals_in(shard).stop for shard in sorted(shards_to_test(config))]
    assert 50 <= ends[0] < 100
    assert all(second >= 1.25 * first for first, second in pairwise(ends))
    assert results.deals in ends
    assert results.deals < 2000
    assert max(one.win_share.width for one in results.differences) < 0.2
    patient = run(small_config("expert", "random", "random", deals=80, until=0.001))
    assert patient.deals == 80
    assert patient.finished


@pytest.mark.parametrize(("until", "deals"), [(0.5, 60), (0.3, 120)])
def test_few_equal_results_are_not_precise(until: float, deals: int) -> None:
    """Equal results may be chance: the interval is Wilson's, and narrows with the deals."""
    config = small_config("one", "other", deals=120, until=until, players=2)
    results = run_tournament(config, [Player(name, EXPERT.policy) for name in config.names])
    assert 120 >= results.deals >= deals
    assert (results.deals == 120) == (deals == 120)
    assert results.differences[0].win_share.width > 0.3


def test_who_forfeits_is_named_and_the_rest_is_counted() -> None:
    config = small_config("expert", "cheat", "random", "moody", deals=10)
    players = [EXPERT, Player("cheat", Cheat()), RANDOM, Player("moody", Moody())]
    results = run_tournament(config, players)
    by_name = {standing.name: standing for standing in results.standings}
    assert results.games == 10 * 4 * 6
    cheat = by_name["cheat"]
    assert cheat.win_share.mean == 0
    assert cheat.points is None
    assert cheat.forfeits == cheat.games == 10 * 3 * 6
    assert by_name["expert"].forfeits == by_name["random"].forfeits == 0
    assert by_name["expert"].points is not None
    reasons = {one.agent: one.reason for one in results.forfeits}
    assert reasons["cheat"].startswith("there is no action 87")
    assert reasons["moody"] == "failed: RuntimeError: not in the mood"
    assert results.ratings.agents[-1].name == "cheat"
    assert results.by_player_count[0].statistics["cheat"] == {}
    assert sum(results.by_player_count[0].endings.values()) == 60 - by_name["moody"].forfeits


def test_the_leaderboard_counts_a_game_once() -> None:
    with Store.create(None, AURUXXX, dict(small_config("random").rules)) as store:
        run(small_config("expert", "random", deals=20), store=store)
        once = leaderboard(store).agents
        run(small_config("expert", "random", deals=30), store=store)
        assert {rating.games for rating in leaderboard(store).agents} == {30 * 3}
        run(small_config("expert", "random", deals=20, seed=4), store=store)
        assert {rating.games for rating in leaderboard(store).agents} == {50 * 3}
    assert {rating.games for rating in once} == {20 * 3}


def test_a_ladder_rates_a_new_agent_against_those_that_are_there(tmp_path: Path) -> None:
    first = small_config("expert", "random")
    ladder = small_config("new", "expert", "random", format="ladder")
    twin = Player("new", load_agent("expert", AURUXXX))
    with Store.create(tmp_path / STORE, AURUXXX, dict(first.rules)) as store:
        with pytest.raises(StoreError, match="holds no games"):
            leaderboard(store)
        run(first, store=store)
        before = leaderboard(store).agents
        results = run_tournament(ladder, [twin, EXPERT, RANDOM], store=store)
        after = {rating.name: rating for rating in leaderboard(store).agents}
    assert [rating.name for rating in before] == ["expert", "random"]
    assert list(after)[-1] == "random"
    assert set(after) == {"new", "expert", "random"}
    assert after["new"].games == results.games == 20 * 6
    assert after["expert"].games == before[0].games + 20 * 6
    assert after["new"].rating.mean == pytest.approx(after["expert"].rating.mean, abs=5)  # twins
    assert after["random"].rating.high < after["expert"].rating.low
