"""An agent in many fields: the numbers of tournaments, resumed, and the files that it meets."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import goldgriff as gg
from goldgriff.agents.registry import AGENTS, load_agent
from goldgriff.benchmarks import fields
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.engine.game import GAMES, get_game
from goldgriff.eval.tournament.config import TournamentConfig
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.matches import play_games
from goldgriff.eval.tournament.results import Results
from goldgriff.eval.tournament.store import Store
from goldgriff.eval.tournament.tournament import run_tournament
from goldgriff.eval.workers.sources import AgentSource

OTHERS = ["random", "early", "expert"]
FILES = sorted(fields.PINNED.glob("*/*.safetensors"))


def play_here(config: TournamentConfig, *, store: Store, workers: int) -> Results:
    """Play without worker processes, which take seconds to start."""
    assert workers >= 1
    players = [AgentSource.named(name).player(config.game) for name in config.names]
    return run_tournament(config, players, store=store)


@pytest.fixture
def _few_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two and three players, three agents, one mixed table, all in this process."""
    monkeypatch.setattr(fields, "agents_of", lambda _: OTHERS)
    monkeypatch.setattr(fields, "player_counts", lambda _: range(2, 4))
    monkeypatch.setattr(fields, "MIXED_TABLES", 1)
    monkeypatch.setattr(fields, "LONGER", 2)
    monkeypatch.setattr(fields, "run_tournament", play_here)


def measure(out: Path, *more: object, agent: str = "early") -> int:
    words = ["gluecksgriff", "--agent", agent, "--deals", 3, "--out", out, *more]
    return fields.main([str(word) for word in words])


def read(out: Path) -> Any:
    return json.loads((out / "fields.json").read_text())


@pytest.mark.usefixtures("_few_cells")
def test_a_cell_is_a_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert measure(tmp_path) == 0
    shown, results = capsys.readouterr().out, read(tmp_path)
    cells = {(cell["players"], cell["field"]): cell for cell in results["cells"]}
    copies = {(players, name) for players in (2, 3) for name in ("random", "expert")}
    assert len(results["cells"]) == 5
    assert {*cells} == copies | {(3, "mixed table 1")}
    for (players, field), cell in cells.items():
        others, is_inside = cell["others"], cell["low"] <= -0.01 <= cell["high"]
        assert others == [field] if len(others) == 1 else {*others} == {"random", "expert"}
        assert cell["deals"] == 6 if field == "expert" or is_inside else 3
        played = gg.play_tournament(
            "gluecksgriff",
            ["early", *others] if len(others) > 1 else ["early", *(players - 1) * others],
            num_players=players,
            deals=cell["deals"],
            seed=5000 if cell["deals"] == 3 else 5001,
        ).to_dict()
        assert cell["agents"] == played["agents"]
        share = played["agents"]["early"]["win_share"]
        assert cell["above_even"] == share - 1 / players
    worst = min(results["cells"], key=lambda cell: cell["above_even"])
    assert results["worst_field"] == worst
    assert "| among | 2 players | 3 players |\n|" in shown
    assert f"| `expert` | {fields.Cell(**cells[2, 'expert']).text} |" in shown
    assert "| 3 players, mixed table 1 | `" in shown
    points = cells[3, "expert"]["agents"]["expert"]["mean_points"]
    assert f"| {points:.1f} (" in shown.split("mean points, `expert`")[1]
    assert f"Worst field: {fields.Cell(**worst).text}, {worst['field']}, " in shown


@pytest.mark.usefixtures("_few_cells")
def test_the_same_command_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert measure(tmp_path / "whole") == 0
    calls: list[Any] = []

    def stop_third(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return play_here(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(fields, "run_tournament", stop_third)
        assert measure(tmp_path / "parts") == 130
    assert not (tmp_path / "parts" / "fields.json").exists()
    assert measure(tmp_path / "parts") == 0
    content = (tmp_path / "whole" / "fields.json").read_bytes()
    assert (tmp_path / "parts" / "fields.json").read_bytes() == content

    monkeypatch.setattr("goldgriff.eval.tournament.tournament.play_shard", None)  # nothing plays
    assert measure(tmp_path / "parts") == 0
    assert (tmp_path / "parts" / "fields.json").read_bytes() == content


@pytest.mark.parametrize("game", GAMES)
def test_the_field_has_all_agents_without_search(game: str) -> None:
    names = fields.agents_of(get_game(game))
    missing = {entry.name for entry in AGENTS if entry.game == game} - {*names}
    assert missing == {"search", *(f"level-{number}" for number in range(1, 7))}
    assert {Path(name).stem for name in names} >= {"champion", "expert", "random"}
    counts = fields.player_counts(get_game(game))
    assert list(counts) == list(range(2, {"auruxxx": 7, "gluecksgriff": 6}[game]))
    for players in counts:
        others = fields.fields(get_game(game), "champion", players)
        copies = [(name,) for name in names if name != "champion"]
        assert list(others.values())[: len(copies)] == copies
        mixed = {field: seats for field, seats in others.items() if len(seats) > 1}
        assert len(mixed) == (3 if players > 2 else 0)
        same = fields.fields(get_game(game), "runs/quick", players)
        for field, seats in mixed.items():
            assert len({*seats} - {"champion"}) == players - 1
            assert seats == same[field] or {*same[field]} - {*seats} == {"champion"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_pinned_files_play(path: Path) -> None:
    game = get_game(path.parent.name)
    assert path.stat().st_size < 1_500_000
    assert fields.label(str(path)) == path.stem
    players = [Player(path.stem, load_agent(path, game))]
    for count in fields.player_counts(game):
        settings = game.settings.from_dict({"num_players": count})
        seating = np.zeros((4, count), np.int64)
        outcomes = play_games(game, settings, players, seating, derive_seeds(1, 4))
        assert outcomes.decisions.sum() > 0


@pytest.mark.parametrize("game", GAMES)
def test_pinned_files_are_described(game: str) -> None:
    page = (fields.PINNED / "README.md").read_text()
    stems = [path.stem for path in FILES if path.parent.name == game]
    assert {"maskable", "ppo"} < {*stems}
    for stem in stems:
        assert f"`{game}/{stem}`" in page


@pytest.mark.parametrize(
    ("agent", "more", "message"),
    [
        ("nobody", (), "unknown agent 'nobody'"),
        ("early", ("--deals", 1), "deals must be"),
        ("early", ("--seed", -1), "seed must be"),
    ],
)
@pytest.mark.usefixtures("_few_cells")
def test_bad_input_is_one_clear_line(
    agent: str,
    more: tuple[object, ...],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert measure(tmp_path / "out", *more, agent=agent) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("benchmarks: ")
    assert message in line
