"""The page's server: it tells nobody what they do not know, and no request harms it."""

import json
import logging
import random
import re
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import uvicorn
from starlette.testclient import TestClient

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.eval.tournament.store import STORE
from goldgriff.play.session.session import Session
from goldgriff.play.web.access import Access
from goldgriff.play.web.app import make_app
from goldgriff.play.web.requests import MAX_BODY
from goldgriff.play.web.rooms import Replays, Rooms
from goldgriff.play.web.server import ServerError, bind

from ..play.tables import CASES, SMALL

SETTINGS = AURUXXX.settings.from_dict(SMALL["auruxxx"])
TELLER = "tests.attacks.agents:Teller"  # fails, and says what it holds
LONGEST = 25  # moves of a pair


class Side:
    """One of two games that the person cannot tell apart, behind its own server.

    The person is on seat 0; with two `people` there is another one on seat 1.
    """

    def __init__(
        self, game: Game, rules: dict[str, Any], folder: Path, other: str, people: int = 1
    ) -> None:
        settings, access = game.settings.from_dict(rules), Access("127.0.0.1")
        names = [PERSON] * people + [other] * (settings.num_players - people)
        rooms = Rooms(game, settings, names, folder, "expert")
        rooms.open_new(1)
        app = make_app("/game/1", access, rooms)
        own = {"authorization": f"Bearer {access.seat_token(0, '/game/1')}"}
        self.client = TestClient(app, base_url="http://127.0.0.1", headers=own)
        self.session: Session = rooms.session(1)

    def begin(self, position: dict[str, Any], seed: int) -> None:
        """Begin a game in a position; it is what is taken back to."""
        progress = self.session.progress
        progress.failed, progress._changes = "", 0
        for log in self.session._logs.values():
            start = partial(Match.start, log.match, seed, position)
            setattr(log.match, "start", lambda _, start=start: start())  # noqa: B010
            log.lines = []
            log.go_back(0)
        self.session._keep()  # else the store has the end of the pair before

    def ask(self, what: str, **body: Any) -> Any:
        """Return status and answer, without the mark that is drawn by chance."""
        if body:
            body["version"] = self.session.progress.version if body["fresh"] else "old"
            answer = self.client.post(f"/api/games/1/{what}", json=body)
        else:
            answer = self.client.get(f"/api/{what}")
        text = re.sub(r'"version":"[0-9a-f]{16}-', '"version":"', answer.text)
        return answer.status_code, text

    def seen(self) -> bytes:
        """Return what the person observes, and has seen happen, such as whose card it drew."""
        match = self.session.match
        return b"".join(array.tobytes() for array in (*match.observe(0), match.events(0, LONGEST)))


def positions(game: Game, rules: dict[str, Any], seed: int) -> tuple[dict[str, Any], ...]:
    """Return two positions of one game, reached by chance, that seat 0 cannot tell apart."""
    match, rng = Match(game, game.settings.from_dict(rules)), np.random.default_rng(seed)
    match.start(seed)
    for _ in range(int(rng.integers(60))):
        match.play(str(rng.choice(match.legal)))
        if match.over:
            match.start(seed)
    worlds = match.sample_states(0, rng.integers(2**63, size=2, dtype=np.uint64))
    twin, found = Match(game, match.settings), []
    twin.start(seed)
    for world in worlds:
        for name in world.dtype.names:
            twin.state[name] = world[name]
        found.append(twin.position())
    return tuple(found)


def choose(sides: tuple[Side, Side], rng: np.random.Generator) -> list[int] | None:
    """Return a move for each side that the person sees as the same, None if there is none."""
    legal = [np.flatnonzero(side.session.match.mask) for side in sides]
    both = np.intersect1d(legal[0], legal[1])
    names = sides[0].session.game.actions
    grabs = [[action for action in each if names[action].startswith("grab")] for each in legal]
    if all(grabs) and sides[0].session.match.current_player != 0:
        return [int(rng.choice(each)) for each in grabs]  # which card it is stays hidden
    return [int(rng.choice(both))] * 2 if len(both) else None


