"""`play_tournament`: in this process, in workers, from a script, from a notebook."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from threading import Lock
from typing import Any

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from numpy.typing import NDArray

from goldgriff.cli.main import main
from goldgriff.errors import AgentError, GoldgriffError, SettingsError
from goldgriff.eval import TournamentResult, play_tournament
from goldgriff.eval.tournament.store import StoreError
from goldgriff.files import FileError, claimed

from ..players import Cheat, First

SHORT: dict[str, Any] = {"rules": {"rounds": 1, "max_decisions": 200}, "num_players": 2, "deals": 4}
SCRIPT = """
from goldgriff.eval import play_tournament

print("once", flush=True)


class Mine:
    def act(self, observations):
        return observations.masks.argmax(axis=1)


def mine(observation, action_mask, info):
    return action_mask.argmax()


both = {"Mine": Mine(), "mine": mine}
rules = {"rounds": 1, "max_decisions": 100}
options = {"rules": rules, "num_players": 2, "deals": 4}
found = [play_tournament("auruxxx", both, workers=number, **options) for number in (0, 2)]
assert found[0].to_dict() == found[1].to_dict()
print(found[1])
"""


def play(*agents: Any, **options: Any) -> TournamentResult:
    return play_tournament("auruxxx", agents, **{**SHORT, **options})


def uniform(observation: NDArray[np.float32], action_mask: NDArray[np.int8], info: Any) -> int:
    legal = np.flatnonzero(action_mask)
    assert observation.dtype == np.float32
    return int(legal[info["random_bits"] % len(legal)])


def test_names_objects_classes_and_functions_play(tmp_path: Path) -> None:
    first = First()
    result = play("expert", first, Cheat, uniform, first, num_players=[2, 3])
    config = result.results.config
    assert config.names == ("expert", "First", "Cheat", "uniform")
    assert config.agents == (*config.names, "First")
    assert config.player_counts == (2, 3)
    told = result.to_dict()
    assert told["agents"]["Cheat"]["forfeits"] > 0 == told["agents"]["uniform"]["forfeits"]
    assert told["fingerprints"] == {"expert": "", "First": "object", "Cheat": "object",
                                    "uniform": "object"}  # fmt: skip
    assert repr(result).startswith("TournamentResult(auruxxx, 2 and 3 players, 4 deals, 184")
    assert "Cheat 0.0% (108 forfeits, the first: there is no action" in repr(result)
    assert "\n" not in repr(result)
    assert "<caption>Forfeits</caption>" in result._repr_html_()
    assert (pickle.loads(pickle.dumps(result)).to_dict()) == told
    result.plot().savefig(tmp_path / "chart.png")


def test_agents_get_names_that_differ() -> None:
    assert play(First(), First()).results.config.names == ("First", "First-2")
    named = play_tournament("auruxxx", {"a": First(), "b": "random"}, **SHORT)
    assert named.results.config.names == ("a", "b")
    assert named.to_dict()["command"] is None  # no agent is called b
    other = {"a": "expert", "b": "random"}
    found = [play_tournament("auruxxx", other, workers=number, **SHORT) for number in (0, 1)]
    assert found[0].to_dict() == found[1].to_dict()


def test_it_is_what_the_command_plays_and_writes(tmp_path: Path) -> None:
    result = play("expert", "random", "random", num_players=3, until=0.9)
    files = result.save(tmp_path / "saved")
    result.save(tmp_path / "saved")
    options = [
        "--rules",
        "rounds=1",
        "max_decisions=200",
        "--players",
        "3",
        "--deals",
        "4",
        "--until",
        "0.9",
    ]
    agents = ["--agents", "expert", "random", "random", "--workers", "1"]
    assert main(["tournament", "auruxxx", *agents, *options, "--out", str(tmp_path / "typed")]) == 0
    assert {path.name for path in files} == {path.name for path in (tmp_path / "typed").iterdir()}
    for name in ("results.json", "games.csv", "chart.png"):
        saved, typed = (tmp_path / folder / name for folder in ("saved", "typed"))
        assert saved.read_bytes() == typed.read_bytes()
    assert json.loads((tmp_path / "saved" / "results.json").read_text()) == result.to_dict()
    assert main(["replay", str(tmp_path / "saved"), "1"]) == 0
    with pytest.raises(StoreError, match="holds other games; give another folder"):
        play("expert", "random").save(tmp_path / "typed")


class StoppedError(Exception):
    """Stands for whatever may interrupt a tournament."""


def test_a_folder_keeps_the_games_and_a_stopped_tournament_goes_on(tmp_path: Path) -> None:
    def stop(over: int, total: int) -> None:
        assert total == 64
        if over > 20:
            raise StoppedError

    with pytest.raises(StoppedError):
        play("expert", "random", deals=32, out=tmp_path, on_progress=stop)
    with pytest.raises(StoreError, match="has an unfinished tournament"):
        play("expert", "random", deals=33, out=tmp_path)
    result = play("expert", "random", deals=32, out=tmp_path)
    assert result.to_dict() == play("expert", "random", deals=32).to_dict()
    assert json.loads((tmp_path / "results.json").read_text()) == result.to_dict()
    assert play("expert", "random", deals=32, out=tmp_path).to_dict() == result.to_dict()


def test_two_tournaments_at_a_time_in_a_folder_are_refused(tmp_path: Path) -> None:
    with claimed(tmp_path), pytest.raises(FileError, match="another process is at work in"):
        play("expert", "random", out=tmp_path)
    assert not (tmp_path / "games.sqlite").exists()


def test_a_script_without_a_main_guard_has_workers(tmp_path: Path) -> None:
    """Its class and its function travel, and it runs once."""
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    once, shown = done.stdout.splitlines()
    assert once == "once"
    assert shown == "TournamentResult(auruxxx, 2 players, 4 deals, 8 games: Mine 50.0%, mine 50.0%)"


def test_a_notebook_plays_with_what_its_cells_define(tmp_path: Path) -> None:
    cells = [
        "from goldgriff.eval import play_tournament\n"
        "class Mine:\n"
        "    def act(self, observations):\n"
        "        return observations.masks.argmax(axis=1)\n"
        "options = dict(rules={'rounds': 1, 'max_decisions': 100}, num_players=2, deals=4)",
        "play_tournament('auruxxx', ['random', Mine()], **options)",
        "result = play_tournament('auruxxx', ['random', Mine()], workers=1, **options)\nresult",
        "result.plot()",
    ]
    notebook = nbformat.v4.new_notebook(  # type: ignore[no-untyped-call]
        cells=[nbformat.v4.new_code_cell(source) for source in cells]  # type: ignore[no-untyped-call]
    )
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    here, there, chart = (cell.outputs[-1].data for cell in notebook.cells[1:])
    assert "<caption>Standings</caption>" in here["text/html"]
    assert here["text/html"] == there["text/html"]
    assert "image/png" in chart


def test_a_row_of_pandas_for_each_agent() -> None:
    pytest.importorskip("pandas")
    result = play("random", "expert")
    table = result.to_pandas()
    assert list(table.index) == [one.name for one in result.results.standings]
    best = result.results.standings[0].win_share
    columns = ["win_share", "win_share_low", "win_share_high"]
    assert table[columns].iloc[0].tolist() == [best.mean, best.low, best.high]
    assert table["rating"].mean() == pytest.approx(1500)


def test_without_pandas_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    result = play("random", "random", deals=2)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        GoldgriffError, match=r"to_pandas needs the extra: pip install 'goldgriff\[p"
    ):
        result.to_pandas()


@pytest.mark.parametrize(
    ("agents", "options", "error", "message"),
    [
        ("expert", {}, SettingsError, "agents must be a list of agents or a dict, not 'expert'"),
        ([3], {}, AgentError, "int has no method act"),
        (["expert"], {"deals": "4"}, SettingsError, "deals must be a whole number from 2 to 1"),
        (["expert"], {"deals": 4.0}, SettingsError, "deals must be a whole number from.*not 4"),
        (["expert"], {"seed": None}, SettingsError, "seed must be a whole number.*not None"),
        (["expert"], {"until": "x"}, SettingsError, "until must be a width above 0"),
        (["expert"], {"time_limit": "x", "workers": 1}, GoldgriffError, "limit must be above 0"),
        (["exprt"], {}, AgentError, "unknown agent 'exprt'"),
        (["expert"], {"workers": -1}, SettingsError, "workers must be a whole number"),
        (["expert"], {"time_limit": 1.0}, SettingsError, "time_limit needs workers"),
        (["expert"], {"time_limit": 0, "workers": 1}, GoldgriffError, "limit must be above 0"),
        (["expert"], {"time_limit": True, "workers": 1}, GoldgriffError, "limit must be above 0"),
        (["expert"], {"num_players": 9}, SettingsError, "num_players must be"),
        (["expert"], {"rules": "italian"}, SettingsError, "rules must be a dict .*not 'italian'"),
        (["expert"], {"rules": {"num_players": 3}}, SettingsError, "num_players is given twice"),
        ([], {}, SettingsError, "at least one agent"),
    ],
)
def test_what_cannot_be_played_is_refused(
    agents: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        play_tournament("auruxxx", agents, **{**SHORT, **options})


def test_an_agent_that_cannot_travel_is_named() -> None:
    agent = First()
    agent.lock = Lock()  # type: ignore[attr-defined]
    with pytest.raises(AgentError, match="agent 'First' cannot be sent to workers: Ty"):
        play("random", agent, workers=1)
