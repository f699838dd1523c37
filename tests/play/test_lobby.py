"""The lobby: games are listed and can be gone on with, a form begins new ones."""

import io
import os
import re
import shutil
import sqlite3
import time
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from goldgriff.agents.levels import LEVELS
from goldgriff.agents.registry import AGENTS
from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import GAMES
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.eval.tournament.store import STORE, Store, StoreError
from goldgriff.play.texts import LANGUAGES
from goldgriff.play.web.access import Access
from goldgriff.play.web.app import make_app
from goldgriff.play.web.form import RULE_ID, new_game_form, unusual_rules
from goldgriff.play.web.game_list import games_in
from goldgriff.play.web.lobby import TABLES, Lobby
from goldgriff.play.web.rooms import Rooms

from .tables import SMALL, play_by_chance, small_session
from .test_web import SETTINGS

FORM = {"game": "gluecksgriff", "rules": {"num_players": 3}, "agents": ["level-1", "random"]}


def client_of(folder: Path, access: Access | None = None) -> TestClient:
    rooms = Rooms(AURUXXX, SETTINGS, [PERSON, "random", "random"], folder, "expert")
    access = access or Access("127.0.0.1")
    app = make_app("/game/1", access, rooms, Lobby(rooms, access))
    return TestClient(app, base_url="http://127.0.0.1:8012")


