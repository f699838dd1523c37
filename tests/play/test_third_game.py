"""A game without narrator, texts and card faces is played in the terminal and on the page."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.narrators.narrator import Narrator, get_narrator
from goldgriff.play.session.session import Session
from goldgriff.play.terminal.conversation import play_in_terminal
from goldgriff.play.texts import LANGUAGES, Texts
from goldgriff.play.web.access import Access
from goldgriff.play.web.app import make_app
from goldgriff.play.web.data import session_data
from goldgriff.play.web.rooms import Rooms

from .tables import SMALL, play_by_chance

FIRST = "tests.players:First"
NAMES = (PERSON, FIRST, FIRST)


def session_of(game: Game, folder: Path | None = None) -> Session:
    return Session(game, settings_of(game), NAMES, 1, folder)


def settings_of(game: Game) -> Any:
    base = next(each for each in (AURUXXX, GLUECKSGRIFF) if each.settings is game.settings)
    return game.settings.from_dict(SMALL[base.name])


def test_a_game_without_a_narrator_has_the_common_one(third_game: Game) -> None:
    assert type(get_narrator(third_game)) is Narrator
    assert {type(get_narrator(game)).__name__ for game in (AURUXXX, GLUECKSGRIFF)} == {
        "AuruxxxNarrator",
        "GluecksgriffNarrator",
    }


def test_moves_and_cards_have_their_own_names(third_game: Game) -> None:
    session = session_of(third_game)
    for _ in play_by_chance(session):
        data = session_data(session, "en")
        assert all(move["text"] == move["name"] for move in data["legal"])
        assert all(name == text for name, text in data["cards"].items())
        assert data["position"]["text"] == session.match.draw(0)
        json.dumps(data)
    rounds = session.log.scored_rounds()
    kinds = [event.kind for events in session.log.lines for event in events]
    assert set(kinds) <= {"deal", "move", "points", "won", "shared"}
    assert kinds.count("move") == len(session.match.moves)
    assert kinds.count("deal") == len(rounds) > 0
    for language in LANGUAGES:
        texts = Texts(language, third_game, session.settings, session.names)
        assert all(texts.line(event) for events in session.log.lines for event in events)


def test_a_move_says_no_more_than_its_viewer_may_know() -> None:
    position = {
        "hands": [["8", "9"], ["2", "3", "9", "9"], ["14", "13"]],
        "discard": ["5"],
        "phase": "prize",
        "magician": 0,
        "challenged": 1,
        "open": [None, "6", "7"],
    }
    seen = {}
    for viewer in (0, 2):
        settings = GLUECKSGRIFF.settings.from_dict({"num_players": 3, "bluffing": True})
        session = Session(GLUECKSGRIFF, settings, ("random",) * 3, 1)
        log = session.log
        log.narrator, log.viewer = Narrator(GLUECKSGRIFF), viewer
        log.match.start(1, position)
        seen[viewer] = log.play(GLUECKSGRIFF.actions.index("grab 2"))[0].name
    assert seen == {0: "grab 2", 2: "grab"}


def test_it_is_played_in_the_terminal(
    third_game: Game,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = session_of(third_game, tmp_path)
    name = session.match.legal[0]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"hint\n{name}\nundo\n1\n"))
    play_in_terminal(session, tmp_path, FIRST, "en")
    printed = capsys.readouterr().out
    assert f"You: {name}" in printed
    assert "> player_0: " in printed
    assert re.search(rf"100%  █{{20}} +(<1|>99|\d+)%  {re.escape(name)}", printed)
    assert f"goldgriff play third --out {tmp_path} --resume 1 --hints {FIRST}" in printed
    assert Session.resume(tmp_path, 1, trust=True).match.moves == session.match.moves != []


def test_it_is_played_on_the_page(third_game: Game, tmp_path: Path) -> None:
    rooms = Rooms(third_game, settings_of(third_game), NAMES, tmp_path, FIRST)
    rooms.open_new(1)
    app = make_app("/game/1", Access("127.0.0.1"), rooms)
    client = TestClient(app, base_url="http://127.0.0.1")
    now = client.get("/api/games/1").json()
    assert (now["art"], now["title"]) == ("plain", "A third game")
    assert "DEFS" in client.get("/static/art-plain.js").text
    assert client.get("/api/games/1/hint").json()["moves"][0]["probability"] == 1
    while not now["over"]:
        body = {"version": now["version"]}
        if now["your_turn"]:
            body["action"] = now["legal"][-1]["action"]
        change = "move" if now["your_turn"] else "step"
        now = client.post(f"/api/games/1/{change}", json=body).json()
    shown = client.get("/api/replays/1", params={"at": now["moves"]}).json()
    assert shown["position"]["over"]
    assert shown["log"][-1]["kind"] in ("won", "shared")
    assert shown["position"]["text"] == rooms.session(1).match.draw(None)
