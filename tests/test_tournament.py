"""Tournaments: duplicate play, statistics, reports."""

import csv
import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from goldgriff.agents.auruxxx.expert import Expert
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import Settings
from goldgriff.envs.core.batch import derive_seeds
from goldgriff.envs.core.errors import AgentError, SettingsError
from goldgriff.envs.core.files import FileError
from goldgriff.envs.core.policy import RandomPolicy
from goldgriff.eval.play import Player, play_games
from goldgriff.eval.report import results, table, write_report
from goldgriff.eval.statistics import estimate
from goldgriff.eval.tournament import Tournament, lineups, run_tournament, schedule

from .players import Cheat

EXPERT, RANDOM = Player("expert", Expert()), Player("random", RandomPolicy())


def small_tournament(*players: Player, deals: int = 20, seed: int = 3) -> Tournament:
    settings = Settings(num_players=3, rounds=1)
    return run_tournament(AURUXXX, settings, players, deals=deals, seed=seed)


def test_every_lineup_plays_every_rotation_of_every_deal() -> None:
    assert schedule([0, 1, 2], 3, 1).tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    assert lineups(4, 3) == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert lineups(2, 4) == [(0, 1, 0, 1)]
    assert len(schedule([0, 1, 2, 3], 3, 5)) == 5 * 4 * 3
    tournament = small_tournament(EXPERT, RANDOM, RANDOM, deals=2)
    assert tournament.seating.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]] * 2
    assert tournament.seeds.tolist() == np.repeat(derive_seeds(3, 2), 3).tolist()


def test_the_same_player_in_all_seats_wins_evenly() -> None:
    """Duplicate play at work: each deal is as good for one name as for the other."""
    twins = [Player(name, Expert()) for name in ("a", "b", "c")]
    tournament = small_tournament(*twins)
    for standing in tournament.standings:
        assert standing.win_share.mean == pytest.approx(1 / 3)
        assert standing.points.mean == pytest.approx(tournament.standings[0].points.mean)


def test_standings_count_every_seat_and_the_best_is_first() -> None:
    tournament = small_tournament(RANDOM, EXPERT, RANDOM)
    best, worst = tournament.standings
    assert (best.name, best.games, worst.name, worst.games) == ("expert", 60, "random", 120)
    assert best.win_share.mean + 2 * worst.win_share.mean == pytest.approx(1)
    assert best.win_share.low > 1 / 3 > worst.win_share.high
    assert best.points.mean < worst.points.mean


def test_results_do_not_depend_on_batches_and_threads() -> None:
    settings, players = Settings(rounds=1), [EXPERT, RANDOM]
    seating = schedule([0, 1, 1, 1], 4, 30)
    seeds = np.repeat(derive_seeds(8, 30), 4)
    one, other = (
        play_games(AURUXXX, settings, players, seating, seeds, batch_size=size, threads=threads)
        for size, threads in ((7, 1), (2048, 2))
    )
    assert (one.points == other.points).all()
    assert (one.win_shares == other.win_shares).all()
    assert one.decisions == other.decisions


def test_a_seed_decides_the_tournament() -> None:
    first, again, other = (small_tournament(EXPERT, RANDOM, seed=seed) for seed in (1, 1, 2))
    assert results(first) == results(again)
    assert results(first)["agents"] != results(other)["agents"]


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(200):
        interval = estimate(rng.exponential(size=60), seed=1)
        hits += interval.low <= 1 <= interval.high
    assert 176 <= hits <= 199  # 95 % of 200, less what a skewed sample of 60 costs the bootstrap


def test_an_interval_is_about_deals() -> None:
    by_deal = np.array([0.2, 0.4, 0.1, 0.5] * 50)
    interval = estimate(by_deal, seed=1)
    half = 1.96 * by_deal.std() / np.sqrt(len(by_deal))
    assert interval.mean == pytest.approx(0.3)
    assert interval.high - interval.mean == pytest.approx(half, rel=0.15)
    assert interval.mean - interval.low == pytest.approx(half, rel=0.15)
    assert estimate(np.ones(5), seed=1).low == 1


def test_an_illegal_move_names_its_player() -> None:
    with pytest.raises(AgentError, match="agent 'cheat': there is no action 87"):
        small_tournament(RANDOM, Player("cheat", Cheat()))


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (lambda _: None, "gave object of shape"),
        (lambda views: views.masks.argmax(axis=1) + 0.5, "gave float64"),
        (lambda _: [0], "not whole numbers of shape"),
        (lambda _: 1 // 0, "failed: ZeroDivisionError"),
    ],
)
def test_a_player_that_fails_is_named(policy: Any, message: str) -> None:
    with pytest.raises(AgentError, match=f"agent 'faulty' {message}|agent 'faulty' .*{message}"):
        small_tournament(RANDOM, Player("faulty", SimpleNamespace(act=policy)))


def test_what_makes_no_tournament_is_refused() -> None:
    for options, message in (
        ({"deals": 1}, "deals must be at least 2"),
        ({"deals": 10**12}, "at most 1000000"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"seed": 2**64}, "seed must be a whole number from 0"),
    ):
        with pytest.raises(SettingsError, match=message):
            small_tournament(RANDOM, **options)
    with pytest.raises(SettingsError, match="at least one agent"):
        small_tournament()


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    names = ["[/red]x", "a$b_{$", "runs/a-much-longer-name-of-a-run"]
    tournament = small_tournament(*(Player(name, RandomPolicy()) for name in names), deals=2)
    write_report(tournament, tmp_path)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(table(tournament))
    shown = console.export_text()
    assert "[/red]x" in shown
    assert "a$b_{$" in shown


def test_the_report_holds_what_it_promises(tmp_path: Path) -> None:
    tournament = small_tournament(EXPERT, RANDOM, RANDOM)
    files = write_report(tournament, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in files)
    stored = json.loads((tmp_path / "results.json").read_text())
    assert stored == results(tournament)
    expert = stored["agents"]["expert"]
    assert set(expert) == {
        "win_share",
        "win_share_ci",
        "mean_points",
        "mean_points_ci",
        "games",
    }
    low, high = expert["win_share_ci"]
    assert low < expert["win_share"] < high
    with (tmp_path / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 60 * 3
    shares = [float(row["win_share"]) for row in rows if row["agent"] == "expert"]
    assert np.mean(shares) == pytest.approx(expert["win_share"])
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_a_full_disk_leaves_the_old_report_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_report(small_tournament(RANDOM, deals=2), tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    whole = Path.write_bytes

    for room in range(3):  # files that still fit

        def fill_up(path: Path, content: Any, left: list[int] = [room]) -> int:  # noqa: B006
            left[0] -= 1
            if left[0] >= 0:
                return whole(path, content)
            whole(path, content[: len(content) // 2])
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "write_bytes", fill_up)
        with pytest.raises(FileError, match=r"cannot write .*: No space left on device"):
            write_report(small_tournament(EXPERT, deals=2), tmp_path)
        assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
