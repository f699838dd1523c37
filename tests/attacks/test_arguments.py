"""Odd arguments of `play_tournament`: refused in a line, or played; the store stays whole."""

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldgriff.cli.main import parser
from goldgriff.errors import GoldgriffError, SettingsError
from goldgriff.eval import Store, play_tournament
from goldgriff.eval.ratings.leaderboard import leaderboard

PLAN: dict[str, Any] = {
    "agents": {"first": "expert", "second": "random"},
    "deals": 2,
    "num_players": 2,
    "rules": {"rounds": 1, "max_decisions": 100},
}
NAMES = (*PLAN, "seed", "until", "format", "time_limit")
ODD: list[Any] = [
    *(None, True, 0, 1, -1, 2**64, 2.0, float("nan"), float("inf"), 1e-320),
    *("", "2", "random", "expert", "\0", "\ud800", "a\nb", b"x", object(), int, print),
    *(np.int64(2), np.int8(3), np.uint64(2**64 - 1), np.float32(0.5), np.bool_(True), np.array(2)),
    *([], {}, (2, 3), [2, 2], np.array([2, 3]), {"a": 1}, [None], ["expert", "random"]),
    *({1: "expert", 2: "random"}, {"x" * 10_000: "random"}, {"a\nb": "random"}, {"": "random"}),
    *({"\ud800": "random", "b": "expert"}, {"you": "random"}, {None: "random"}),
]


@pytest.fixture
def whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("goldgriff.eval.tournament.api.write_report", lambda *_: None)
    play_tournament("auruxxx", **PLAN, out=tmp_path)
    return tmp_path


def test_a_name_of_an_agent_that_is_no_text_is_refused(whole: Path) -> None:
    before = (whole / "games.sqlite").read_bytes()
    for name in (1, None, "", "a\nb", "\0", "\ud800"):
        with pytest.raises(SettingsError, match="an agent's name must be a line of text, not "):
            play_tournament("auruxxx", **(PLAN | {"agents": {name: "expert"}}), out=whole)
    assert (whole / "games.sqlite").read_bytes() == before


@pytest.mark.parametrize("seed", [1, 2])
def test_no_arguments_damage_a_store(whole: Path, seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(100):
        names = draw.sample(NAMES, draw.randint(1, 2))
        odd = {name: draw.choice(ODD) for name in names}
        with suppress(GoldgriffError):
            play_tournament("auruxxx", **(PLAN | odd), out=whole)
        with Store.open(whole) as store:
            assert all(finished for *_, finished in store.tournaments()), odd
    with Store.open(whole) as store:
        assert leaderboard(store).agents


def test_numbers_of_numpy_are_numbers() -> None:
    numbers: dict[str, Any] = {
        "deals": np.int32(2),
        "num_players": np.int64(2),
        "seed": np.uint64(7),
    }
    numbers |= {"until": np.float32(0.5), "workers": np.int8(0)}
    odd = play_tournament("auruxxx", **(PLAN | numbers))
    plain = play_tournament("auruxxx", **(PLAN | {"seed": 7}), until=0.5)
    assert odd.to_dict() == plain.to_dict()
    for name in ("deals", "num_players", "seed", "until"):
        for value in (True, "2", 2.5):
            with pytest.raises(SettingsError, match=name):
                play_tournament("auruxxx", **(PLAN | {name: value}))


def test_a_random_seed_is_drawn_anew_and_recorded(whole: Path) -> None:
    plan = PLAN | {"seed": "random"}
    first, second = (play_tournament("auruxxx", **plan, out=whole) for _ in range(2))
    with Store.open(whole) as store:
        seeds = [store.config(run).seed for run, *_ in store.tournaments()]
    assert seeds == [1, first.results.config.seed, second.to_dict()["seed"]]
    assert len(set(seeds)) == 3
    typed = ["tournament", "auruxxx", "--agents", "expert", "--seed", "random"]
    assert parser(["tournament"]).parse_args(typed).seed == "random"
