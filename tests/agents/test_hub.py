"""Model repositories: in folders, and on a Hub that is played by a server on this machine."""

import base64
import json
import re
import shutil
import sys
import threading
from collections.abc import Iterator
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import ModelCard, constants

import goldgriff as gg
from goldgriff.agents import hub
from goldgriff.agents.checkpoints import CheckpointError
from goldgriff.agents.ensemble import PlayerCountEnsemble
from goldgriff.agents.hub import from_pretrained
from goldgriff.agents.model_folder import CARD, CHECKPOINT, CONFIG
from goldgriff.agents.network import Network
from goldgriff.agents.registry import CHAMPIONS, fingerprint, is_code, load_champion
from goldgriff.agents.search.agent import Search
from goldgriff.cli.main import main

from .helpers import random_network

GAMES = ("auruxxx", "gluecksgriff")
REPOSITORY = "somebody/an-agent"
COMMIT = f"https://huggingface.co/{REPOSITORY}/commit/{40 * '1'}"


class FakeHub(BaseHTTPRequestHandler):
    """The calls of the Hub's HTTP interface that creating, committing and downloading make."""

    files: dict[str, bytes]
    asked: list[str]
    status = 200

    def answer(self, content: Any = None, status: int = 200, **headers: str) -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append(self.path)
        if self.status != 200:
            self.answer({"error": "not you"}, self.status)
        elif self.path == "/api/repos/create":
            self.answer({"url": f"https://huggingface.co/{REPOSITORY}"})
        elif self.path.endswith("/preupload/main"):
            sent = json.loads(body)["files"]
            how = {"uploadMode": "regular", "shouldIgnore": False}
            self.answer({"files": [{"path": entry["path"], **how} for entry in sent]})
        elif self.path.endswith("/commit/main"):
            for line in map(json.loads, body.splitlines()):
                if line["key"] == "file":
                    content = base64.b64decode(line["value"]["content"])
                    self.files[line["value"]["path"]] = content
            self.answer({"commitOid": "1" * 40, "commitUrl": COMMIT})
        else:
            self.answer({"valid": True})

    def do_GET(self) -> None:
        self.asked.append(self.path)
        path = self.path.partition("?")[0]
        found = path.rpartition("/")[2]
        known = f"/api/models/{REPOSITORY}"
        tree = [
            {"type": "file", "path": name, "size": len(data), "oid": sha1(data).hexdigest()}
            for name, data in self.files.items()
        ]
        if path in (known, f"{known}/revision/main"):
            siblings = [{"rfilename": name} for name in self.files]
            self.answer({"id": REPOSITORY, "sha": "1" * 40, "siblings": siblings})
        elif path.startswith(f"{known}/tree/"):
            self.answer(tree)
        elif "/resolve/" in path and found in self.files:
            data = self.files[found]
            self.answer(data, ETag=f'"{sha1(data).hexdigest()}"', X_Repo_Commit="1" * 40)
        else:
            self.answer({}, 404, X_Error_Code="RepoNotFound")

    do_HEAD = do_GET  # noqa: N815 (the name that http.server calls)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakeHub]]:
    """Return the handler of a Hub without repositories, which huggingface_hub takes for its own."""

    class Handler(FakeHub):
        files, asked = {}, []

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", address)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE",
                        address + "/{repo_id}/resolve/{revision}/{filename}")  # fmt: skip
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    (tmp_path / "token").write_text("hf_fake")
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")  # for worker processes
    monkeypatch.setenv("HF_ENDPOINT", address)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    yield Handler
    server.shutdown()
    server.server_close()


def same_play(one: gg.Agent, other: gg.Agent, game: str) -> bool:
    """Return whether two agents play the same in some games."""
    actions = []
    for agent in (one, other):
        match = gg.Match(game, {"num_players": 3})
        match.start(seed=1)
        for _ in range(12):
            match.act(agent.act_on(match))
        actions.append(list(match.moves))
    return actions[0] == actions[1]


@pytest.mark.parametrize("game", GAMES)
def test_a_champion_is_saved_and_loaded(game: str, tmp_path: Path) -> None:
    champion = gg.load_agent("champion", game)
    champion.save_pretrained(tmp_path / "model")
    loaded = from_pretrained(tmp_path / "model")
    assert loaded.game is gg.get_game(game)
    assert same_play(champion, loaded, game)
    assert same_play(gg.load_agent(tmp_path / "model", game), loaded, game)
    files = {path.name for path in (tmp_path / "model").iterdir()}
    networks = {
        "auruxxx": {CHECKPOINT, *(f"model-{number}.safetensors" for number in (2, 3, 4))},
        "gluecksgriff": {CHECKPOINT},
    }
    assert files == networks[game] | {CONFIG, CARD}
    original = {path.read_bytes() for path in CHAMPIONS.glob(f"{game}*")}
    assert {(tmp_path / "model" / name).read_bytes() for name in networks[game]} == original


