"""A game that `play` knows nothing of."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine import game as games
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF

OTHERS = (AURUXXX, GLUECKSGRIFF)


@pytest.fixture(params=OTHERS, ids=[game.name for game in OTHERS])
def third_game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """A registered game without narrator, texts and card faces, with the rules of another."""
    monkeypatch.setattr(games, "implement", lambda *_: None)  # the rules are compiled already
    yield replace(
        request.param, name="third", title="A third game", write_position=lambda _: {"mine": 1}
    )
    del GAMES["third"]
