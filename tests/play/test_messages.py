"""Refuse what cannot be in the language of the person: in German no English, in English no gaps."""

import ast
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine import cache
from goldgriff.envs.engine.compile import _announce
from goldgriff.errors import GoldgriffError, MoveError, message_texts
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.eval.tournament.store import STORE, Store
from goldgriff.play.session.session import Session
from goldgriff.play.terminal.replay import replay_game
from goldgriff.play.texts import shared_text
from goldgriff.play.texts.messages import error_line, speaking, translate
from goldgriff.play.web.access import Access
from goldgriff.play.web.app import make_app
from goldgriff.play.web.lobby import TABLES, Lobby
from goldgriff.play.web.rooms import Rooms

from .tables import SMALL, small_session
from .test_lobby import FORM
from .test_web import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("cli", "envs", "agents", "eval", "play")
ENGLISH = re.compile(
    r"(?<![-\w])(the|of|is|are|must|not|and|for|there|no|a|an|has|to|it|known|unknown|game|seats?|cards?|hands|"
    r"whole|number|cannot|read|write|illegal|legal|named?s|run|choose|failed|forfeits?|turn)\b"
)
QUOTED = re.compile(r"'[^']*'|„[^“]*“|/\S+|\b--\w+|trust=True|\w+Error: .*|\[\]|\{\}")
BAD_FORMS: list[dict[str, Any]] = [
    {"game": "chess"},
    {"game": "auruxx"},
    {"game": 1},
    {"agents": ["nobody"]},
    {"agents": ["expertt"]},
    {"agents": []},
    {"agents": ["random"] * 3},
    {"agents": ["random"] * 2, "rules": {"num_players": 2}},
    {"rules": {"num_players": 9}},
    {"rules": {"point_limit": 0}},
    {"rules": {"last_turn": "sometimes"}},
    {"rules": {"last_turn": "optionl"}},
    {"rules": {"bluffing": 1}},
    {"rules": {"colours": 2}},
    {"rules": {"point_limits": 2}},
    {"rules": {"preset": "web"}},
    {"rules": {"preset": "expert"}},
    {"rules": {"preset": "tiny-a", "num_players": 3}},
    {"rules": {"num_players": 5, "hand_size": 20, "jokers": 0}},
    {"rules": {"hand_size": 30}},
    {"rules": {"copies": 14}},
    {"rules": []},
    {"seed": "-1"},
    {"seed": str(2**64)},
    {
        "game": "auruxxx",
        "rules": {"num_players": 3, "hand_size": 13, "colours": 1, "highest_number": 3},
    },
    {"game": "auruxxx", "rules": {"golden_twelves": 0}},
    {"game": "auruxxx", "rules": {"blessing_draws": "all"}},
]


def assert_german(line: str) -> None:
    """Check that a line has no English words but names, and is no line for want of a text."""
    assert line
    assert ENGLISH.findall(QUOTED.sub("", line)) == [], line
    assert shared_text("error.untold", "de") not in line
    assert line != shared_text("error.other", "de")
    assert not re.search(r"[{}]", line)
    assert "\n" not in line


def lobby_client(folder: Path, access: Access | None = None, **more: Any) -> TestClient:
    rooms = Rooms(AURUXXX, SETTINGS, [PERSON, "random", "random"], folder, "expert")
    access = access or Access("127.0.0.1")
    app = make_app("/game/1", access, rooms, Lobby(rooms, access))
    more = {"base_url": "http://127.0.0.1:8012", "headers": {"accept-language": "de"}, **more}
    return TestClient(app, **more)


