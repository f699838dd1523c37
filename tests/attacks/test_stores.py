"""Stores that are no longer as they were written: one line each, and no stranger's code."""

import json
import random
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import goldgriff as gg
from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.match import Match
from goldgriff.errors import AgentError
from goldgriff.eval.tournament.recorder import PERSON, Recorder
from goldgriff.eval.tournament.store import STORE, Store
from goldgriff.eval.tournament.tournament import begin, run_tournament
from goldgriff.files import scratch_for
from goldgriff.train.run_folder import ResumeError
from goldgriff.train.runner import Run

from ..eval.small import players_of, small_config

PERSONS = 5  # the number of the person's game

VALUES: list[Any] = [
    *(None, 0, 1, -1, 2, 99, 2**31, 2**63 - 1, -(2**63), 0.0, 0.5, -1.5, 1e308, float("inf")),
    *("", "x", "0", "-1", "18446744073709551616", "9" * 5000, "\ud800", "[", "{}", "[]", "null"),
    *(b"", b"x", b"\xff\xfe", b"\0" * 40, bytes(range(256))),
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a tournament and a person's game that is not over."""
    folder = tmp_path_factory.mktemp("store")
    config = small_config("expert", "random", deals=2, players=2)
    with Store.create(folder / STORE, AURUXXX, dict(config.rules)) as store:
        run_tournament(config, players_of(config), store=store)
    match = Match(AURUXXX, config.settings(2))
    match.start(7)
    recorder = Recorder.begin(folder, AURUXXX, match.settings, [(PERSON, ""), ("expert", "")], 7)
    for _ in range(3):
        match.act(int(match.mask.argmax()))
    recorder.keep(match)
    return folder


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Run a command; return its status and what it said on standard error."""

    def leave(_: str = "") -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", leave)
    monkeypatch.setattr("goldgriff.play.web.server.serve", lambda *_, **__: None)

    def command(*arguments: object) -> tuple[int, str]:
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        said = capsys.readouterr().err.splitlines(keepends=True)
        return status, "".join(line for line in said if "compiling the rules" not in line)

    return command


def commands(folder: Path, chance: random.Random) -> list[tuple[object, ...]]:
    """All commands that read a store; the tournament draws its report, which takes a second."""
    game = chance.randrange(1, PERSONS + 1)
    found: list[tuple[object, ...]] = [
        ("leaderboard", folder),
        ("replay", folder, game),
        ("play", "auruxxx", "--replay", folder, game, "--port", 0),
        ("play", "auruxxx", "--resume", game, "--out", folder),
    ]
    if chance.random() < 0.3:
        found.append(("tournament", "auruxxx", "--resume", "--out", folder, "--workers", 1))
    return found


def harm_rows(path: Path, chance: random.Random) -> str:
    """Change a value, or what the tables are."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA foreign_keys = OFF")
    tables = [
        name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
    ]
    table = chance.choice(tables)
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    column, value = chance.choice(columns), chance.choice(VALUES)
    if column in ("config", "rules") and chance.random() < 0.8:
        value = _harm_json(database.execute(f"SELECT {column} FROM {table}").fetchone()[0], chance)
    where = (
        ""
        if chance.random() < 0.3
        else f" WHERE {column} IN (SELECT {column} FROM {table} ORDER BY random() LIMIT 1)"
    )
    as_text = "CAST(? AS TEXT)" if isinstance(value, bytes) and chance.random() < 0.5 else "?"
    harms = 8 * [(f"UPDATE {table} SET {column} = {as_text}{where}", (value,))] + [
        (f"DELETE FROM {table}{where}", ()),
        (f"DROP TABLE {table}", ()),
        (f"ALTER TABLE {table} RENAME COLUMN {column} TO other", ()),
        (f"ALTER TABLE {table} ADD COLUMN other", ()),
        (f"CREATE TABLE copy AS SELECT * FROM {table}", ()),
        (f"CREATE TRIGGER t AFTER UPDATE ON {table} BEGIN DELETE FROM games; END", ()),
        ("PRAGMA user_version = 99", ()),
    ]
    statement, values = chance.choice(harms)
    try:
        database.execute(statement, values)
    except (sqlite3.Error, UnicodeEncodeError):  # the store itself does not take it
        return ""
    finally:
        database.close()
    return f"{statement} {values!r:.200}"


def _harm_json(text: str, chance: random.Random) -> str:
    given = json.loads(text)
    strange: list[Any] = [None, -1, 0, 1, 2.5, "", "x", True, 10**30]
    strange += [[], {}, [1], ["x"], [None], [[]]]
    place = chance.choice([*given, "other"])
    if chance.random() < 0.2:
        given.pop(place, None)
    else:
        given[place] = chance.choice(strange)
    return json.dumps(given)


