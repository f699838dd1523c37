"""Several people at one table: each has a link of their own, which shows and plays one seat."""

import io
import logging
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.errors import MoveError
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.eval.tournament.store import STORE, StoreError
from goldgriff.play.session.session import Session
from goldgriff.play.web import server
from goldgriff.play.web.access import Access
from goldgriff.play.web.app import make_app
from goldgriff.play.web.lobby import Lobby
from goldgriff.play.web.rooms import Replays, Rooms

from .test_web import SETTINGS

NAMES = (PERSON, "random", PERSON)
SHORT = AURUXXX.settings.from_dict({**SETTINGS.to_dict(), "max_decisions": 30})
FORM = {
    "game": "gluecksgriff",
    "rules": {"num_players": 3},
    "agents": [PERSON, "random"],
    "seed": "5",
}


class Table:
    """The server of a folder, and what its people ask it."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", number: int = 1) -> None:
        self.access = Access(host, 0)
        self.rooms = Rooms(AURUXXX, SHORT, NAMES, folder, "expert")
        if not folder.exists():
            self.rooms.open_new(1)
        lobby = Lobby(self.rooms, self.access)
        app = make_app(f"/game/{number}", self.access, self.rooms, lobby)
        self.client = TestClient(app, base_url=f"http://{host}:8012")
        self.number = number

    def token(self, seat: int) -> str:
        tokens = self.access.tokens((0, 2), f"/game/{self.number}")
        return tokens[seat]

    def ask(self, token: str, what: str = "", **body: object) -> Any:
        """Ask about the game, or change it; `number` is that of the game."""
        path = f"/api/games/{body.pop('number', self.number)}/{what}".rstrip("/")
        headers = {"authorization": f"Bearer {token}"} if token else {}
        if body:
            return self.client.post(path, json=body, headers=headers)
        return self.client.get(path, headers=headers)

    def play(self, moves: int = 1000) -> int:
        """Play on, the people in turn; return how many moves were played."""
        now = self.ask(self.token(0)).json()
        for played in range(moves):
            if now["over"]:
                return played
            if now["waiting"]:
                now = self.ask(self.token(2 - now["seat"])).json()
            move = {"action": now["legal"][-1]["action"]} if now["your_turn"] else {}
            what, version = "move" if move else "step", now["version"]
            answer = self.ask(self.token(now["seat"]), what, version=version, **move)
            assert answer.status_code == 200
            now = answer.json()
        return moves


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "games")


def test_each_person_sees_one_seat_and_waits_for_the_other(table: Table) -> None:
    mine, other = (table.ask(table.token(seat)).json() for seat in (0, 2))
    assert (mine["seat"], other["seat"]) == (0, 2)
    assert mine["names"] == ["You", "Anna", "Person 3"]
    assert other["names"] == ["Person 1", "Anna", "You"]
    for seen in (mine, other):
        hands = [seat["hand"] is not None for seat in seen["position"]["seats"]]
        assert hands == [seat == seen["seat"] for seat in range(3)]
    assert (mine["your_turn"], mine["waiting"]) == (True, False)
    assert (other["your_turn"], other["waiting"], other["legal"]) == (False, True, [])
    version = other["version"]
    refused = table.ask(table.token(2), "move", version=version, action=mine["legal"][0]["action"])
    assert refused.json() == {"error": "it is not your turn"}
    assert table.ask(table.token(2), "step", version=version).json() == other  # no agent's turn
    german = table.client.get(
        "/api/games/1?lang=de", headers={"authorization": f"Bearer {table.token(2)}"}
    )
    assert german.json()["names"] == ["Person 1", "Anna", "Du"]


@pytest.mark.parametrize("host", ["127.0.0.1", "192.168.1.7"])
def test_nobody_sees_or_plays_a_seat_without_its_token(host: str, tmp_path: Path) -> None:
    table, another = Table(tmp_path / "games", host), Table(tmp_path / "others", host)
    before = table.ask(table.token(2)).json()
    wrong = ["", "wrong", "2", "2-", table.token(2)[:-1], "0" + table.token(2)[1:]]
    wrong += ["02" + table.token(2)[1:], "9" * 99 + "-x", another.token(2), another.access.token]
    wrong.append(table.access.seat_token(1, "/game/1"))  # the seat of an agent
    wrong.append(table.access.seat_token(2, "/game/11"))
    german = table.client.get("/api/games/1", headers={"accept-language": "de-AT,de;q=0.9,en"})
    assert german.json()["error"].startswith("Öffne den Link ")
    body: dict[str, Any] = {"version": before["version"], "action": 0}
    for token in wrong:
        for what in ("", "hint", "links"):
            answer = table.ask(token, what)
            assert answer.status_code == 403, (token, what)
            assert answer.json()["error"].startswith(
                "open the link of your seat, which has a token"
            )
        for what in ("move", "step", "undo", "resign", "next", "delete", "name"):
            assert table.ask(token, what, **body).status_code == 403, (token, what)
    assert table.ask(table.token(2)).json() == before


def test_people_read_what_the_others_are_called(table: Table) -> None:
    first = table.ask(table.token(0)).json()
    assert table.ask(table.token(2), "name", name=" Ann \n <b>\u202e ").json() == {
        "name": "Ann <b>"
    }
    now = table.ask(table.token(0)).json()
    assert now["names"] == ["You", "Anna", "Ann <b>"]
    assert now["version"] != first["version"]  # so that the page hears of it
    assert table.ask(table.token(2)).json()["names"] == ["Person 1", "Anna", "You"]
    assert table.ask(table.token(2)).json()["called"] == "Ann <b>"
    # A name is no change of the position: a move made on the older version counts.
    action = first["legal"][0]["action"]
    moved = table.ask(table.token(0), "move", version=first["version"], action=action)
    assert (moved.status_code, moved.json()["moves"]) == (200, 1)
    for given, left in (("x" * 99, "x" * 20), ("you", "you 3"), ("anna", "anna 3")):
        table.ask(table.token(2), "name", name=given)
        assert table.ask(table.token(0)).json()["names"][2] == left
    table.ask(table.token(2), "name", name=" ")
    assert table.ask(table.token(0)).json()["names"][2] == "Person 3"
    refused = table.ask(table.token(2), "name", name=["Ann"])
    assert (refused.status_code, refused.json()) == (
        400,
        {"error": "a name must be a text, not ['Ann']"},
    )
    table.ask(table.token(0), "name", name="Ann")
    table.ask(table.token(2), "name", name="ann")
    assert table.ask(table.token(2)).json()["names"] == ["Ann 1", "Anna", "You"]


def test_only_the_host_gets_the_links_and_begins_the_next_game(table: Table) -> None:
    host, guest = table.token(0), table.token(2)
    links = table.ask(host, "links").json()["links"]
    assert links == [
        {"name": "You", "seat": 0, "address": f"/game/1?token={host}"},
        {"name": "Person 3", "seat": 2, "address": f"/game/1?token={guest}"},
    ]
    for what, body in (("links", {}), ("next", {"x": 1}), ("delete", {"x": 1})):
        answer = table.ask(guest, what, **body)
        assert (answer.status_code, answer.json()) == (
            403,
            {"error": "only whoever began this game can do that"},
        )
    before = table.ask(guest).json()
    assert (before["host"], before["next"]) == (False, None)
    assert table.ask(host, "next", x=1).json() == {"number": 2}
    after = table.ask(guest).json()
    assert after["next"] == "/game/2"
    assert after["version"] != before["version"]  # so that a page that waits hears of it
    assert table.ask(host).json()["next"] is None
    # The same links are good for the next game of the same people, and for no other.
    assert table.ask(guest, number=2).json()["seat"] == 2
    assert table.ask(host, "next", number=2, x=1).json() == {"number": 3}
    assert table.ask(guest, number=3).json()["seat"] == 2
    assert table.rooms.open_new(1) == 4
    assert table.ask(guest, number=4).status_code == 403


def test_pages_look_for_the_next_game_while_one_is_begun(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms, numbers = table.rooms, count(2)
    session = rooms.session(1)
    monkeypatch.setattr(rooms, "session", lambda _: session)
    monkeypatch.setattr(rooms, "begin", lambda *_: next(numbers))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor() as pool:
            begun = pool.submit(lambda: [rooms.open_next(number) for number in range(1, 3000)])
            while not begun.done():
                rooms.next_of(7)
    finally:
        sys.setswitchinterval(interval)
    assert begun.result() == list(range(2, 3001))
    assert rooms.next_of(7) == 8


def test_people_have_one_next_game_however_often_it_is_asked_for(table: Table) -> None:
    host = table.token(0)
    versions = [table.ask(host).json()["version"], "old", None]
    begun = [table.ask(host, "next", version=version).json() for version in versions]
    assert begun == [{"number": 2}] * 3
    assert table.ask(table.token(2)).json()["next"] == "/game/2"
    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(table.rooms.open_next, 2, "same") for _ in range(4)]
    assert [each.result() for each in asked] == [3] * 4


def test_no_move_is_taken_back_among_people(table: Table) -> None:
    first = table.ask(table.token(0)).json()
    table.ask(table.token(0), "move", version=first["version"], action=first["legal"][0]["action"])
    now = table.ask(table.token(0)).json()
    assert (now["moves"], now["can_undo"]) == (1, False)
    answer = table.ask(table.token(0), "undo", version=now["version"])
    assert answer.json() == {"error": "there is no move to take back"}


def test_a_person_asks_for_hints_at_their_own_turn_only(table: Table) -> None:
    assert table.ask(table.token(0), "hint").json()["agent"] == "expert"
    assert table.ask(table.token(2), "hint").json() == {
        "error": "a hint can be had when it is your turn"
    }


def test_a_game_goes_on_after_a_restart_and_everybody_sees_its_end(tmp_path: Path) -> None:
    table = Table(tmp_path / "games")
    assert table.play(12) == 12
    seen = [table.ask(table.token(seat)).json() for seat in (0, 2)]
    old = table.token(2)
    table = Table(tmp_path / "games")
    assert table.ask(old).status_code == 403
    for seat, before in zip((0, 2), seen, strict=True):
        now = table.ask(table.token(seat)).json()
        assert now.pop("version") != before.pop("version")
        assert now == before
    with pytest.raises(StoreError, match="game 1 is still being played by several people"):
        Replays(tmp_path / "games" / STORE).replay(1)
    guest = {"authorization": f"Bearer {table.token(2)}"}
    refused = table.client.get("/api/replays/1", headers=guest)
    assert refused.json() == {"error": "game 1 is still being played"}
    table.play()
    ends = [table.ask(table.token(seat)).json() for seat in (0, 2)]
    for end in ends:
        assert end["position"]["over"]
        assert all(seat["hand"] is not None for seat in end["position"]["seats"])
    assert ends[0]["ended"] == ends[1]["ended"]
    shown = table.client.get("/api/replays/1", params={"at": 999}, headers=guest).json()
    assert shown["names"] == ["Person 1", "Anna", "Person 3"]
    assert shown["rounds"] == ends[0]["rounds"]


def test_the_end_of_a_round_is_shown_to_who_looks_later(table: Table) -> None:
    while not table.ask(table.token(0)).json()["rounds"]:
        table.play(1)
    ended = table.ask(table.token(2)).json()["ended"]
    table.play(3)
    later = table.ask(table.token(2)).json()
    assert later["ended"] == ended
    assert ended["move"] == later["moves"] - 3


def test_what_one_person_draws_the_other_does_not_read() -> None:
    session = Session(AURUXXX, SETTINGS, NAMES, 1)
    guest, hidden = session.at(2), 0
    for _ in range(60):
        if session.over:
            break
        for each in (session, guest):
            if each.your_turn:
                each.play(each.legal[0])
                break
        else:
            session.step()
        for mine, theirs in zip(session.log.lines[-1], guest.log.lines[-1], strict=True):
            assert (mine.kind.split(".")[0], mine.seat) == (theirs.kind.split(".")[0], theirs.seat)
            if mine.kind == "draw.cards" or theirs.kind == "draw.cards":
                assert (mine.cards == ()) == (mine.seat != 0)
                assert (theirs.cards == ()) == (theirs.seat != 2)
                hidden += mine.seat in (0, 2)
    assert hidden > 3
    assert session.match.moves == guest.match.moves
    assert session.progress.version == guest.progress.version
    with pytest.raises(MoveError, match="there is no move to take back"):
        guest.undo()


def test_an_agent_that_fails_ends_the_game_for_everybody() -> None:
    names = [PERSON, PERSON, "tests.play.players:Stubborn"]
    session = Session(AURUXXX, SETTINGS, names, 1)
    guest = session.at(1)
    for each in (session, guest):
        each.play(AURUXXX.actions.index("pass"))
    guest.step()
    assert session.progress.failed == guest.progress.failed != ""
    assert session.over
    assert not session.waiting
    assert not guest.waiting


# --- The command and the lobby -----------------------------------------------------------------


def test_the_command_prints_a_link_for_each_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server._Server, "run", lambda *_, **__: None)
    options = ["--browser", "--no-open", "--port", "0", "--out", str(tmp_path)]
    begin = [*options, "--players", "3", "--people", "2", "--seat", "2", "--agents", "random"]
    for more in (begin, [*options, "--resume", "1"]):
        assert main(["play", "auruxxx", *more]) == 0
        own, other, *about = capsys.readouterr().out.splitlines()
        link = r"http://127.0.0.1:\d+/game/1\?token="
        first, second = ("2", "0") if more is begin else ("0", "2")
        assert re.fullmatch(rf"serving at {link}{first}-\S{{22}}  \(Ctrl\+C ends\)", own)
        guest = rf"the link of Person {int(second) + 1}: {link}{second}-\S{{22}}"
        assert re.fullmatch(guest, other)
        assert about[0] == "who has such an address can play for its seat"
        assert about[1].startswith("only this machine can reach them; with --host 0.0.0.0")
    assert main(["play", "auruxxx", "--host", "0.0.0.0", *options, "--resume", "1"]) == 0
    own, other, *about = capsys.readouterr().out.splitlines()
    assert len(about) == 1
    assert "//0.0.0.0" not in own + other
    assert main(["play", "auruxxx", *options, "--resume", "1", "--language", "de"]) == 0
    german = [line.split("http")[0] for line in capsys.readouterr().out.splitlines()]
    assert german[:2] == ["zu finden unter ", "der Link von Person 3: "]  # codespell:ignore unter
    assert german[2].startswith("wer so eine ")
    assert main(["play", "auruxxx", "--out", str(tmp_path), "--resume", "1"]) == 1
    assert capsys.readouterr().err == ("goldgriff play: 2 people play on the page: add --browser\n")


def test_handlers_of_other_libraries_stay_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A handler of absl closes standard error where the log is configured anew."""
    monkeypatch.setattr(server._Server, "run", lambda *_, **__: None)
    handler = logging.StreamHandler(io.StringIO())
    monkeypatch.setattr(handler, "close", handler.stream.close)
    options = ["--browser", "--no-open", "--port", "0", "--out", str(tmp_path)]
    assert main(["play", "auruxxx", *options, "--agents", "random"]) == 0
    assert not handler.stream.closed


