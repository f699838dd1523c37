"""The page's server: what it answers, what it refuses, and that nothing is lost."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.errors import SettingsError
from goldgriff.eval.tournament.config import tournament_config
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.eval.tournament.replay import read_game
from goldgriff.eval.tournament.store import STORE, Store
from goldgriff.eval.tournament.tournament import run_tournament
from goldgriff.play.commands import seating
from goldgriff.play.session.session import Session
from goldgriff.play.web.access import Access, is_loopback
from goldgriff.play.web.app import make_app
from goldgriff.play.web.data import STATIC
from goldgriff.play.web.rooms import Replays, Rooms
from goldgriff.play.web.server import ServerError, bind

from .tables import SMALL

SETTINGS = AURUXXX.settings.from_dict(SMALL["auruxxx"])


def client_of(folder: Path, *, begin: bool = True) -> TestClient:
    rooms = Rooms(AURUXXX, SETTINGS, [PERSON, "random", "random"], folder, "expert")
    if begin:
        rooms.open_new(1)
    app = make_app("/game/1", Access("127.0.0.1"), rooms)
    return TestClient(app, base_url="http://127.0.0.1:8012")


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return client_of(tmp_path)


def state(client: TestClient, **query: str) -> Any:
    return client.get("/api/games/1", params=query).json()


def act(client: TestClient, what: str, version: str, **body: object) -> Any:
    return client.post(f"/api/games/1/{what}", json={"version": version, **body})


def play_to_the_end(client: TestClient) -> Any:
    now = state(client)
    while not now["over"]:
        if now["your_turn"]:
            answer = act(client, "move", now["version"], action=now["legal"][-1]["action"])
        else:
            answer = act(client, "step", now["version"])
        assert answer.status_code == 200
        now = answer.json()
    return now


def test_a_whole_game_and_its_record(client: TestClient) -> None:
    now = state(client)
    assert now["your_turn"]
    assert len(now["position"]["seats"][0]["hand"]) == 4
    assert [seat["hand"] for seat in now["position"]["seats"][1:]] == [None, None]
    assert client.get("/api/replays/1").json() == {"error": "game 1 is still being played"}
    now = play_to_the_end(client)
    assert now["position"]["over"]
    assert len(now["rounds"]) == 2
    shown = client.get("/api/replays/1", params={"at": now["moves"]}).json()
    assert shown["position"] == now["position"]
    assert shown["rounds"] == now["rounds"]
    assert client.get("/api/replays/1", params={"at": "99999"}).json() == shown
    start = client.get("/api/replays/1").json()
    assert (start["moves"], start["total"], start["last"]) == (0, now["moves"], 1)


def test_two_tabs_cannot_move_twice(client: TestClient) -> None:
    first = state(client)
    move = first["legal"][0]["action"]
    moved = act(client, "move", first["version"], action=move).json()
    again = act(client, "move", first["version"], action=move)
    assert again.status_code == 409
    assert again.json() == moved == state(client)
    assert act(client, "undo", first["version"]).status_code == 409
    # Asked for twice, an agent's move is made once: the second answer is no error of a page.
    stepped = act(client, "step", moved["version"])
    again = act(client, "step", moved["version"])
    assert (again.status_code, again.json()) == (200, stepped.json())
    moved = stepped.json()
    assert state(client) == moved
    unchanged = client.get("/api/games/1", params={"version": moved["version"]})
    assert unchanged.status_code == 204
    back = act(client, "undo", moved["version"]).json()
    assert back.pop("version") not in (first.pop("version"), moved["version"])
    assert back == first


def test_a_server_begun_anew_goes_on_with_the_game(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    now = state(client)
    for _ in range(6):
        body = {"action": now["legal"][0]["action"]} if now["your_turn"] else {}
        now = act(client, "move" if now["your_turn"] else "step", now["version"], **body).json()
    again = state(client_of(tmp_path, begin=False))
    assert again.pop("version") != now.pop("version")
    assert again == now


def test_another_game_has_another_deal(client: TestClient) -> None:
    assert client.post("/api/games/1/next").json() == {"number": 2}
    hands = [
        client.get(f"/api/games/{number}").json()["position"]["seats"][0]["hand"]
        for number in (1, 2)
    ]
    assert hands[0] != hands[1]
    assert client.get("/api/games/3").status_code == 400
    assert "no game 3" in client.get("/api/games/3").json()["error"]


def test_a_page_shows_what_another_program_has_played(client: TestClient, tmp_path: Path) -> None:
    before = state(client)
    other = Session.resume(tmp_path, 1)
    other.play(other.legal[0])
    refused = act(client, "move", before["version"], action=before["legal"][-1]["action"])
    now = refused.json()
    assert (refused.status_code, now["moves"]) == (409, 1)
    assert Session.resume(tmp_path, 1).match.moves == other.match.moves
    moved = act(client, "move", now["version"], action=now["legal"][0]["action"]).json()
    assert moved["moves"] == 2


def test_a_game_can_be_resigned_and_stays_so(client: TestClient, tmp_path: Path) -> None:
    now = act(client, "resign", state(client)["version"]).json()
    assert (now["resigned"], now["over"], now["can_undo"]) == ("You have resigned", True, False)
    assert (now["legal"], now["reasons"]) == ([], {"cards": {}, "table": {}})
    assert act(client, "step", now["version"]).json()["moves"] == 0
    again = client_of(tmp_path, begin=False)
    assert state(again, lang="de")["resigned"] == "Du hast aufgegeben"
    shown = again.get("/api/replays/1").json()
    assert (shown["resigned"], shown["fault"]) == ("You have resigned", "")
    assert all(seat["hand"] for seat in shown["position"]["seats"])
    with Store.open(tmp_path) as store:
        stored = read_game(store, 1)
    assert (stored.win_shares, stored.can_go_on) == ([0.0, 0.5, 0.5], False)


def test_a_game_can_be_deleted_and_its_number_is_not_used_again(client: TestClient) -> None:
    client.post("/api/games/1/next")
    assert client.post("/api/games/2/delete", json={}).json() == {}
    assert "no game 2" in client.get("/api/games/2").json()["error"]
    assert state(client)["moves"] == 0
    assert client.post("/api/games/1/next").json() == {"number": 3}


def test_another_game_that_is_asked_for_twice_is_begun_once(client: TestClient) -> None:
    first = state(client)["version"]
    for version, number in ((first, 2), (first, 2), ("", 3), (state(client)["version"], 4)):
        assert act(client, "next", version).json() == {"number": number}


def test_what_is_no_move_is_refused_and_changes_nothing(client: TestClient) -> None:
    now = state(client)
    for action in (-1, 10**9, None, "draw", True, 1.5, [1]):
        answer = act(client, "move", now["version"], action=action)
        assert answer.status_code == 400
        assert set(answer.json()) == {"error"}
    for content in (b"", b"{}", b'{"version": 1}'):
        assert client.post("/api/games/1/move", content=content).status_code == 409
    assert state(client) == now


def test_hints_come_on_request(client: TestClient) -> None:
    hint = client.get("/api/games/1/hint", params={"lang": "de"}).json()
    assert hint["agent"] == "expert"
    legal = {move["action"] for move in state(client)["legal"]}
    assert {move["action"] for move in hint["moves"]} == legal
    assert sum(move["probability"] for move in hint["moves"]) == pytest.approx(1)
    # Nobody else can be asked for: a name might be that of a module, which would be run.
    again = client.get("/api/games/1/hint", params={"lang": "de", "agent": "tests.players:Broken"})
    assert again.json() == hint


def test_the_game_speaks_german_and_english(client: TestClient) -> None:
    assert state(client)["names"][0] == "You"
    german = state(client, lang="de")
    assert german["names"][0] == "Du"
    assert german["log"][0]["text"].startswith("Runde 1.")
    assert state(client, lang="xx")["names"][0] == "You"
    english = client.get("/api/texts").json()
    assert english["undo"] == "Undo"
    assert client.get("/api/texts", params={"lang": "de"}).json().keys() == english.keys()


def test_the_rules_come_as_blocks_in_both_languages(client: TestClient) -> None:
    for language, beginning in (("en", "Passing (pass)"), ("de", "Passen (pass)")):
        blocks = client.get("/api/rules/auruxxx", params={"lang": language}).json()
        (rule,) = [block for block in blocks if block["rule"] == "A2.1"]
        assert rule["kind"] == "rule"
        assert rule["text"].startswith(beginning)
    for name in ("third", "de/auruxxx", "books/german", "..%2Fglossary"):
        answer = client.get(f"/api/rules/{name}")
        assert answer.status_code == 404 or answer.json() == []


def test_the_page_uses_no_text_that_is_not_there(client: TestClient) -> None:
    script = "\n".join(file.read_text() for file in STATIC.glob("*.js"))
    used = set(re.findall(r'say\("([\w.-]+)"', script))
    used |= {f"key.{key}" for key in re.findall(r'"(number|arrows|undo|hint|step)"', script)}
    assert len(used) > 30
    assert used - set(client.get("/api/texts").json()) == set()


def test_other_names_and_other_sites_are_refused(client: TestClient) -> None:
    now = state(client)
    rebound = client.get("/api/games/1", headers={"host": "evil.example"})
    assert rebound.status_code == 400
    body = {"version": now["version"], "action": now["legal"][0]["action"]}
    foreign = client.post("/api/games/1/move", json=body, headers={"origin": "http://evil.example"})
    assert foreign.status_code == 403
    assert state(client) == now
    own = client.post("/api/games/1/move", json=body, headers={"origin": "http://127.0.0.1:8012"})
    assert own.status_code == 200


def test_nothing_is_fetched_from_outside(client: TestClient) -> None:
    for path in ("/", "/game/1", "/api/texts", "/static/main.js", "/static/nothing.js"):
        policy = client.get(path, follow_redirects=False).headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'")
        assert "http" not in policy
        assert "unsafe" not in policy
    for file in STATIC.iterdir():
        outside = set(re.findall(r"https?://[^\"'\s)]+", file.read_text()))
        assert outside <= {"http://www.w3.org/2000/svg"}, file
    assert client.get("/static/../app.py").status_code == 404


def test_games_of_a_tournament_can_be_looked_at(tmp_path: Path) -> None:
    plan = tournament_config(AURUXXX, ("expert", "random"), SETTINGS, deals=2, seed=3)
    with Store.create(tmp_path / STORE, AURUXXX, dict(plan.rules)) as store:
        run_tournament(plan, store=store)
        (games,) = store.one("SELECT count(*) FROM games")
    replays = Replays(tmp_path / STORE)
    client = TestClient(
        make_app("/replay/1", Access("127.0.0.1"), replays), base_url="http://localhost"
    )
    assert "<main>" in client.get("/").text
    for number in (1, games):
        shown = client.get(f"/api/replays/{number}", params={"at": "999999", "lang": "de"}).json()
        assert shown["position"]["over"]
        assert shown["fault"] == ""
        assert shown["log"][-1]["kind"] in ("won", "shared")
        assert all(seat["hand"] is not None for seat in shown["position"]["seats"])
    assert client.get(f"/api/replays/{games + 1}").status_code == 400
    assert client.get("/api/games/1").status_code == 404


def test_a_game_of_agents_alone_can_be_watched(tmp_path: Path) -> None:
    session = Session(AURUXXX, SETTINGS, ["random"] * 3, 2, tmp_path)
    rooms = Rooms(AURUXXX, SETTINGS, ["random"] * 3, tmp_path, "expert")
    client = TestClient(
        make_app("/game/1", Access("127.0.0.1"), rooms), base_url="http://localhost"
    )
    now = client.get("/api/games/1").json()
    assert session.number == 1
    assert now["seat"] is None
    assert all(seat["hand"] for seat in now["position"]["seats"])
    assert play_to_the_end(client)["position"]["over"]


def test_who_sits_where() -> None:
    assert seating(SETTINGS, ["a", "b"], "0") == [PERSON, "a", "b"]
    assert seating(SETTINGS, ["a"], "2") == ["a", "a", PERSON]
    assert seating(SETTINGS, ["a", "b"], "none") == ["a", "b", "a"]
    assert seating(SETTINGS, ["a"], "2", 2) == [PERSON, "a", PERSON]
    assert seating(SETTINGS, ["a"], "1", 3) == [PERSON] * 3
    for agents, seat, people in (
        *((["a"], "3", None), (["a"], "x", None), (["a", "b", "c"], "0", None)),
        *((["a"], "0", 4), (["a"], "0", 0), (["a"], "none", 1), (["a", "b"], "0", 2)),
    ):
        with pytest.raises(SettingsError):
            seating(SETTINGS, agents, seat, people)


def test_an_address_that_cannot_be_had_is_one_line() -> None:
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerError, match=f"cannot listen at 127.0.0.1:{port}"):
            bind("127.0.0.1", port)
    for host, port in (("127.0.0.1", 70_000), ("no.such.host.invalid", 0)):
        with pytest.raises(ServerError):
            bind(host, port)
    assert is_loopback("127.0.0.1")
    assert is_loopback("localhost")
    assert not is_loopback("0.0.0.0")
    assert not is_loopback("example.org")