def compare(sides: tuple[Side, Side], seed: int) -> int:
    """Play a pair on while the person cannot tell its games apart; return the answers compared."""
    rng, compared = np.random.default_rng(seed), 0

    def same(what: str, **body: Any) -> None:
        nonlocal compared
        one, other = (side.ask(what, **body) for side in sides)
        assert one == other
        compared += 1

    for _ in range(LONGEST):
        same("games/1")
        mine = sides[0].session.your_turn
        same("replays/1")
        same("move", action=0, fresh=False)
        if mine:
            same("games/1/hint")
            illegal = int(np.flatnonzero(sides[0].session.match.mask == 0)[0])
            same("move", action=illegal, fresh=True)
        else:
            same("move", action=0, fresh=True)
        if sides[0].session.waiting:
            same("step", fresh=True)
            same("undo", fresh=True)
            same("games/1/hint")
        moves = choose(sides, rng)
        if moves is None:
            break
        played = [side.session._play(move) for side, move in zip(sides, moves, strict=True)]
        ended = any(event.kind == "points" for events in played for event in events)
        players = {side.session.match.current_player for side in sides}
        if ended or len(players) > 1 or sides[0].seen() != sides[1].seen():
            break
    if sides[0].session.can_undo and sides[1].session.can_undo:
        for side in sides:
            side.session.undo()
        if sides[0].seen() == sides[1].seen():
            same("games/1")
    return compared


PAIRS = [*((*case, 1, 6) for case in CASES), (*CASES[0], 2, 3), (*CASES[2], 2, 3)]
LONG_PAIRS = [(*case, people, 1000) for people in (1, 2) for case in CASES]


@pytest.mark.parametrize(
    ("game", "rules", "people", "number"),
    [*PAIRS, *(pytest.param(*each, marks=pytest.mark.long) for each in LONG_PAIRS)],
)
def test_nothing_is_sent_that_depends_on_what_the_person_does_not_know(
    game: Game, rules: dict[str, Any], people: int, number: int, tmp_path: Path
) -> None:
    one, other = (Side(game, rules, tmp_path / name, "random", people) for name in "ab")
    compared = differed = 0
    for seed in range(number):
        pair = positions(game, rules, seed)
        differed += pair[0]["hands"] != pair[1]["hands"]
        for side, position in zip((one, other), pair, strict=True):
            side.begin(position, seed)
        compared += compare((one, other), seed)
    assert differed > number / 2
    assert compared > 10 * number


def test_the_card_that_is_grabbed_from_another_s_hand_is_named_in_no_answer(tmp_path: Path) -> None:
    """A challenger takes one card of a hand, which only the two of them see (G7.5)."""
    position = {
        "hands": [["14", "13"], ["8", "9"], ["2", "3", "9", "9"]],
        "discard": ["5"],
        "phase": "prize",
        "current_player": 1,
        "magician": 1,
        "challenged": 2,
        "open": ["7", None, "6"],
    }
    rules, answers = {"num_players": 3, "bluffing": True}, set()
    for card in ("2", "3", "9"):
        side = Side(GLUECKSGRIFF, rules, tmp_path / card, "random")
        side.begin(position, 1)
        side.session._play(GLUECKSGRIFF.actions.index(f"grab {card}"))
        answers |= {side.ask("games/1"), side.ask("move", action=0, fresh=False)}
    assert sorted(status for status, _ in answers) == [200, 409]


@pytest.mark.parametrize(("game", "rules"), [CASES[0], CASES[2]])
def test_an_agent_that_fails_tells_nobody_what_it_holds(
    game: Game, rules: dict[str, Any], tmp_path: Path
) -> None:
    sides = tuple(Side(game, rules, tmp_path / name, TELLER) for name in "ab")
    told = 0
    for seed in range(8):
        for side, position in zip(sides, positions(game, rules, seed), strict=True):
            side.begin(position, seed)
        if sides[0].session.your_turn:
            continue
        first, second = (side.ask("step", fresh=True) for side in sides)
        assert first == second
        assert (
            json.loads(first[1])["fault"] == f"agent '{TELLER}' failed or chose an illegal action"
        )
        assert sides[0].ask("replays/1") == (400, '{"error":"game 1 is still being played"}')
        told += 1
    assert told


