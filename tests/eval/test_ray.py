"""Tournaments on a Ray cluster: what is played on one machine, byte for byte, whatever is lost."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from goldgriff.agents.model_folder import CHECKPOINT
from goldgriff.agents.registry import CHAMPIONS
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.errors import GoldgriffError
from goldgriff.eval import AgentSource, play_tournament
from goldgriff.eval.tournament.store import STORE
from goldgriff.eval.workers.ray import connect

pytestmark = pytest.mark.ray
AGENTS = ("expert", "random", "bots:Hanging")
BOTS = """
import time
from goldgriff.envs.policy import RandomPolicy

class Hanging(RandomPolicy):
    def act(self, batch):
        if (batch.random_bits % 8000 == 0).any():
            time.sleep(1000)
        return super().act(batch)
"""
LIMIT = 4.0  # seconds, so that nobody else exceeds it where a machine is busy
PLAY: dict[str, Any] = {
    "num_players": 3,
    "deals": 32,
    "seed": 5,  # it hangs in one game
    "time_limit": LIMIT,
    "rules": {"rounds": 1},
}
FILES = "games.csv", "results.json"


def begin_cluster(*processors: int) -> Any:
    """A cluster of nodes with so many processors each; the first is its head."""
    cluster = import_module("ray.cluster_utils").Cluster(initialize_head=False)
    for count in processors:
        add_node(cluster, count)
    return cluster


def add_node(cluster: Any, processors: int = 1, **options: Any) -> Any:
    return cluster.add_node(
        num_cpus=processors,
        node_ip_address="127.0.0.1",
        include_dashboard=False,
        object_store_memory=80_000_000,
        **options,
    )


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    found = begin_cluster(1, 1, 1)
    yield found
    found.shutdown()


@pytest.fixture(autouse=True)
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder, with an agent that hangs on some views."""
    (tmp_path / "bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def played_here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tournament in processes of this machine."""
    out = tmp_path_factory.mktemp("here")
    (out / "bots.py").write_text(BOTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(out)
        play_tournament("auruxxx", AGENTS, workers=2, out=out, **PLAY)
    return out


def assert_same(one: Path, other: Path) -> None:
    for name in FILES:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def test_a_lost_node_changes_nothing(cluster: Any, played_here: Path, tmp_path: Path) -> None:
    nodes = [cluster.worker_nodes.copy()]

    def lose_one(over: int, total: int) -> None:
        if 0 < over < total and nodes:
            cluster.remove_node(nodes.pop().pop(), allow_graceful=False)

    out = tmp_path / "out"
    result = play_tournament(
        "auruxxx", AGENTS, ray=cluster.address, out=out, on_progress=lose_one, **PLAY
    )
    assert not nodes, "no shard came before the last"
    add_node(cluster)
    assert_same(played_here, out)
    forfeits = {one.agent: one.reason for one in result.results.forfeits}
    assert forfeits == {"bots:Hanging": "did not answer within 4 seconds"}


@pytest.mark.parametrize(
    ("first", "then", "sent"),
    [
        ("ray", "here", signal.SIGKILL),
        ("here", "ray", signal.SIGKILL),
        ("ray", "ray", signal.SIGINT),
    ],
)
def test_a_lost_driver_changes_nothing(
    cluster: Any, played_here: Path, tmp_path: Path, first: str, then: str, sent: signal.Signals
) -> None:
    """One machine goes on with what a cluster began, and a cluster with what one machine began."""
    where = {"ray": ["--ray", cluster.address], "here": ["--workers", "1"]}
    out = tmp_path / "out"
    options = ["--out", str(out), "--time-limit", str(LIMIT)]
    begun = ["--agents", *AGENTS, "--players", "3", "--deals", "32", "--seed", "5"]
    with command(*options, *begun, "--rules", "rounds=1", *where[first]) as driver:
        while not stored_games(out) and driver.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                driver.wait(0.05)
        driver.send_signal(sent)
        _, said = driver.communicate()
    with sqlite3.connect(out / STORE) as store:
        assert store.execute("SELECT finished FROM runs").fetchone() == (0,), said
    go_on = f"go on with: goldgriff tournament auruxxx --out {out} --resume --trust"
    assert said.strip().endswith(go_on) == (sent == signal.SIGINT)
    assert driver.returncode == (130 if sent == signal.SIGINT else -sent), said
    with command(*options, "--resume", "--trust", *where[then]) as driver:
        _, said = driver.communicate()
    assert driver.returncode == 0, said
    assert_same(played_here, out)


def command(*arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "goldgriff", "tournament", "auruxxx", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stored_games(out: Path) -> int:
    with suppress(sqlite3.OperationalError):
        store = sqlite3.connect(f"file:{out / STORE}?mode=ro", uri=True)
        try:
            return int(store.execute("SELECT count(*) FROM games").fetchone()[0])
        finally:
            store.close()
    return 0


def test_checkpoints_travel_as_content(tmp_path: Path) -> None:
    path = tmp_path / "run" / CHECKPOINT
    path.parent.mkdir()
    content = next(CHAMPIONS.glob("auruxxx*")).read_bytes()
    path.write_bytes(content)
    sources = [AgentSource.named(name) for name in ("run", "search+run@10", "expert", "bots:B")]
    packed = [source.with_content(AURUXXX) for source in sources]
    path.unlink()
    assert [isinstance(one.given, bytes) for one in packed] == [True, True, False, False]
    assert [one.is_code for one in packed] == [False, False, False, True]
    assert packed[0].player(AURUXXX).name == "run"


def test_a_node_with_other_versions_is_named(tmp_path: Path) -> None:
    fake = tmp_path / "numba-0.0.1.dist-info"
    fake.mkdir()
    (fake / "METADATA").write_text("Metadata-Version: 2.1\nName: numba\nVersion: 0.0.1\n")
    cluster = begin_cluster(0)
    try:
        add_node(cluster, env_vars={"PYTHONPATH": str(tmp_path)})
        message = r"^node 127\.0\.0\.1: has numba 0\.0\.1, the driver 0\.68.*; both need the same"
        with pytest.raises(GoldgriffError, match=message):
            play_tournament("auruxxx", ["expert", "random"], ray=cluster.address, deals=2)
    finally:
        cluster.shutdown()


def test_an_agent_whose_code_a_node_lacks_is_named(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code travels from the current folder only; this is elsewhere."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.syspath_prepend(tmp_path)
    message = (
        r"^node 127\.0\.0\.1: agent 'bots:Hanging': failed: "
        r"ModuleNotFoundError: No module named 'bots'$"
    )
    with pytest.raises(GoldgriffError, match=message):
        play_tournament("auruxxx", AGENTS, ray=cluster.address, **PLAY)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", "^no Ray cluster answers at 127.0.0.1:1: Connection refused$"),
        ("nowhere", "^the address of a Ray cluster is HOST:PORT, not 'nowhere'$"),
        ("ray:99999", "^the address of a Ray cluster is HOST:PORT, not 'ray:99999'$"),
    ],
)
def test_an_address_where_nobody_answers_is_named(address: str, message: str) -> None:
    with pytest.raises(GoldgriffError, match=message), connect(address):
        pass
    assert "RAY_gcs_server_port_wait_time_s" not in os.environ