def games(client: TestClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/lobby").json()["games"]
    return found


def begin(client: TestClient, **asked: object) -> str:
    answer = client.post("/api/lobby", json={**FORM, **asked})
    assert answer.status_code == 200, answer.text
    address: str = answer.json()["address"]
    return address


def test_a_folder_without_games_has_an_empty_list(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    assert games(client) == []
    assert "lobby.js" in client.get("/").text


def test_games_in_progress_and_finished_are_listed(tmp_path: Path) -> None:
    small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    over = small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    for _ in play_by_chance(over):
        pass
    client = client_of(tmp_path)
    second, first = games(client)
    assert (first["over"], first["address"], first["points"]) == (False, "/game/1", None)
    assert (second["over"], second["address"]) == (True, "/replay/2")
    assert second["points"] == over.match.scores[0]
    assert second["share"] == over.match.win_shares()[0]
    assert second["players"] == ["random", "random"]
    for game in (first, second):
        assert client.get(game["address"]).status_code == 200


def test_a_game_is_listed_with_its_time_round_and_rules(tmp_path: Path) -> None:
    small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    (known,) = games(client_of(tmp_path))
    assert abs(known["begun"] - time.time()) < 600
    assert known["round"] == 1
    assert known["rules"]["rounds"] == 2


def test_rules_are_told_by_the_preset_that_they_are_nearest_to() -> None:
    def told(**given: Any) -> dict[str, Any]:
        rules = GLUECKSGRIFF.settings.from_dict(given).to_dict()
        rules.pop("num_players")
        return unusual_rules(GLUECKSGRIFF, rules)

    assert told() == {}
    assert told(num_players=2) == {}
    assert told(penalties=True) == {"preset": "book"}
    assert told(preset="experts", point_limit=30) == {"preset": "experts", "point_limit": 30}
    assert told(preset="tiny-c", num_players=3) == {"preset": "tiny-c"}
    assert told(hand_size=5) == {"hand_size": 5}


def test_a_form_begins_the_other_game_with_its_agents_and_seed(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    rules = {"num_players": 3, "preset": "experts", "point_limit": 30}
    address = begin(client, rules=rules, seed="5")
    now = client.get(address.replace("/game/", "/api/games/")).json()
    assert (now["game"], now["seat"]) == ("gluecksgriff", 0)
    assert now["names"] == ["You", "Anna", "Ben"]
    assert now["about"] == ["", "very easy", "random"]
    (listed,) = games(client)
    assert listed["address"] == address
    dealt = small_session(GLUECKSGRIFF, rules, seed=5).log.visible_position()
    assert now["position"]["seats"][0]["hand"] == dealt["seats"][0]["hand"]
    move = {"version": now["version"], "action": now["legal"][0]["action"]}
    moved = client.post(f"{address.replace('/game/', '/api/games/')}/move", json=move)
    assert moved.json()["moves"] == 1
    again = client_of(tmp_path)
    assert games(again) == [listed]
    kept = again.get(address.replace("/game/", "/api/games/")).json()
    assert kept["position"] == moved.json()["position"]


def test_a_form_that_is_sent_twice_begins_one_game(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    first = begin(client, id="a", agents=["random", PERSON])
    assert begin(client, id="a", agents=["random", PERSON]) == first
    second = begin(client, id="b")
    assert len({first, second, begin(client), begin(client), begin(client, id=["b"])}) == 5
    assert len(games(client)) == 5
    refused = {**FORM, "id": "c", "agents": []}
    assert client.post("/api/lobby", json=refused).status_code == 400
    assert begin(client, id="c") not in (first, second)


def test_games_among_people_have_seeds_of_64_bits_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their seeds cannot be tried out one by one, and none follows from another."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    rules = [f"{name}={value}" for name, value in SMALL["auruxxx"].items() if name != "num_players"]
    options = ["--players", "3", "--agents", "random", "--out", str(tmp_path), "--rules", *rules]
    assert main(["play", "auruxxx", *options]) == 0
    client = client_of(tmp_path)
    for _ in range(2):
        begin(client, game="auruxxx", rules=SMALL["auruxxx"], agents=["random"] * 2)
        client.post("/api/games/1/next")
    with Store.open(tmp_path) as store:
        seeds = [int(seed) for (seed,) in store.connection.execute("SELECT seed FROM games")]
    assert len(seeds) == 5
    assert max(seeds) >= 2**33
    assert min(abs(one - other) for one in seeds for other in seeds if one is not other) > 1000


def test_games_of_the_same_rules_share_a_folder(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    assert begin(client, game="auruxxx", rules=SMALL["auruxxx"]) == "/game/1"
    pair = {**SMALL["auruxxx"], "num_players": 2}
    assert begin(client, game="auruxxx", rules=pair, agents=["expert"]) == "/game/2"
    first, second = begin(client), begin(client, rules={"num_players": 2}, agents=["random"])
    assert first.removesuffix("1") == second.removesuffix("2")
    other = begin(client, rules={"num_players": 3, "point_limit": 50})
    assert other.endswith("/game/1")
    assert other != first
    # "New game" is one like that of the page.
    table = second.partition("/game/")[0]
    for number, like, players in ((3, 2, 2), (4, 1, 3), (5, 4, 3)):
        assert client.post(f"{table}/api/games/{like}/next").json() == {"number": number}
        assert len(client.get(f"{table}/api/games/{number}").json()["names"]) == players


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"game": 1}, "game must be the name of a game"),
        ({"agents": ["nobody"]}, "unknown agent 'nobody'"),
        ({"agents": ["tests.play.players:Stubborn"]}, "unknown agent"),
        ({"agents": [["random"]]}, "unknown agent"),
        ({"agents": []}, "agents must be a list of names"),
        ({"agents": ["random"] * 3}, "3 agents are given for 2 seats"),
        ({"rules": {"num_players": 9}}, "num_players must be a whole number from 2 to 5, not 9"),
        ({"rules": {"point_limit": 0}}, "point_limit must be a whole number from 1 to 10000"),
        ({"rules": {"colours": 2}}, "unknown setting 'colours'"),
        ({"rules": {"preset": "web"}}, "unknown preset 'web'"),
        ({"rules": []}, "settings must be an object"),
        ({"seed": "-1"}, "seed must be a whole number"),
        ({"seed": str(2**64)}, "seed must be a whole number"),
        ({"seed": 1.5}, "seed must be a whole number"),
    ],
)
def test_what_cannot_be_begun_is_said_in_one_line(
    asked: dict[str, object], fault: str, tmp_path: Path
) -> None:
    client = client_of(tmp_path)
    answer = client.post("/api/lobby", json={**FORM, **asked})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(fault)
    assert "\n" not in answer.json()["error"]
    assert games(client) == []


def test_no_table_outside_the_folder_is_served(tmp_path: Path) -> None:
    small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path / "elsewhere")
    client = client_of(tmp_path / "own")
    for name in ("..", "%2e%2e", "..%2f..%2felsewhere", "nothing"):
        assert client.get(f"/tables/{name}/api/games/1").status_code in (400, 404)


@pytest.mark.parametrize("damage", ["no database", "no seats"])
def test_a_damaged_table_is_a_line_beside_the_others(damage: str, tmp_path: Path) -> None:
    small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    path = tmp_path / TABLES / begin(client_of(tmp_path)).split("/")[2] / STORE
    if damage == "no database":
        path.write_bytes(b"not a database" * 100)
    else:
        store = sqlite3.connect(path, isolation_level=None)
        store.execute("DROP TABLE seats")
        store.close()
    client = client_of(tmp_path)
    answer = client.get("/api/lobby").json()
    assert [game["address"] for game in answer["games"]] == ["/game/1"]
    (fault,) = answer["faults"]
    assert str(path) in fault
    assert "\n" not in fault
    with pytest.raises(StoreError) as error:
        games_in(path.parent, "", lambda _: None)
    assert str(error.value).count(str(path)) == 1


