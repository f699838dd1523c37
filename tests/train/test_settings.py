"""Settings of runs: presets, refusals."""

from typing import Any

import pytest

from goldgriff.errors import SettingsError
from goldgriff.train.algorithms import ALGORITHMS


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_presets_are_whole_and_read_back(name: str) -> None:
    algorithm = ALGORITHMS[name]
    assert list(algorithm.presets)[:3] == ["smoke", "quick", "long"]
    for preset in algorithm.presets:
        settings = algorithm.preset(preset)
        assert algorithm.settings.from_dict(settings.to_dict()) == settings
    with pytest.raises(SettingsError, match="unknown preset 'tiny'; there are smoke, quick, long"):
        algorithm.preset("tiny")


@pytest.mark.parametrize(
    ("algorithm", "given", "message"),
    [
        ("maskable", {"n_envs": 0}, r"n_envs must be a whole number from 1 to \d+, not 0"),
        ("maskable", {"pool_size": 0}, r"pool_size must be a whole number from 1 to \d+, not 0"),
        ("maskable", {"speed": 1}, r"unknown setting 'speed' \(did you mean 'seed'\?\); known are"),
        ("maskable", {"teacher": "expert"}, "unknown setting 'teacher'"),
        ("ppo", {"learning_rate": "x"}, "learning_rate must be a number from 0 to 1, not 'x'"),
        ("ppo", {"self_play": float("nan")}, "self_play must be a number from 0 to 1, not nan"),
        ("ppo", {"self_play": True}, "self_play must be a number from 0 to 1, not True"),
        ("ppo", {"hidden": 5}, "hidden must be a list of widths, not 5"),
        ("ppo", {"hidden": []}, "hidden must be a list of widths"),
        ("ppo", {"players": [4, 0]}, "players must be a list of numbers of players, not \\[4, 0"),
        ("rollout", {"critic_hidden": 9}, "critic_hidden must be a list of widths, not 9"),
        ("rollout", {"base_policy": ["expert"]}, "base_policy must be the name of an agent"),
        ("rollout", {"initial_policy": 5}, "initial_policy must be the name of an agent, not 5"),
        (
            "rollout",
            {"rollout_turns": 0},
            r"rollout_turns must be a whole number from 1 to \d+, not 0",
        ),
        ("rollout", {"base_policy": 3}, "base_policy must be the name of an agent, not 3"),
        ("rollout", {"win_bonus": -1}, "win_bonus must be from 0.001 to 1000, not -1"),
        (
            "rollout",
            {"score_temperature": 0.0001},
            "score_temperature must be from 0.001 to 1000, not 0.0001",
        ),
        (
            "rollout",
            {"score_temperature": "far"},
            "score_temperature must be from 0.001 to 1000, not 'far'",
        ),
        (
            "rollout",
            {"rollout_actions": 1},
            r"rollout_actions must be a whole number from 2 to \d+, not 1",
        ),
        ("rollout", {"buffer_size": 99}, "buffer_size must be at least 4096, which is n_envs"),
        (
            "ppo",
            {"players": [3, 4], "n_envs": 1},
            "n_envs must be at least 2: a game for each number",
        ),
        ("ppo", {"n_envs": 2**17, "n_steps": 256}, "decisions of an update, must be at most"),
        ("ppo", {"reward": "x"}, "unknown reward 'x'; there are points, win"),
        ("ppo", {"seed": -1}, "seed must be a whole number from 0"),
        ("ppo", {"seed": 2**32}, "seed must be a whole number from 0"),
        (
            "ppo",
            {"fixed_opponents": "expert"},
            "fixed_opponents must be a list of agents, not 'expert'",
        ),
        ("ppo", {"eval_opponent": 3}, "eval_opponent must be the name of an agent"),
        ("ppo", {"rules": []}, "rules must be an object"),
        ("ppo", {"rules": {"num_players": 3}}, "rules must leave out num_players"),
        ("ppo", {"teacher": "expert"}, "teacher and teacher_timesteps go together"),
        ("ppo", {"teacher_timesteps": 9}, "teacher and teacher_timesteps go together"),
        (
            "ppo",
            {"teacher": 3, "teacher_timesteps": 9},
            "teacher and teacher_timesteps go together",
        ),
        ("ppo", {"device": "quantum"}, "device 'quantum' cannot be used: "),
        ("ppo", {"device": 3.5}, "device 3.5 cannot be used: "),
        ("ppo", {"device": "meta"}, "device 'meta' cannot be used: "),
    ],
)
def test_what_is_no_setting_is_named(algorithm: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message) as raised:
        ALGORITHMS[algorithm].settings.from_dict(given)
    assert "\n" not in str(raised.value)


def test_a_whole_number_of_points_is_saved_like_any_other() -> None:
    """A checkpoint names them, and the same network must give the same bytes."""
    read = ALGORITHMS["rollout"].settings.from_dict
    assert str(read({"win_bonus": 300}).to_dict()["win_bonus"]) == "300.0"