def test_the_form_of_the_lobby_lets_other_seats_be_people(tmp_path: Path) -> None:
    table = Table(tmp_path / "games")
    address = table.client.post("/api/lobby", json=FORM).json()["address"]
    page, _, token = address.partition("?token=")
    api = page.replace("/game/", "/api/games/")
    own = {"authorization": f"Bearer {token}"}
    now = table.client.get(api, headers=own).json()
    assert (now["seat"], now["people"], now["host"]) == (0, [0, 1], True)
    assert now["names"] == ["You", "Person 2", "Anna"]
    assert table.client.get(api).status_code == 403
    listed = {game["address"]: game for game in table.client.get("/api/lobby").json()["games"]}
    assert listed.keys() == {page, "/game/1"}
    assert listed[page]["people"] == [0, 1]
    assert listed[page]["players"] == ["random"]


def test_the_list_of_games_leads_nobody_to_a_seat(table: Table) -> None:
    begun = table.client.post("/api/lobby", json=FORM).json()["address"]
    for token in ("", "wrong", table.token(2), table.token(0), begun.partition("?token=")[2]):
        headers = {"authorization": f"Bearer {token}"}
        listed = table.client.get("/api/lobby", headers=headers)
        assert len(listed.json()["games"]) == 2
        assert "token" not in listed.text


