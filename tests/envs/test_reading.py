"""Numbers may be NumPy's wherever Python's may be; truth values and strings are none."""

from typing import Any

import numpy as np
import pytest

import goldgriff as gg
from goldgriff.envs.engine.reading import number_or_none, read_seed, read_whole, whole_or_none
from goldgriff.envs.gluecksgriff.rules import Blank


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3), np.array(3)])
def test_whole_numbers_of_all_kinds_are_read(value: Any) -> None:
    for number in (whole_or_none(value), read_whole("size", value, 3, 3), read_seed(value)):
        assert number == 3
        assert type(number) is int


@pytest.mark.parametrize("value", [True, np.True_, 3.0, np.float64(3), "3", None, [3], np.ones(1)])
def test_what_is_no_whole_number_is_refused(value: Any) -> None:
    assert whole_or_none(value) is None
    with pytest.raises(gg.SettingsError, match="size must be a whole number from 1, not"):
        read_whole("size", value, 1)


def test_other_numbers_are_read() -> None:
    assert type(number_or_none(np.float32(0.5))) is float
    assert (number_or_none(1), number_or_none(np.int64(1))) == (1, 1.0)
    assert [number_or_none(value) for value in (True, "1", 1j, None)] == [None] * 4


def test_environments_take_numpy_numbers() -> None:
    two: Any = np.int64(2)  # for type checkers, a number is Python's
    zero: Any = np.uint8(0)
    seed: Any = np.uint64(2**64 - 1)
    loss: Any = np.float32(-1)
    env = gg.make("auruxxx", num_players=two, rounds=two, illegal_reward=loss)
    env.reset(seed=seed)
    assert env.match.settings.to_dict()["rounds"] == 2
    assert type(env.match.settings.num_players) is int
    games = gg.make_vec(
        "gluecksgriff",
        num_envs=two,
        player=zero,
        threads=two,
        history=two,
        bluffing=two == 2,
        blanks=[Blank(name="x", points=two, effect="plain")],
        num_players=two,
    )
    games.reset(seed=seed)
    gg.make("auruxxx", preset="tiny-a", num_players=two)
    single = gg.registration.single_agent_env("auruxxx", player=zero)
    single.reset(seed=seed)
    match = gg.Match("auruxxx", {"num_players": two})
    match.start(seed)
    assert match.observe(two - 1)[0].shape == (1, match.game.observation_spec.size)


@pytest.mark.parametrize("name", ["num_players", "rounds", "bluffing", "preset"])
def test_truth_values_are_no_numbers_of_a_setting(name: str) -> None:
    game = "gluecksgriff" if name == "bluffing" else "auruxxx"
    with pytest.raises(gg.SettingsError):
        gg.make(gg.get_game(game), **{name: 1 if name == "bluffing" else True})
