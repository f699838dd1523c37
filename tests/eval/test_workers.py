"""Tournaments in processes: the same results, and agents that hang or quit are stopped."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.eval.report.report import summary
from goldgriff.eval.tournament.results import Results
from goldgriff.eval.tournament.tournament import run_tournament
from goldgriff.eval.workers.shard_players import ShardPlayer, TimeLimit
from goldgriff.eval.workers.sources import AgentSource

from .small import players_of, small_config


def names_of(results: Results) -> dict[str, str]:
    return {one.agent: one.reason for one in results.forfeits}


def test_processes_play_what_one_process_plays() -> None:
    config = small_config("expert", "random", "tests.players:First", deals=60)
    assert config.num_shards > 2
    seen: list[int] = []
    shards: list[int] = []
    results = run_tournament(config, workers=2, on_shard=shards.append, on_progress=seen.append)
    assert summary(results) == summary(run_tournament(config, players_of(config)))
    assert sorted(shards) == list(range(config.num_shards))
    assert seen[-1] == results.games


def test_an_agent_that_hangs_or_quits_forfeits_and_the_rest_goes_on() -> None:
    """Each fails on few observations: those games are lost, and of the others nothing."""
    config = small_config(
        "tests.players:Hanging", "tests.players:Quitter", "expert", deals=2, seed=15
    )
    results = run_tournament(config, workers=1, limit=TimeLimit(1.0))
    assert names_of(results) == {
        "tests.players:Hanging": "did not answer within 1 second",
        "tests.players:Quitter": "ended its process (exit code 3)",
    }
    assert {standing.name: standing.forfeits for standing in results.standings} == {
        "tests.players:Hanging": 1,
        "tests.players:Quitter": 1,
        "expert": 0,
    }


def test_who_quits_at_the_first_question_forfeits_no_other_game() -> None:
    """Whether a process heard of an agent before depends on how many there are; this must not."""
    config = small_config("tests.players:Shy", "random", "expert", deals=2)
    results = run_tournament(config, workers=1)
    forfeits = {standing.name: standing.forfeits for standing in results.standings}
    assert (config.num_shards, results.games) == (2, 12)
    assert forfeits["tests.players:Shy"] == 4  # it begins so many


def test_one_that_never_answers_forfeits_all() -> None:
    # The other one compiles nothing, so that a second is enough for its first answer, too.
    config = small_config("tests.players:First", "tests.players:Stone", players=2, deals=2)
    results = run_tournament(config, workers=1, limit=TimeLimit(1.0, first=1.0))
    assert names_of(results) == {"tests.players:Stone": "did not answer its first question"}
    assert results.standings[-1].forfeits == results.games


def test_a_call_that_ends_while_the_clock_is_read_is_in_time() -> None:
    class EndsWhenRead:
        """A call under way that ends as soon as its beginning has been read."""

        player, game, decision, is_first = 0, 5, 7, False

        def __init__(self) -> None:
            self._times: Iterator[float] = iter([time.monotonic()])

        @property
        def since(self) -> float:
            return next(self._times, 0.0)

    player: Any = ShardPlayer(AURUXXX, [AgentSource.named("random")], TimeLimit())
    try:
        player.check()
        player._status = EndsWhenRead()
        assert not player.is_ready()
        assert player._timeouts == []
    finally:
        player.stop()


def test_workers_end_when_the_tournament_is_killed(tmp_path: Path) -> None:
    """What they hold of its output is closed then, in the middle of a shard, without an error."""
    code = "import sys; from goldgriff.cli.main import main; sys.exit(main())"
    options = ["--agents", "tests.players:Loud", "search@500", "--players", "2", "--deals", "64"]
    command = [
        sys.executable,
        "-c",
        code,
        "tournament",
        "auruxxx",
        *options,
        "--out",
        str(tmp_path),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as tournament:
        assert tournament.stdout is not None
        for line in tournament.stdout:
            if line == "asked\n":
                break
        tournament.kill()
        rest = tournament.stdout.read()
    assert "Traceback" not in rest
    assert rest.count("asked") < 50  # of more than a hundred
