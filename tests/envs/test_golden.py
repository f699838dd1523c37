"""Golden games, replayed move by move."""

import json

import pytest

from goldgriff.envs.match import replay

from .golden import GAMES, TESTS, GoldenGame, playthrough


def test_every_golden_game_is_there() -> None:
    assert sorted(TESTS.glob("**/golden/*")) == sorted(golden.file for golden in GAMES)


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: f"{golden.game.name}-{golden.name}")
def test_a_golden_game_goes_as_it_went(golden: GoldenGame) -> None:
    transcript, *expected = golden.file.read_text().splitlines()
    table = replay(transcript)
    assert table.over
    assert table.record() == transcript
    record = json.loads(transcript)
    table.start(record["seed"])
    lines = playthrough(table, record["moves"])
    for number, (line, wanted) in enumerate(zip(lines, expected, strict=True)):
        assert line == wanted, f"move {number}"