def harm_bytes(path: Path, chance: random.Random) -> str:
    """Flip bits, cut the file, or write over a part of it."""
    content = bytearray(path.read_bytes())
    kind, place = chance.randrange(4), chance.randrange(len(content))
    if kind == 0:
        del content[place:]
    elif kind == 1:
        content[place : place + 200] = chance.randbytes(200)
    else:
        for _ in range(chance.choice([1, 1, 20])):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
    return f"bytes {kind} at {place}"


def attack(whole: Path, folder: Path, run: Any, number: int, seed: int) -> None:
    print(f"seed {seed}")  # shown where it fails
    chance, refused = random.Random(seed), 0
    for turn in range(number):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        harm = chance.choice([harm_rows, harm_rows, harm_bytes])(folder / STORE, chance)
        for command in commands(folder, chance):
            before = (folder / STORE).read_bytes()
            try:
                status, said = run(*command)
            except BaseException as error:
                error.add_note(f"turn {turn}: {harm}: {command}")
                raise
            assert status in (0, 1), (harm, command)
            assert len(said.splitlines()) == status, (harm, command, said)
            refused += status
            if status and command[0] != "tournament":
                assert (folder / STORE).read_bytes() == before
    assert refused > number / 2


def test_a_store_at_fault_is_one_line(whole: Path, tmp_path: Path, run: Any) -> None:
    attack(whole, tmp_path / "store", run, 30, 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(601, 609))
def test_hundreds_of_stores_at_fault_are_one_line_each(
    seed: int, whole: Path, tmp_path: Path, run: Any
) -> None:
    attack(whole, tmp_path / "store", run, 50, seed)


def test_every_command_reads_the_whole_store(whole: Path, run: Any) -> None:
    for command in [
        *(("replay", whole, 1), ("replay", whole, PERSONS), ("leaderboard", whole)),
        ("play", "auruxxx", "--replay", whole, PERSONS, "--port", 0),
        ("play", "auruxxx", "--resume", PERSONS, "--out", whole),
        ("tournament", "auruxxx", "--resume", "--out", whole),
    ]:
        assert run(*command) == (0, ""), command


TOURNAMENT = ("tournament", "auruxxx", "--players", 2, "--deals", 2, "--workers", 1)


