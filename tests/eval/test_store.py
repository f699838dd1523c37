"""The store: to be queried, and refused when it is not what it should be."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.eval.ratings.leaderboard import ladder_agents, leaderboard
from goldgriff.eval.tournament.config import TournamentConfig
from goldgriff.eval.tournament.recorder import PERSON, Recorder
from goldgriff.eval.tournament.results import read_results
from goldgriff.eval.tournament.store import STORE, Store, StoreError
from goldgriff.eval.tournament.tournament import (
    ShardMerger,
    begin,
    find_unfinished,
    resume,
    run_tournament,
)

from .small import players_of, small_config


def stored(folder: Path, config: TournamentConfig) -> Path:
    with Store.create(folder / STORE, config.game, dict(config.rules)) as store:
        run_tournament(config, players_of(config), store=store)
    return folder / STORE


def test_people_query_it(tmp_path: Path) -> None:
    config = small_config("expert", "random", deals=5)
    database = sqlite3.connect(stored(tmp_path, config))
    query = "SELECT name, avg(win_share) FROM seats JOIN agents USING (agent) GROUP BY name"
    shares = dict(database.execute(query))
    with Store.open(tmp_path) as store:
        for standing in read_results(store, 1).standings:
            assert shares[standing.name] == pytest.approx(standing.win_share.mean)
    games, seeds = database.execute("SELECT count(*), count(DISTINCT seed) FROM games").fetchone()
    assert (games, seeds) == (5 * config.games_per_deal, 5)
    (decisions,) = database.execute("SELECT sum(decisions) FROM decision_times").fetchone()
    (moves,) = database.execute("SELECT sum(length(actions)) FROM games").fetchone()
    assert decisions == moves
    database.close()


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE seats ADD COLUMN other TEXT",
        "CREATE TABLE other (one)",
        "CREATE VIEW other AS SELECT 1",
        "CREATE TRIGGER other AFTER UPDATE ON seats BEGIN DELETE FROM games; END",
    ],
)
def test_other_tables_are_refused_and_left_as_they_are(tmp_path: Path, change: str) -> None:
    path = stored(tmp_path, small_config("random", deals=2))
    database = sqlite3.connect(path)
    database.execute(change)
    database.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is no store of games of this version of the library"):
        Store.open(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE seats SET win_share = 2", "CHECK constraint failed in seats"),
        ("UPDATE games SET seed = 'x'", "CHECK constraint failed in games"),
        ("UPDATE games SET forfeiter = 7", "CHECK constraint failed in games"),
        ("UPDATE seats SET agent = 9", "table seats refers to a row of agents"),
        ("DELETE FROM seats WHERE seat = 0", "refers to a row of seats"),
        ("UPDATE seats SET points = NULL", "game 1 has other seats or points"),
        ("UPDATE endings SET ending = 'x'", "table endings: unknown ending 'x'"),
        ("UPDATE runs SET config = '{}'", "table runs: a wrong configuration"),
        ("UPDATE metadata SET rules = '[]'", "table metadata: wrong rules"),
        ("DELETE FROM metadata", "table metadata must have one row"),
        ("DELETE FROM agents", "refers to a row of agents"),
    ],
)
def test_what_the_library_does_not_write_is_refused(
    tmp_path: Path, change: str, message: str
) -> None:
    path = stored(tmp_path, small_config("random", deals=2))
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA ignore_check_constraints = ON")
    database.execute(change)
    database.close()
    with pytest.raises(StoreError, match=f"is damaged: .*{message}"):
        Store.open(path)


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store of games at"):
        Store.open(tmp_path)
    (tmp_path / STORE).write_text("hello, this is no database at all" * 50)
    with pytest.raises(StoreError, match="is damaged: file is not a database"):
        Store.open(tmp_path)
    other = tmp_path / "other.sqlite"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE games (game)")
    database.close()
    with pytest.raises(StoreError, match="is no store of games"):
        Store.open(other)


def test_a_store_holds_one_game_with_one_set_of_rules(tmp_path: Path) -> None:
    path = stored(tmp_path, small_config("random", deals=2))
    foreign = small_config("random", game=GLUECKSGRIFF)
    other = small_config("random")
    other = replace(other, rules={**other.rules, "rounds": 2})
    with Store.open(path) as store:
        for config, message in (
            (foreign, "holds games of auruxxx_v0, not gluecksgriff_v1"),
            (other, "holds games with other rules"),
        ):
            with pytest.raises(StoreError, match=message):
                run_tournament(config, players_of(config), store=store)


def test_a_changed_checkpoint_is_another_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = small_config("expert", "random", deals=2)
    stored(tmp_path, config)
    with Store.open(tmp_path) as store:
        assert ladder_agents(store) == ["expert", "random"]
        marks = {"expert": "123456789"}
        for module in ("tournament.tournament", "workers.sources"):
            monkeypatch.setattr(
                f"goldgriff.eval.{module}.fingerprint", lambda name, _: marks.get(name, "")
            )
        run = begin(store, config)
        assert run == 2
        marks["expert"] = "987654321"
        with pytest.raises(StoreError, match="agent 'expert' has changed since the tournament"):
            find_unfinished(store)
        marks["expert"] = "123456789"
        resume(ShardMerger(store, find_unfinished(store)))
        names = {rating.name for rating in leaderboard(store).agents}
        assert names == {"expert ()", "expert (123456)", "random"}
        assert ladder_agents(store) == ["expert", "random"]


def test_games_of_persons_are_rated_but_no_tournament(tmp_path: Path) -> None:
    """Each is its own game, also of a deal that was played before, and a person plays no ladder."""
    config = small_config("expert", "random", deals=2)
    stored(tmp_path, config)
    with Store.open(tmp_path) as store:
        before = {rating.name: rating.games for rating in leaderboard(store).agents}
    seats = [(PERSON, ""), ("expert", ""), ("expert", "")]
    for moves in (1, 2):  # both are given up
        match = Match(AURUXXX, config.settings(3))
        match.start(7)
        recorder = Recorder.begin(tmp_path, AURUXXX, match.settings, seats, 7)
        for _ in range(moves):
            match.act(int(match.mask.argmax()))
        recorder.keep(match)
    with Store.open(tmp_path) as store:
        after = {rating.name: rating.games for rating in leaderboard(store).agents}
        assert after == {PERSON: 2, "expert": before["expert"] + 2, "random": before["random"]}
        assert ladder_agents(store) == ["expert", "random"]
        assert find_unfinished(store) == 1


def test_an_empty_store_has_nothing_to_resume() -> None:
    with (
        Store.create(None, AURUXXX, {}) as store,
        pytest.raises(StoreError, match="has no tournament to resume"),
    ):
        find_unfinished(store)


def test_a_shard_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    config = small_config("expert", "random", deals=2)
    path = stored(tmp_path, config)
    with Store.open(path) as store:
        before = store.one("SELECT count(*) FROM seats")

        def write_half() -> None:
            with store.writing() as database:
                database.execute("INSERT INTO agents VALUES (9, 'x', '')")
                database.execute("INSERT INTO agents VALUES (9, 'y', '')")

        with pytest.raises(StoreError, match="cannot write to store"):
            write_half()
        assert "x" not in [name for name, _ in store.agents()]
        assert store.one("SELECT count(*) FROM seats") == before