def test_the_card_is_one_that_the_hub_reads(fake: type[FakeHub], tmp_path: Path) -> None:
    run = gg.train_agent(
        "auruxxx", "ppo", preset="smoke", num_players=[2, 3], total_timesteps=1024,
        eval_every_updates=1, eval_deals=2, eval_opponent="random", out=tmp_path / "run",
        fixed_opponents=["random"], rules={"rounds": 1}, self_play=0.2,
    )  # fmt: skip
    run.save_pretrained(tmp_path / "saved")
    for folder in (tmp_path / "run", tmp_path / "saved"):
        card = ModelCard.load(folder / CARD)
        assert card.data.library_name == "goldgriff"
        assert card.data.pipeline_tag == "reinforcement-learning"
        assert {"auruxxx_v0", "ppo", "reinforcement-learning"} <= set(card.data.tags or [])
        (result,) = card.data.eval_results or []
        best = max(run.figures, key=lambda figures: figures["eval/win_share"])
        assert result.metric_value == best["eval/win_share"]
        assert result.metric_type == "win_share"
        assert result.dataset_type == "auruxxx_v0"
        assert "against `random`" in card.text
        assert "Among randoms it wins on average" in card.text
        assert re.search(r"\n\| `random` \| \d+ \| [\d.]+ % \|\n", card.text)
        assert "num_players=[2, 3], deals=" in card.text
        config = json.loads((folder / CONFIG).read_text())
        assert config["game"] == "auruxxx_v0"
        assert config["training"][CHECKPOINT]["settings"]["players"] == [2, 3]
        assert config["evaluation"]["num_players"] == [2, 3]
        assert same_play(gg.load_agent(folder, "auruxxx"), run.best, "auruxxx")
    assert (tmp_path / "saved" / "curve.png").exists()
    run.push_to_hub(REPOSITORY, commit_message="from a run")
    assert set(fake.files) == {path.name for path in (tmp_path / "saved").iterdir()}
    (tmp_path / "pushed.md").write_bytes(fake.files[CARD])
    pushed = ModelCard.load(tmp_path / "pushed.md")
    assert [one.metric_value for one in pushed.data.eval_results or []] == [result.metric_value]


def test_push_and_load(fake: type[FakeHub], tmp_path: Path) -> None:
    champion = load_champion("auruxxx")
    champion.game = gg.get_game("auruxxx")
    assert champion.push_to_hub(REPOSITORY, private=True) == COMMIT
    assert set(fake.files) == {
        CHECKPOINT,
        "model-2.safetensors",
        "model-3.safetensors",
        "model-4.safetensors",
        CONFIG,
        CARD,
    }
    assert f'"hf://{REPOSITORY}"' in fake.files[CARD].decode()
    fake.files["evil.py"] = b"raise SystemExit"
    fake.files["pytorch_model.bin"] = b"a pickle"
    for name in (f"hf://{REPOSITORY}", f"hf://{REPOSITORY}@main"):
        assert same_play(gg.load_agent(name, "auruxxx"), champion, "auruxxx")
    assert same_play(from_pretrained(REPOSITORY, revision="main"), champion, "auruxxx")
    assert len(fingerprint(f"hf://{REPOSITORY}", "auruxxx")) == 16
    downloaded = {path.name for path in (tmp_path / "cache").rglob("*.*")}
    assert {CHECKPOINT, CONFIG} <= downloaded
    assert not {"evil.py", "pytorch_model.bin"} & downloaded
    with pytest.raises(CheckpointError, match=r"environment is 'auruxxx_v0'"):
        gg.load_agent(f"hf://{REPOSITORY}", "gluecksgriff")
    searcher = gg.load_agent(f"search+hf://{REPOSITORY}@20", "auruxxx")
    assert isinstance(searcher, Search)
    assert isinstance(searcher.prior, PlayerCountEnsemble)


@pytest.mark.usefixtures("fake")
def test_a_tournament_takes_an_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = random_network()
    network.game = gg.get_game("auruxxx")
    network.push_to_hub(REPOSITORY)
    monkeypatch.chdir(tmp_path)
    played = ["tournament", "auruxxx", "--agents", f"hf://{REPOSITORY}", "random", "--players", "2",
              "--deals", "2", "--workers", "1", "--out", "out"]  # fmt: skip
    assert main(played) == 0
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    mark = fingerprint(f"hf://{REPOSITORY}", "auruxxx")
    assert mark in json.dumps(results)
    assert mark != ""


