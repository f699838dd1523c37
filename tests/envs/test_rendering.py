"""Pictures of a state: their form, and that they show what they should and nothing else."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from goldgriff.envs import auruxxx_v0 as auruxxx
from goldgriff.envs import gluecksgriff_v1 as gluecksgriff
from goldgriff.envs.match import Match, replay

AURUXXX = {
    "hands": [["r7", "gold"], ["b50", "b3"], ["g1", "g4"]],
    "discard": ["g3", "r6"],
    "scores": [12, 30.5, 7],
}
GLUECKSGRIFF = {"hands": [["7", "joker"], ["3", "4"], ["14", "hand"]], "discard": ["5", "6"]}
BOTH = pytest.mark.parametrize(
    ("module", "position"), [(auruxxx, AURUXXX), (gluecksgriff, GLUECKSGRIFF)]
)


def match_at(module: Any, position: dict[str, Any], **options: Any) -> Match:
    env = module.env(num_players=3, **options)
    env.reset(seed=1, options={"position": position})
    match: Match = env.match
    return match


def same(one: Match, other: Match, viewer: int | None) -> bool:
    return bool((one.picture(viewer) == other.picture(viewer)).all())


@pytest.mark.parametrize(
    ("module", "players"),
    [(auruxxx, 2), (auruxxx, 6), (gluecksgriff, 2), (gluecksgriff, 5)],
)
def test_every_picture_of_a_game_has_one_size(module: Any, players: int) -> None:
    env = module.env(num_players=players, render_mode="rgb_array")
    assert "rgb_array" in env.metadata["render_modes"]
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    for decision in range(20_000):
        if decision % 150 == 0 or env.match.over:
            picture = env.render()
            assert (picture.shape, picture.dtype) == ((720, 1280, 3), np.uint8)
            assert picture.flags.writeable
        if env.match.over:
            return
        env.step(int(rng.choice(np.flatnonzero(env.match.mask))))
    raise AssertionError("the game did not end")


@BOTH
def test_what_a_seat_cannot_see_leaves_its_picture_as_it_is(
    module: Any, position: dict[str, Any]
) -> None:
    swapped = json.loads(json.dumps(position))
    swapped["hands"][1:] = swapped["hands"][:0:-1]
    one, other = match_at(module, position), match_at(module, swapped)
    assert same(one, other, 0)
    for viewer in (1, 2, None):
        assert not same(one, other, viewer)


@BOTH
def test_the_learner_sees_its_hand_and_the_aec_environment_all_hands(
    module: Any, position: dict[str, Any]
) -> None:
    learner = module.single_agent_env(num_players=3, player=0, render_mode="rgb_array")
    learner.reset(seed=1, options={"position": position})
    open_table = module.env(num_players=3, render_mode="rgb_array")
    open_table.reset(seed=1, options={"position": position})
    assert (learner.render() == learner.match.picture(0)).all()
    assert (open_table.render() == open_table.match.picture()).all()
    assert (learner.render() != open_table.render()).any()


def changed(position: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**position, **fields}


@pytest.mark.parametrize(
    "fields",
    [
        {"discard": ["g3", "r5"]},
        {"scores": [12, 30.5, 8]},
        {"current_player": 1},
        {"crosses": [0, 1, 0]},
        {"figure": 2},
        {"hands": [["r7", "gold"], ["b50", "b3", "b4"], ["g1", "g4"]]},
        {"hands": [["b7", "gold"], ["b50", "b3"], ["g1", "g4"]]},
    ],
)
def test_what_a_seat_sees_is_in_its_picture(fields: dict[str, Any]) -> None:
    one = match_at(auruxxx, AURUXXX)
    assert not same(one, match_at(auruxxx, changed(AURUXXX, **fields)), 0)


@pytest.mark.parametrize(
    "fields",
    [
        {"discard": ["5", "8"]},
        {"discard": ["5", "6", "7"], "last_play": 3, "run": True},
        {"front": [None, "hourglass", None]},
        {"caller": 1, "turns_left": 1},
    ],
)
def test_what_lies_open_is_in_the_picture(fields: dict[str, Any]) -> None:
    one = match_at(gluecksgriff, GLUECKSGRIFF)
    assert not same(one, match_at(gluecksgriff, changed(GLUECKSGRIFF, **fields)), 0)


def test_the_last_move_is_in_the_picture() -> None:
    one, other = match_at(auruxxx, AURUXXX), match_at(auruxxx, AURUXXX)
    one.play("pass")
    other.play("lay r7")
    again = replay(one.record())
    assert not same(one, other, 2)
    assert same(one, again, 2)


def test_a_grabbed_card_is_shown_to_the_grabber_alone() -> None:
    position = {
        "hands": [["8", "9"], ["2", "3"], ["14", "13"]],
        "discard": ["5"],
        "phase": "prize",
        "magician": 0,
        "challenged": 1,
        "open": [None, "6", "7"],
    }
    position["hands"][1] += ["9"] * 2  # type: ignore[index]
    one, other = (match_at(gluecksgriff, position, bluffing=True) for _ in range(2))
    one.play("grab 2")
    other.play("grab 3")
    assert one.players == [0]
    for viewer, alike in ((0, False), (1, False), (2, True), (None, False)):
        assert same(one, other, viewer) == alike, viewer


def test_no_picture_no_pillow() -> None:
    code = (
        "import sys; from goldgriff.envs import auruxxx_v0; env = auruxxx_v0.env();"
        "env.reset(seed=1); assert not {'PIL', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