@pytest.mark.parametrize("name", [b"x\xff", b"a b", b"Games", b"a\nb", b"%2e"])
def test_a_folder_that_no_form_has_made_is_no_table(name: bytes, tmp_path: Path) -> None:
    address = begin(client_of(tmp_path))
    tables = tmp_path / TABLES
    odd = tables / os.fsdecode(name)
    try:
        shutil.copytree(tables / address.split("/")[2], odd)
    except OSError:
        pytest.skip("the file system has no such names")
    client = client_of(tmp_path)
    answer = client.get("/api/lobby").json()
    assert [game["address"] for game in answer["games"]] == [address]
    assert answer["faults"] == []
    assert client.get(f"/tables/{quote(name)}/api/games/1").status_code == 404


def test_a_stranger_s_table_runs_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "was-here"
    (tmp_path / "stranger.py").write_text(f"open({str(mark)!r}, 'w')\n")
    monkeypatch.syspath_prepend(tmp_path)
    name = begin(client_of(tmp_path)).split("/")[2]
    store = sqlite3.connect(tmp_path / TABLES / name / STORE, isolation_level=None)
    store.execute("UPDATE agents SET name = 'stranger:Agent' WHERE name = 'level-1'")
    store.execute("UPDATE runs SET config = replace(config, 'level-1', 'stranger:Agent')")
    store.close()
    client = client_of(tmp_path)
    answers = [
        client.get(f"/tables/{name}/api/games/1"),
        client.post(f"/tables/{name}/api/games/1/next", json={}),
        client.get(f"/tables/{name}/api/games/1/hint"),
    ]
    for answer in answers:
        assert answer.status_code in (400, 404)
        assert "names code to run: 'stranger:Agent'" in answer.json()["error"]
    assert not mark.exists()


def test_beyond_loopback_a_token_shows_and_begins_games_of_its_seat(tmp_path: Path) -> None:
    small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    access = Access("0.0.0.0", 1)
    client = client_of(tmp_path, access)
    assert client.get("/api/lobby").status_code == 403
    assert client.post("/api/lobby", json=FORM).status_code == 403
    client.headers["authorization"] = f"Bearer {access.token}"
    assert games(client) == []
    address = begin(client)
    assert [game["address"] for game in games(client)] == [address]
    api = address.replace("/game/", "/api/games/")
    assert client.get(api).json()["seat"] == 1
    client.headers.pop("authorization")
    assert client.get(api).status_code == 403


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_says_in_half_a_page_how_each_game_is_played(language: str) -> None:
    for kind in new_game_form(language):
        words = sum(len(text.split()) for text in kind["how"])
        assert 100 < words < 250, kind["name"]


def test_the_form_offers_agents_presets_and_settings_of_both_games() -> None:
    for language in LANGUAGES:
        auruxxx, gluecksgriff = new_game_form(language)
        assert auruxxx["players"] == (2, 6)
        assert "italian" in dict(auruxxx["presets"])
        offered = [agent["name"] for agent in gluecksgriff["agents"]]
        assert offered[:6] == list(LEVELS)
        listed = [entry.name for entry in AGENTS if entry.game == "gluecksgriff"]
        assert sorted(offered) == sorted(listed)
        names = {setting["name"] for setting in gluecksgriff["settings"]}
        assert {"point_limit", "bluffing", "joker_knock"} <= names
    english, german = (new_game_form(language)[0]["settings"][0]["label"] for language in LANGUAGES)
    assert (english, german) == ("Rounds", "Runden")


def test_agents_presets_and_settings_of_the_form_have_texts_in_both_languages() -> None:
    """On a German page the form is German, and each setting cites its rules."""
    for english, german in zip(*map(new_game_form, LANGUAGES), strict=True):
        pairs = [
            (agent["name"], agent["description"], other["description"])
            for agent, other in zip(english["agents"], german["agents"], strict=True)
        ]
        for setting, other in zip(english["settings"], german["settings"], strict=True):
            name = setting["name"]
            pairs += [(name, setting["about"], other["about"])]
            cited = re.findall(RULE_ID, setting["about"])
            assert cited == re.findall(RULE_ID, other["about"]) != [], name
            for choices in zip(setting["choices"], other["choices"], strict=True):
                if type(choices[0][0]) is str:  # a switch says yes or no
                    pairs.append((name, *(text for _, text in choices)))
        presets = zip(english["presets"], german["presets"], strict=True)
        pairs += [(name, text, other) for (name, text), (_, other) in presets]
        assert [name for name, text, other in pairs if text == other or name in (text, other)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_setting_has_a_german_line_on_the_page_of_rules(game: str, root: Path) -> None:
    page = (root / "docs" / "rules" / "de" / f"{game}.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \| [AG]\d+\.\d+.*\|$", page, re.MULTILINE)
    names = [entry.name for entry in fields(GAMES[game].settings)]
    assert [name for name, _ in rows] == names