def test_a_game_that_is_over_is_not_taken_back_when_its_replay_shows_all_hands(
    tmp_path: Path,
) -> None:
    side = Side(AURUXXX, {**SMALL["auruxxx"], "rounds": 1, "max_decisions": 5}, tmp_path, "random")
    while not side.session.match.over:
        side.session._play(int(np.flatnonzero(side.session.match.mask)[0]))
    assert side.ask("replays/1")[0] == 200
    assert not json.loads(side.ask("games/1")[1])["can_undo"]
    status, answer = side.ask("undo", fresh=True)
    assert (status, answer) == (400, '{"error":"there is no move to take back"}')


def test_a_person_s_game_that_can_go_on_is_replayed_without_the_others_hands(
    tmp_path: Path,
) -> None:
    session = Session(AURUXXX, SETTINGS, [PERSON, TELLER, TELLER], 1, tmp_path)
    for _ in range(2):
        replay = Replays(tmp_path / STORE).replay(1)
        shown = replay.at(99, "en")
        assert [seat["hand"] is None for seat in shown["position"]["seats"]] == [False, True, True]
        assert shown["fault"] in ("", TELLER)
        if session.your_turn:
            session.play(session.match.game.actions.index("pass"))
        session.step()
    assert session.progress.failed
    assert replay.at(99, "en")["position"]["seats"][1]["hand"] is None


# --- Who may ask ----------------------------------------------------------------------------------


def served(tmp_path: Path, host: str, seat: int = 0) -> tuple[TestClient, Access]:
    names = ["random"] * 3
    names[seat] = PERSON
    rooms = Rooms(AURUXXX, SETTINGS, names, tmp_path, "expert")
    access = Access(host, seat)
    rooms.open_new(1)
    app = make_app("/game/1", access, rooms)
    return TestClient(app, base_url="http://192.168.1.7:8012"), access


def test_beyond_loopback_every_question_needs_the_token_of_its_seat(tmp_path: Path) -> None:
    client, access = served(tmp_path, "192.168.1.7")
    assert len(access.token) > 20
    asked: list[tuple[str, str]] = [("GET", "/api/games/1"), ("GET", "/api/games/1/hint")]
    asked += [("POST", f"/api/games/1/{name}") for name in ("move", "step", "undo", "next")]
    asked += [("GET", "/api/games/1/links"), ("GET", "/api/replays/1")]
    for method, path in asked:
        for header in ({}, {"authorization": "Bearer "}, {"authorization": "Bearer wrong\xe9"}):
            encoded = [(name.encode(), value.encode("latin-1")) for name, value in header.items()]
            answer = client.request(method, path, headers=encoded)
            assert answer.status_code == 403, path
            assert "token" in answer.json()["error"]
    own = {"authorization": f"Bearer {access.token}"}
    assert client.get("/api/games/1", headers=own).json()["seat"] == 0
    assert client.get("/api/texts").status_code == 200
    # The same folder, served for another seat: its token gives nobody the view of this one.
    client, access = served(tmp_path, "192.168.1.7", seat=1)
    own = {"authorization": f"Bearer {access.token}"}
    assert client.get("/api/games/2", headers=own).json()["seat"] == 1
    assert client.get("/api/games/1", headers=own).status_code == 403


def test_a_page_of_another_site_reaches_no_server_under_its_own_name(tmp_path: Path) -> None:
    client, access = served(tmp_path, "192.168.1.7")
    own = {"authorization": f"Bearer {access.token}"}
    for host, status in (
        ("192.168.1.7:8012", 200),
        ("[fe80::1]:8012", 200),
        (socket.gethostname(), 200),
        ("evil.example", 400),
        ("192.168.1.7.evil.example", 400),
        ("", 400),
        ("[", 400),
    ):
        assert client.get("/api/games/1", headers={**own, "host": host}).status_code == status
    assert not Access("127.0.0.1").knows_host("192.168.1.7")
    assert Access("127.0.0.1").knows_host("[::1]:80")


