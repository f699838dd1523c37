"""Golden games, replayed move by move."""

import json
from pathlib import Path

import pytest

from goldgriff.envs.core.table import replay

from .playthrough import FOLDER, GAMES, playthrough

FILES = sorted(FOLDER.glob("*.txt"))


def test_every_golden_game_is_there() -> None:
    assert sorted(file.stem for file in FILES) == sorted(name for name, _, _ in GAMES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game_goes_as_it_went(file: Path) -> None:
    transcript, *expected = file.read_text().splitlines()
    table = replay(transcript)
    assert table.over
    assert table.transcript() == transcript
    record = json.loads(transcript)
    table.start(record["seed"])
    for number, (line, wanted) in enumerate(
        zip(playthrough(table, record["moves"]), expected, strict=True)
    ):
        assert line == wanted, f"move {number}"