def answers(client: TestClient, number: int) -> Iterator[Any]:
    """Ask for all that cannot be had of a game that can go on; `number` is one with a move made."""
    api = f"/api/games/{number}"
    now = client.get(api).json()
    legal = {move["action"] for move in now["legal"]}
    illegal = next(action for action in range(len(AURUXXX.actions)) if action not in legal)
    for action in (illegal, 9999, -1, "1", None):
        yield client.post(f"{api}/move", json={"version": now["version"], "action": action})
    yield client.post(f"{api}/undo", json={"version": now["version"]})
    yield client.post(f"{api}/name", json={"name": 5})
    yield client.post(f"{api}/move", content=b"[1]")
    yield client.post(f"{api}/move", content=b" " * 20_000)
    yield client.get(f"{api}/move")
    yield client.get("/api/games/99")
    yield client.get("/api/games/none")
    yield client.get("/nowhere")
    yield client.get("/tables/none/api/games/1")
    yield client.get(f"/api/replays/{number}")
    yield client.get(f"/api/replays/{number}/analysis")
    yield client.get("/api/replays/99")
    yield client.get(api, headers={"host": "elsewhere.example"})
    yield client.post(f"{api}/undo", json={}, headers={"origin": "http://elsewhere.example"})


@pytest.mark.parametrize("asked", BAD_FORMS)
def test_a_form_that_cannot_be_is_refused_in_german(asked: dict[str, Any], tmp_path: Path) -> None:
    answer = lobby_client(tmp_path).post("/api/lobby?lang=de", json={**FORM, **asked})
    assert answer.status_code == 400, answer.json()
    assert_german(answer.json()["error"])


def test_a_setting_is_called_as_in_the_form(tmp_path: Path) -> None:
    asked = {**FORM, "rules": {"num_players": 3, "hand_size": 99}}
    line = lobby_client(tmp_path).post("/api/lobby?lang=de", json=asked).json()["error"]
    assert line.startswith("Karten für jeden Spieler: nötig ")


def test_requests_of_a_game_are_refused_in_german(tmp_path: Path) -> None:
    small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    client = lobby_client(tmp_path)
    for answer in answers(client, 1):
        assert answer.status_code >= 400, answer.request.url
        assert_german(answer.json()["error"])


def test_who_has_no_token_is_told_so_in_german(tmp_path: Path) -> None:
    names = [PERSON, PERSON, "random"]
    Session(AURUXXX, AURUXXX.settings.from_dict(SMALL["auruxxx"]), names, 1, tmp_path)
    client = lobby_client(tmp_path, Access("0.0.0.0"))
    for path in ("/api/lobby", "/api/games/1", "/api/replays/1", "/api/games/1/links"):
        answer = client.get(path)
        assert answer.status_code == 403
        assert_german(answer.json()["error"])