# --- Requests that harm ---------------------------------------------------------------------------


@contextmanager
def listening(folder: Path) -> Iterator[tuple[str, int]]:
    """Run a server with a game begun; yields its address."""
    rooms = Rooms(AURUXXX, SETTINGS, [PERSON, "random", "random"], folder, "expert")
    rooms.open_new(3)
    app = make_app("/game/1", Access("127.0.0.1"), rooms)
    server = uvicorn.Server(
        uvicorn.Config(app, log_config=None, log_level="warning", lifespan="off")
    )
    with bind("127.0.0.1", 0) as bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield bound.getsockname()
        finally:
            server.should_exit = True
            thread.join()


def send(address: tuple[str, int], head: str, parts: Iterator[bytes]) -> tuple[int, int]:
    """Send a request as far as the server takes it; return the status and the bytes sent."""
    sent = 0
    with socket.create_connection(address, timeout=20) as wire:
        wire.sendall(f"{head}\r\nHost: 127.0.0.1\r\n".encode())
        try:
            for part in parts:
                wire.sendall(part)
                sent += len(part)
        except (ConnectionError, TimeoutError):
            pass
        try:
            answer = wire.recv(100)
        except ConnectionError:
            answer = b""
    return int(answer.split()[1]) if answer else 0, sent


MOVE = "POST /api/games/1/move HTTP/1.1"
LONG = "9" * 5000
BODIES: dict[str, bytes] = {
    "nested": b"[" * 9000,
    "nested in a move": b'{"action":' + b"[" * 900 + b"]" * 900 + b"}",
    "digits": f'{{"version": {LONG}}}'.encode(),
    "not text": b"\xff\xfe",
    "no object": b"[]",
    "half a pair": b'"\\ud800"',
}


def test_bodies_that_are_no_request_are_refused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with listening(tmp_path) as address:
        for name, body in BODIES.items():
            head = f"Content-Length: {len(body)}\r\n\r\n".encode()
            status, _ = send(address, MOVE, iter([head, body]))
            assert status in (400, 409), name
        for path in (
            *(f"/api/{kind}/{LONG}" for kind in ("games", "replays")),
            *("/api/games/-1", "/api/games/1e3", "/api/games/%00", "/static/%00"),
            *("/static/" + "x" * 5000, "/api/games/%D9%A1x", "/api/replays/1?at=" + LONG),
            *("/api/games/999999999999999999", "/api/games/1?lang=%ff&version=%00"),
        ):
            status, _ = send(address, f"GET {path} HTTP/1.1", iter([b"\r\n"]))
            assert status in (200, 400, 404, 414), path
        moves: list[Any] = [int("9" * 4000), -(10**30), "\ud800", [[[]]], {"a": 1}, 1e308]
        for action in moves:
            assert play_move(address, action) == 400
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []


