"""A server of a large game, and a game that `play` knows nothing of."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine import game as games
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.engine.history import logging_dtype
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF

from .pages import serving
from .tables import SMALL, play_by_chance, small_session

OTHERS = (AURUXXX, GLUECKSGRIFF)


@pytest.fixture(params=OTHERS, ids=[game.name for game in OTHERS])
def third_game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """A registered game without narrator, texts and card faces, with the rules of another."""
    logging_dtype(request.param)  # the rules are compiled for its states, too
    monkeypatch.setattr(games, "implement", lambda *_: None)  # the rules are compiled already
    yield replace(
        request.param, name="third", title="A third game", write_position=lambda _: {"mine": 1}
    )
    del GAMES["third"]


@pytest.fixture
def crowded(tmp_path: Path) -> Iterator[str]:
    """A server with game 1 of six players over and game 2 begun."""
    rules = {**SMALL["auruxxx"], "num_players": 6, "rounds": 1, "max_decisions": 40}
    session = small_session(AURUXXX, rules, folder=tmp_path)
    for _ in play_by_chance(session):
        pass
    with serving(AURUXXX, rules, tmp_path) as found:
        yield found