@pytest.mark.parametrize("host", ["127.0.0.1", "192.168.1.7"])
def test_a_replay_shows_the_way_to_all_games_to_the_host_only(host: str, tmp_path: Path) -> None:
    table = Table(tmp_path / "games", host)
    table.play()
    for seat, way in ((0, True), (2, False)):
        headers = {"authorization": f"Bearer {table.token(seat)}"}
        assert table.client.get("/api/replays/1", headers=headers).json()["host"] == way
    if table.access.is_local:
        assert table.client.get("/api/replays/1").json()["host"]


def test_beyond_loopback_a_guest_has_no_lobby_and_the_host_one_token(tmp_path: Path) -> None:
    table = Table(tmp_path / "games", "192.168.1.7")
    host, guest = table.token(0), table.token(2)
    assert host == table.access.token
    assert table.ask(host).json()["seat"] == 0
    for token, status in ((guest, 403), (host, 200)):
        headers = {"authorization": f"Bearer {token}"}
        assert table.client.get("/api/lobby", headers=headers).status_code == status
        assert table.client.post("/api/lobby", json=FORM, headers=headers).status_code == status
    headers = {"authorization": f"Bearer {host}"}
    games = table.client.get("/api/lobby", headers=headers).json()["games"]
    assert [game["address"].partition("?")[2] for game in games] == ["", ""]