def play_move(address: tuple[str, int], action: Any) -> int:
    """Play a move on the game as it stands; return the status."""
    with socket.create_connection(address, timeout=20) as wire:
        wire.sendall(b"GET /api/games/1 HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        text = b"".join(iter(lambda: wire.recv(65536), b""))
    version = json.loads(text.partition(b"\r\n\r\n")[2])["version"]
    content = json.dumps({"version": version, "action": action}).encode()
    return send(address, MOVE, iter([f"Content-Length: {len(content)}\r\n\r\n".encode(), content]))[
        0
    ]


def fuzz(side: Side, chance: random.Random) -> tuple[str, int]:
    """Send one request that is damaged somewhere; return what was sent and the status."""
    version = chance.choice([side.session.progress.version, "old"])
    legal = np.flatnonzero(side.session.match.mask).tolist()
    strange: list[Any] = [None, True, -1, 2**63, 1e308, "", "\ud800", [], {}, [[0]], {"a": 1}]
    body: Any = {"version": version, "action": chance.choice(legal)}
    for _ in range(chance.randrange(3)):
        name = chance.choice(["version", "action", "language", "", "\0"])
        body[name] = chance.choice([*strange, chance.randrange(-5, 300), "9" * 400])
    content = bytearray(json.dumps(chance.choice([*[body] * 30, *strange])).encode())
    for _ in range(chance.choice([0, 0, 1, 3])):
        place = chance.randrange(len(content) + 1)
        content[place : place + chance.randrange(2)] = chance.randbytes(chance.randrange(3))
    path = chance.choice(
        ["games/1/move", "games/1/step", "games/1/undo", "games/1/hint", "games/1/next"]
    )
    path = chance.choice(["api/" + path] * 9 + [f"api/replays/{chance.randrange(-2, 9)}", "%00"])
    method = chance.choice(["POST"] * 8 + ["GET", "PUT", "HEAD", "TRACE", "OPTIONS"])
    headers = {"content-type": chance.choice(["application/json", "", "text/html", "\xff"])}
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    answer = side.client.request(method, "/" + path, content=bytes(content), headers=encoded)
    assert len(answer.content) < 200_000
    return f"{method} {path} {bytes(content)!r}", answer.status_code


@pytest.mark.parametrize(
    ("seed", "number"),
    [(701, 150), *(pytest.param(seed, 1000, marks=pytest.mark.long) for seed in range(801, 809))],
)
def test_damaged_requests_are_refused_and_change_nothing(
    seed: int, number: int, tmp_path: Path
) -> None:
    chance, side = random.Random(seed), Side(AURUXXX, SMALL["auruxxx"], tmp_path, "random")
    statuses = Counter[int]()
    for _ in range(number):
        before = side.session.match.moves[:], side.session.progress.version
        sent, status = fuzz(side, chance)
        assert status in (200, 307, 400, 404, 405, 409, 413), sent
        statuses[status] += 1
        if status != 200:
            assert before == (side.session.match.moves, side.session.progress.version), sent
        if side.session.match.over:
            side = Side(AURUXXX, SMALL["auruxxx"], tmp_path / str(chance.random()), "random")
    assert statuses[200] > number / 10
    assert statuses[400] + statuses[409] > number / 5


@pytest.mark.parametrize("size", [20_000_000, pytest.param(400_000_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_huge_body_is_refused_before_it_is_read(
    size: int, chunked: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    part = b"x" * 100_000

    def parts() -> Iterator[bytes]:
        yield (
            b"Transfer-Encoding: chunked\r\n\r\n"
            if chunked
            else b"Content-Length: %d\r\n\r\n" % size
        )
        for _ in range(size // len(part)):
            yield b"%x\r\n%s\r\n" % (len(part), part) if chunked else part

    with listening(tmp_path) as address:
        status, sent = send(address, MOVE, parts())
        assert status in (413, 0)  # 0: the connection was cut before the answer could be read
        assert sent < 10_000_000  # what the buffers of the sockets take
        assert send(address, "GET /api/games/1 HTTP/1.1", iter([b"\r\n"]))[0] == 200
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []


def test_clients_that_leave_are_not_missed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with listening(tmp_path) as address:
        for begun in (b"", b"Content-Length: 90\r\n\r\n", b"Content-Length: 90\r\n\r\n{"):
            with socket.create_connection(address) as wire:
                wire.sendall(f"{MOVE}\r\nHost: 127.0.0.1\r\n".encode() + begun)
        assert send(address, "GET /api/games/1 HTTP/1.1", iter([b"\r\n"]))[0] == 200
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []


def test_a_body_at_the_limit_is_read(tmp_path: Path) -> None:
    side = Side(AURUXXX, SMALL["auruxxx"], tmp_path, "random")
    for size, status in ((MAX_BODY, 409), (MAX_BODY + 1, 413)):
        content = b'{"version": "' + b"x" * (size - 15) + b'"}'
        assert len(content) == size
        assert side.client.post("/api/games/1/move", content=content).status_code == status


@pytest.mark.parametrize("host", ["a" * 70, "x\0y", "no.such.host.invalid", "\ud800"])
def test_a_host_that_cannot_be_listened_at_is_one_line(host: str) -> None:
    with pytest.raises(ServerError) as error:
        bind(host, 0)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 200