def test_a_server_at_fault_says_so_in_german(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a fault of the library")

    monkeypatch.setattr(Lobby, "games", fail)
    answer = lobby_client(tmp_path, raise_server_exceptions=False).get("/api/lobby")
    assert answer.status_code == 500
    assert_german(answer.json()["error"])


@pytest.mark.parametrize("player", ["Stubborn", "Astray"])
def test_a_game_that_an_agent_has_lost_is_told_in_german(player: str, tmp_path: Path) -> None:
    settings = AURUXXX.settings.from_dict({**SMALL["auruxxx"], "num_players": 2})
    names = ["random", f"tests.play.players:{player}"]
    session = Session(AURUXXX, settings, names, 1, tmp_path)
    while not session.over:
        session.step()
    with Store.open(tmp_path / STORE) as store:
        (*_, last) = replay_game(store, 1, "de")
    name, _, told = last.plain.partition(" gibt das Spiel verloren: ")
    assert name == names[1]
    assert_german(told)
    client = lobby_client(tmp_path)
    replay = client.get("/api/replays/1?at=9999").json()
    if "error" in replay:  # it can go on
        assert_german(replay["error"])
    else:
        assert replay["fault"].endswith(told)


def test_games_of_agents_that_cannot_be_had_are_told_in_german(tmp_path: Path) -> None:
    small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    store = sqlite3.connect(tmp_path / STORE, isolation_level=None)
    for name in ("gone", "stranger:Agent", "hf://some/model", str(tmp_path / "none.safetensors")):
        (old,) = store.execute("SELECT name FROM agents WHERE name != 'you'").fetchone()
        store.execute("UPDATE agents SET name = ? WHERE name = ?", (name, old))
        store.execute("UPDATE runs SET config = replace(config, ?, ?)", (f'"{old}"', f'"{name}"'))
        answer = lobby_client(tmp_path).get("/api/games/1")
        assert answer.status_code == 400, name
        assert_german(answer.json()["error"])
    store.close()


@pytest.mark.parametrize("damage", ["no database", "no seats", "moves"])
def test_damaged_games_are_told_in_german(damage: str, tmp_path: Path) -> None:
    small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    table = tmp_path / TABLES / "auruxxx-1"
    table.mkdir(parents=True)
    shutil.copy(tmp_path / STORE, table / STORE)
    if damage == "no database":
        (table / STORE).write_bytes(b"not a database" * 100)
    else:
        store = sqlite3.connect(table / STORE, isolation_level=None)
        wrong = "DROP TABLE seats" if damage == "no seats" else "UPDATE games SET actions = x'FFFF'"
        store.execute(wrong)
        store.close()
    client = lobby_client(tmp_path)
    for fault in client.get("/api/lobby").json()["faults"]:
        assert_german(fault)
    answer = client.get(f"/{TABLES}/auruxxx-1/api/games/1")
    assert answer.status_code == 400
    assert_german(answer.json()["error"])


def test_an_agent_that_fails_gives_no_hint_in_german(tmp_path: Path) -> None:
    session = small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    while not session.your_turn:
        session.step()
    for name in ("tests.play.players:Stubborn", "tests.play.players:Astray", "nobody", "no:where"):
        with pytest.raises(GoldgriffError) as error:
            session.hint(name)
        assert_german(error_line(error.value, "de"))
    session = Session(AURUXXX, SETTINGS, ["random", PERSON, "random"], 1)
    for forbidden in (session.undo, lambda: session.hint("expert"), lambda: session.play(0)):
        with pytest.raises(MoveError) as refused:
            forbidden()
        assert_german(error_line(refused.value, "de"))


def test_a_message_without_a_german_text_is_not_shown() -> None:
    error = GoldgriffError("of a kind that nobody has met")
    assert error_line(error, "en") == str(error)
    assert error_line(error, "de") == shared_text("error.other", "de")
    assert translate("no-such-code", {}, "de") == ""


def raised_messages() -> dict[str, set[str]]:
    """The codes in the sources of the library, and the names of the values that come with each."""
    found: dict[str, set[str]] = {}
    files = (file for folder in SOURCES for file in Path(ROOT, folder).rglob("*.py"))
    for path in (ROOT / "files.py", *files):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and any(word.arg == "code" for word in call.keywords):
                words = {word.arg: word.value for word in call.keywords if word.arg}
                for code in ast.walk(words.pop("code")):
                    if isinstance(code, ast.Constant) and code.value:
                        found.setdefault(str(code.value), set(words)).intersection_update(words)
    return found


def test_every_message_with_a_code_has_a_german_text_whose_gaps_are_filled() -> None:
    texts, english, raised = message_texts("de"), message_texts("en"), raised_messages()
    raised |= {
        f"unknown-{what}": {"name", "known", "meant"}
        for what in ("agent", "game", "preset", "setting")
    }
    raised |= {code: set() for code in ("compiling", "not-found", "no-method")}
    faults = ("failed", "replaced", "wrong-shape", "timeout", "timeout-first", "ended")
    raised |= {code: set(re.findall(r"{(\w+)}", english[code])) for code in faults}
    raised |= {"unfinished": set(), "resigned": set()}
    raised["timeout"].add("seconds")
    for code, text in english.items():
        assert set(re.findall(r"{(\w+)}", text)) <= raised.get(code, set()), code
    for code, values in raised.items():
        assert code in texts, code
        for key in (code, f"{code}.one", f"{code}.meant"):
            assert set(re.findall(r"{(\w+)}", texts.get(key, ""))) <= values, key


def test_the_notice_that_something_is_compiled_is_in_the_language_of_the_player(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for language, expected in (
        ("de", "goldgriff: Die Regeln werden übersetzt, zum ersten Mal mit dieser Version"),
        (None, "goldgriff: compiling the rules that are needed here"),
    ):
        monkeypatch.setattr(cache, "_said", set())
        with speaking(language):
            _announce()
        assert capsys.readouterr().err.startswith(expected)