@pytest.fixture
def spy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stranger's module, which leaves a file when it is imported."""
    (tmp_path / "stranger.py").write_text(
        "from pathlib import Path\n"
        f"Path({str(tmp_path / 'was-here')!r}).touch()\n"
        "class Agent:\n"
        "    def act(self, observations):\n"
        "        return observations.masks.argmax(axis=1)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "stranger", raising=False)
    return tmp_path / "was-here"


def store_naming(name: str, whole: Path, folder: Path) -> list[tuple[Any, ...]]:
    """Make a store that names another agent than `expert`; return the commands that load it."""
    shutil.copytree(whole, folder)
    database = sqlite3.connect(folder / STORE, isolation_level=None)
    database.execute("UPDATE agents SET name = ? WHERE name = 'expert'", (name,))
    database.execute("UPDATE runs SET config = replace(config, 'expert', ?)", (name,))
    database.close()
    ladder = (*TOURNAMENT, "--rules", "rounds=1", "--format", "ladder", "--agents", "random")
    return [
        ("tournament", "auruxxx", "--resume", "--out", folder, "--workers", 1),
        ("play", "auruxxx", "--resume", PERSONS, "--out", folder),
        (*ladder, "--out", folder),
    ]


def test_a_stranger_s_store_downloads_nothing_unasked(
    whole: Path, tmp_path: Path, run: Any
) -> None:
    for command in store_naming("hf://stranger/agent", whole, tmp_path / "store"):
        status, said = run(*command)
        assert status == 1
        assert "names models of the Hub: 'hf://stranger/agent'; --trust (in Python" in said


def test_a_stranger_s_store_runs_no_code_unasked(
    whole: Path, tmp_path: Path, spy: Path, run: Any
) -> None:
    folder = tmp_path / "store"
    for command in store_naming("stranger:Agent", whole, folder):
        status, said = run(*command)
        assert status == 1
        assert "names code to run: 'stranger:Agent'; --trust (in Python trust=True) imports" in said
        assert len(said.splitlines()) == 1
    for command in [
        ("leaderboard", folder),
        ("replay", folder, PERSONS),
        ("play", "auruxxx", "--replay", folder, PERSONS, "--port", 0),
    ]:
        assert run(*command) == (0, "")
    assert not spy.exists()
    trusted = ("play", "auruxxx", "--resume", PERSONS, "--out", folder, "--trust")
    assert run(*trusted) == (0, "")
    assert spy.exists()


def test_agents_that_are_typed_are_trusted(tmp_path: Path, spy: Path, run: Any) -> None:
    folder = tmp_path / "store"
    play = (*TOURNAMENT, "--rules", "rounds=1", "--agents", "stranger:Agent", "random")
    assert run(*play, "--out", folder) == (0, "")
    assert run(*play, "--out", folder) == (0, "")  # once more, with nothing left to play
    resume = ("tournament", "auruxxx", "--resume", "--out", folder)
    assert run(*resume)[0] == 1
    assert run(*resume, "--trust") == (0, "")
    assert spy.exists()


def test_a_run_of_a_stranger_runs_no_code_unasked(tmp_path: Path, spy: Path, run: Any) -> None:
    folder = tmp_path / "run"
    train = ("train", "auruxxx", "--algorithm", "ppo", "--preset", "smoke", "--out", folder)
    sizes = ("n_envs=4", "n_steps=16", "batch_size=16", "hidden=[8]")
    small = ("--steps", 64, "--set", *sizes, "eval_every_updates=0")
    assert run(*train, *small) == (0, "")
    settings = json.loads((folder / "settings.json").read_text())
    for name, value in (
        ("fixed_opponents", ["stranger:Agent"]),
        ("eval_opponent", "stranger:A"),
        ("reward", "stranger:Agent"),
    ):
        (folder / "settings.json").write_text(json.dumps(settings | {name: value}))
        status, said = run("train", "auruxxx", "--out", folder, "--resume", "--steps", 128)
        assert status == 1
        assert "names code to run: 'stranger:A" in said
        with pytest.raises(AgentError, match="names code to run: 'stranger:A"):
            gg.train_agent("auruxxx", "ppo", total_timesteps=128, out=folder, resume=True)
    assert not spy.exists()
    (folder / "settings.json").write_text(
        json.dumps(settings | {"fixed_opponents": ["stranger:Agent"]})
    )
    with pytest.raises(ResumeError, match="begun with other fixed_opponents"):
        gg.train_agent("auruxxx", "ppo", total_timesteps=128, out=folder, resume=True, trust=True)
    assert spy.exists()


def test_the_line_to_go_on_trusts_what_was_typed(
    tmp_path: Path, spy: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where an agent is code, a stopped run goes on with --trust only."""
    folder = tmp_path / "run"
    train = ("train", "auruxxx", "--algorithm", "ppo", "--preset", "smoke", "--out", folder)
    small = ("n_envs=4", "n_steps=16", "batch_size=16", "hidden=[8]", "eval_every_updates=0")
    update = Run.learn

    def stop(self: Run) -> None:
        signal.raise_signal(signal.SIGTERM)
        update(self)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "learn", stop)
        status, said = run(*train, "--set", *small, 'fixed_opponents=["stranger:Agent"]')
    assert status == 143
    go_on = said.partition("go on with: goldgriff ")[2].split()
    assert go_on == ["train", "auruxxx", "--out", str(folder), "--resume", "--trust"]
    assert run(*go_on, "--steps", "64") == (0, "")
    assert spy.exists()


@pytest.mark.parametrize("begun", ["nothing", "empty", "tables", "run"])
@pytest.mark.parametrize("resume", [False, True])
def test_a_tournament_that_was_stopped_as_it_began_is_played(
    begun: str, resume: bool, tmp_path: Path, run: Any
) -> None:
    """By the same command, and by `--resume` where there is something to go on with."""
    command: tuple[object, ...] = (*TOURNAMENT, "--rules", "rounds=1")
    command = (*command, "--agents", "expert", "random")
    config = small_config("expert", "random", deals=2, players=2, seed=1)
    if begun == "empty":
        (tmp_path / STORE).touch()
    elif begun in ("tables", "run"):
        with Store.create(tmp_path / STORE, AURUXXX, dict(config.rules)) as store:
            if begun == "run":
                begin(store, config)
    if begun == "run" and resume:
        command = ("tournament", "auruxxx")
    assert run(*command, "--out", tmp_path, *(["--resume"] if resume else [])) == (0, "")
    stored = json.loads((tmp_path / "results.json").read_text())
    assert stored["games"] == config.games_per_deal * 2


def test_resuming_what_was_never_begun_asks_for_agents(tmp_path: Path, run: Any) -> None:
    status, said = run("tournament", "auruxxx", "--resume", "--out", tmp_path)
    assert status == 1
    assert "no tournament was begun in" in said


def test_what_a_killed_process_left_is_removed(tmp_path: Path, run: Any) -> None:
    (tmp_path / "checkpoints").mkdir()
    dead = 2**22 + 1  # above the highest number of a process
    left = [
        scratch_for(folder / name).with_name(f".{name}.{dead}.new")
        for folder, name in (
            (tmp_path, STORE),
            (tmp_path / "checkpoints", "000000000000.safetensors"),
        )
    ]
    kept = [tmp_path / ".mine.new"]
    for path in (*left, *kept):
        path.touch()
    play = (*TOURNAMENT, "--rules", "rounds=1", "--agents", "random")
    assert run(*play, "--out", tmp_path) == (0, "")
    assert not any(path.exists() for path in left)
    assert all(path.exists() for path in kept)