def test_what_the_hub_does_not_have(
    fake: type[FakeHub], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "quick").mkdir(parents=True)
    wrong = {
        "hf://no/body": "agent 'hf://no/body': no such model on the Hugging Face Hub, or no access",
        "no/body": "agent 'no/body': there is no checkpoint and no run folder; of the Hugging Face",
        "rans/quick": "agent 'rans/quick': there is no checkpoint and no run folder (did you mean",
        "hf://a/b/c": "agent 'hf://a/b/c': no id of the Hugging Face Hub: Repo id must be in the",
        "hf://": "agent 'hf://': no id of the Hugging Face Hub",
    }
    for name, message in wrong.items():
        with pytest.raises(gg.AgentError) as caught:
            gg.load_agent(name, "auruxxx")
        assert str(caught.value).startswith(message)
        assert "\n" not in str(caught.value)
    with pytest.raises(gg.AgentError, match=r"'no/body': no such folder, and no such model on the"):
        from_pretrained("no/body")
    fake.status = 403
    network = random_network()
    network.game = gg.get_game("auruxxx")
    with pytest.raises(gg.AgentError, match=r"^upload to 'a/b': the Hugging Face Hub refuses: "):
        network.push_to_hub("a/b")
    with pytest.raises(gg.AgentError, match=r"^upload to 'a b': no id of the Hugging Face Hub"):
        network.push_to_hub("a b")


def test_without_a_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(gg.AgentError, match=r"cannot be reached, and nothing was downloaded"):
        gg.load_agent("hf://some/agent", "auruxxx")
    assert fingerprint("some/agent", "auruxxx") == ""
    network = random_network()
    network.game = gg.get_game("auruxxx")
    with pytest.raises(gg.AgentError, match=r"^upload to 'a/b': the Hugging Face Hub "):
        network.push_to_hub("a/b")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Folders need no extra; ids say which one is missing."""
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    gg.load_agent("champion", "gluecksgriff").save_pretrained(tmp_path)
    assert isinstance(from_pretrained(tmp_path), Network)
    with pytest.raises(gg.GoldgriffError, match=r"pip install 'goldgriff\[hub\]'$"):
        gg.load_agent("hf://some/agent", "auruxxx")
    with pytest.raises(gg.GoldgriffError, match=r"pip install 'goldgriff\[hub\]'$"):
        from_pretrained("some/agent")
    with pytest.raises(gg.AgentError, match=r"^agent 'runs/nothing': there is no checkpoint"):
        gg.load_agent("runs/nothing", "auruxxx")


def config_of(folder: Path, **changed: Any) -> None:
    """Change the config of a folder."""
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps(config | changed))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"game": 3}, "holds no config.json that names a game"),
        ({"game": "gluecksgriff_v0"}, "unknown game 'gluecksgriff_v0'"),
        ({"game": "gluecksgriff"}, "environment is 'auruxxx_v0'"),
        ({"networks": []}, "networks must be a list of file names"),
        ({"networks": ["../model.safetensors"]}, "networks must be a list of file names"),
        ({"networks": ["model.bin"]}, "networks must be a list of file names"),
        ({"networks": ["model-7.safetensors"]}, "names model-7.safetensors, which is not there"),
    ],
)
def test_damaged_configs(changed: dict[str, Any], message: str, tmp_path: Path) -> None:
    network = random_network()
    network.game = gg.get_game("auruxxx")
    network.save_pretrained(tmp_path)
    config_of(tmp_path, **changed)
    with pytest.raises(CheckpointError) as caught:
        from_pretrained(tmp_path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_folders(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"holds no config.json that names a game"):
        from_pretrained(tmp_path)
    with pytest.raises(gg.AgentError, match=r"no such folder.*, and no id of the Hugging Face Hub"):
        from_pretrained(tmp_path / "no" / "folder")
    (tmp_path / CONFIG).write_text("[" * 100_000)
    with pytest.raises(CheckpointError, match=r"config.json is damaged"):
        from_pretrained(tmp_path)
    with pytest.raises(gg.AgentError, match=r"does not know its game"):
        random_network().save_pretrained(tmp_path / "other")
    (tmp_path / CONFIG).unlink()
    shutil.copy(CHAMPIONS / "gluecksgriff.safetensors", tmp_path / CHECKPOINT)
    alone = gg.load_agent(tmp_path, "gluecksgriff")  # without a config
    assert same_play(alone, gg.load_agent("champion", "gluecksgriff"), "gluecksgriff")


def test_ids_are_no_code() -> None:
    assert not is_code("hf://user/name")
    assert not is_code("search+hf://user/name@200")
    assert is_code("search+module:Class@200")
    assert is_code("module:Class")
    assert hub.is_hub_id("hf://a/b")
    assert not hub.is_hub_id("a/b")
