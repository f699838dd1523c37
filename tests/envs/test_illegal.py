"""Illegal actions and unknown settings, as each library's environments treat them."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from pettingzoo.test import parallel_seed_test
from pettingzoo.utils import turn_based_aec_to_parallel
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import goldgriff as gg
from goldgriff.envs import auruxxx_v0, gluecksgriff_v1
from goldgriff.envs.aec import CardGameEnv
from goldgriff.envs.auruxxx import rules as auruxxx_rules
from goldgriff.envs.engine.game import Game
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.envs.vector import SingleAgentVectorEnv
from goldgriff.errors import GoldgriffError, MoveError, SettingsError

from .loops import GAMES, SHORT

MODULES = (auruxxx_v0, gluecksgriff_v1)
MAKERS = (CardGameEnv.make, SingleAgentEnv.make, SingleAgentVectorEnv.make)
both_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    """Keep the warnings, and do not print them."""
    EnvLogger.suppress_output()
    EnvLogger.flush()
    yield
    EnvLogger.unsuppress_output()


def illegal_action(mask: Any) -> int:
    return int(np.flatnonzero(np.asarray(mask) == 0)[0])


def play_some(env: Any, decisions: int, rng: np.random.Generator) -> None:
    for _ in range(decisions):
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("decisions", [0, 1, 30])
def test_env_ends_as_pettingzoos_wrapper_would_end_raw_env(module: Any, decisions: int) -> None:
    env = module.env(num_players=3, reward="win")
    wrapped = TerminateIllegalWrapper(module.raw_env(num_players=3, reward="win"), -1)
    for one in (env, wrapped):
        one.reset(seed=5)
        play_some(one, decisions, np.random.default_rng(2))
        one.step(illegal_action(one.last()[0]["action_mask"]))
    loser = env._skip_agent_selection
    assert env.rewards == {name: -float(name == loser) for name in env.possible_agents}
    while env.agents:
        assert env.agents == wrapped.agents
        assert env.agent_selection == wrapped.agent_selection
        assert (env.rewards, env.terminations) == (wrapped.rewards, wrapped.terminations)
        assert env.truncations == wrapped.truncations
        observation, *told, info = env.last()
        theirs = wrapped.last()
        assert told == list(theirs[1:4])
        assert (observation["observation"] == theirs[0]["observation"]).all()
        assert not observation["action_mask"].any()
        assert env.observation_space(loser).contains(observation)
        assert info["illegal"] == (env.agent_selection == loser)
        assert not info["round_ended"]
        for one in (env, wrapped):
            one.step(None)
    assert wrapped.agents == []
    assert EnvLogger.mqueue.count(EnvLogger.mqueue[0]) == len(EnvLogger.mqueue) == 2
    with pytest.raises(MoveError, match="the game is over"):
        env.step(0)
    with pytest.raises(MoveError, match="the game is over"):
        gg.load_agent("random", module.raw_env().metadata["name"]).act_on(env)
    env.reset(seed=5)
    play_some(env, decisions + 1, np.random.default_rng(2))
    assert env.agents == env.possible_agents


@pytest.mark.parametrize("module", MODULES)
def test_what_is_no_action_raises_and_raw_env_always_does(module: Any) -> None:
    env, raw = module.env(), module.raw_env()
    for one in (env, raw):
        one.reset(seed=1)
        before = one.match.state.tobytes()
        for wrong in (-1, 10**4, 1.5, "draw", None):
            with pytest.raises(MoveError):
                one.step(wrong)
        if one is raw:
            with pytest.raises(MoveError, match="is not legal here"):
                one.step(illegal_action(one.last()[0]["action_mask"]))
        assert one.match.state.tobytes() == before
        assert not any(one.terminations.values())
    assert not EnvLogger.mqueue


def losses(game: Game, **options: Any) -> list[float]:
    """Return the reward of an illegal first action in each kind of environment."""
    env = CardGameEnv.make(game, **options)
    env.reset(seed=1)
    mover = env.agent_selection
    env.step(illegal_action(env.last()[0]["action_mask"]))
    single = SingleAgentEnv.make(game, **options)
    _, info = single.reset(seed=1)
    _, reward, terminated, truncated, info = single.step(illegal_action(info["action_mask"]))
    assert (terminated, truncated, info["illegal"]) == (True, False, True)
    assert not info["action_mask"].any()
    vector = SingleAgentVectorEnv.make(game, 2, **options)
    _, infos = vector.reset(seed=1)
    _, rewards, *_ = vector.step(np.array([illegal_action(row) for row in infos["action_mask"]]))
    return [env.rewards[mover], reward, *rewards.tolist()]


@both_games
def test_the_loss_is_below_what_legal_play_brings(game: Game) -> None:
    assert losses(game, reward="win") == [-1.0] * 4
    assert losses(game, reward="rank") == [-2.0] * 4
    assert losses(game, illegal_reward=-3) == [-3.0] * 4
    assert losses(game, reward=lambda points: -points, illegal_reward=-7.5) == [-7.5] * 4
    for rules in ({}, SHORT[game.name], {"num_players": 2, "preset": "tiny-a"}):
        lost = losses(game, **rules)
        assert lost == pytest.approx(lost[:1] * 4)
        settings = game.settings.from_dict(rules)
        batch = gg.Batch(game, settings, 200)
        batch.start(np.arange(200, dtype=np.uint64))
        batch.play_out()
        points = batch.points()
        behind = points - (points.sum(axis=1, keepdims=True) - points) / (points.shape[1] - 1)
        assert behind.max() <= settings.points_bound()
        assert lost[0] == pytest.approx(-(1 + settings.points_bound() / 100))


def test_the_bound_is_what_one_seat_can_hold() -> None:
    """A seat holds all cards but the Golden 12s, which another lays (A7.1 to A7.3)."""
    settings = auruxxx_rules.Settings(num_players=2, rounds=1, golden_value=0)
    match = gg.Match("auruxxx", settings)
    counts = dict(zip(match.game.cards, settings.card_counts(), strict=True))
    hand = [name for name, copies in counts.items() for _ in range(copies) if name != "gold"]
    position = {"hands": [["gold"] * 5, hand[1:]], "discard": hand[:1], "crosses": [0, 3]}
    match.start(1, position)
    match.play("lay gold")
    assert hand[0] == "r0"  # it counts nothing
    assert match.scores[1] - match.scores[0] == settings.points_bound()


@pytest.mark.parametrize("make", MAKERS)
def test_a_reward_function_needs_a_loss_of_its_own(make: Callable[..., Any]) -> None:
    with pytest.raises(SettingsError, match="illegal_reward=-1, or choose illegal='raise'"):
        make("auruxxx", reward=lambda points: -points)
    make("auruxxx", reward=lambda points: -points, illegal="raise")
    for wrong in ("-1", float("nan"), True):
        with pytest.raises(SettingsError, match="illegal_reward must be a finite number"):
            make("auruxxx", illegal_reward=wrong)
    with pytest.raises(SettingsError, match="illegal must be 'raise' or 'lose', not 'ignore'"):
        make("auruxxx", illegal="ignore")


@pytest.mark.parametrize("make", MAKERS)
def test_an_unknown_setting_is_a_type_error_too(make: Callable[..., Any]) -> None:
    for error in (TypeError, GoldgriffError):
        with pytest.raises(error, match="unexpected keyword argument 'frameskip'") as caught:
            make("auruxxx", frameskip=1)
        assert "\n" not in str(caught.value)
    with pytest.raises(TypeError, match=r"did you mean 'num_players'"):
        make("auruxxx", num_player=3)
    with pytest.raises(TypeError, match=r"did you mean 'reward'"):
        make("auruxxx", rewards="win")


@both_games
@pytest.mark.parametrize("mode", list(AutoresetMode)[:2])
def test_a_vector_environment_is_gymnasiums_over_the_single_one(
    game: Game, mode: AutoresetMode
) -> None:
    """Row 0, with random actions legal and illegal: observations, rewards, ends, infos."""
    options = {**SHORT[game.name], "max_decisions": 60, "illegal_reward": -2.0}
    one = gymnasium.vector.SyncVectorEnv(
        [lambda: SingleAgentEnv.make(game, **options)], autoreset_mode=mode
    )
    many = SingleAgentVectorEnv.make(game, 3, autoreset_mode=mode.value, **options)
    assert many.autoreset_mode == many.metadata["autoreset_mode"] == mode
    rng, ends = np.random.default_rng(3), {"illegal": 0, "legal": 0}
    wanted, told = one.reset(seed=7)
    seen, infos = many.reset(seed=7)
    for _ in range(700):
        assert (seen[0] == wanted[0]).all()
        assert (infos["action_mask"][0] == told["action_mask"][0]).all()
        legal = [np.flatnonzero(row) for row in infos["action_mask"]]
        actions = np.array([rng.choice(row) if row.size else 0 for row in legal])
        if rng.random() < 0.01:
            actions[0] = illegal_action(infos["action_mask"][0])
        wanted, *theirs, told = one.step(actions[:1])
        seen, *ours, infos = many.step(actions)
        assert [array[0] for array in ours] == pytest.approx([array[0] for array in theirs])
        inner, outer = told, infos
        if mode is AutoresetMode.SAME_STEP:
            assert infos.get("_final_obs", [False])[0] == ("final_obs" in told)
            if "final_obs" in told:
                assert (infos["final_obs"][0] == told["final_obs"][0]).all()
            inner, outer = told.get("final_info", {}), infos.get("final_info", {})
        if ours[1][0] or ours[2][0]:
            for name in ("illegal", "scores", "win_shares", "score_sheet"):
                assert outer[f"_{name}"][0]
                np.testing.assert_equal(outer[name][0], inner[name][0])
            ends["illegal" if inner["illegal"][0] else "legal"] += 1
    assert min(ends.values()) > 1


def test_a_vector_environment_waits_for_the_step_that_starts_a_game() -> None:
    envs = gg.make_vec("auruxxx", 2, autoreset_mode=AutoresetMode.NEXT_STEP, illegal="raise")
    with pytest.raises(SettingsError, match="autoreset_mode must be 'SameStep' or 'NextStep'"):
        gg.make_vec("auruxxx", autoreset_mode="Disabled")  # type: ignore[call-overload]
    position = {"hands": [["gold"], ["r5"], ["r6"], ["r7"]], "discard": ["b4"], "round": 3}
    envs.reset(seed=1, options={"position": position})
    play = envs.games.game.actions.index
    _, rewards, terminated, _, infos = envs.step([play("lay gold")] * 2)
    assert terminated.all()
    assert not infos["action_mask"].any()
    assert not envs.action_masks().any()
    assert infos["scores"][:, 0].tolist() == [-5, -5]
    _, rewards, terminated, _, infos = envs.step([play("lay gold")] * 2)  # no game to play it in
    assert not rewards.any()
    assert not terminated.any()
    assert not infos["scores"].any()
    assert (envs.action_masks() == infos["action_mask"]).all()
    assert infos["action_mask"].any(axis=1).all()


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_with_all_seats_an_illegal_action_is_the_loss_of_its_seat(mode: Any) -> None:
    options: Any = {"num_players": 3, "player": "all", "illegal_reward": -2}
    envs = gg.make_vec("auruxxx", 2, autoreset_mode=mode, **options)
    _, infos = envs.reset(seed=1)
    draw, end = (envs.games.game.actions.index(name) for name in ("draw", "end"))
    for action in (draw, draw, end):
        _, _, _, _, infos = envs.step([action] * 2)
    assert infos["current_player"].tolist() == [1, 1]
    actions = np.array([draw, illegal_action(infos["action_mask"][1])])
    _, rewards, terminated, _, infos = envs.step(actions)
    assert rewards.tolist() == [0, -2]
    assert infos["rewards"][1].tolist() == [0, -2, 0]
    assert terminated.tolist() == [False, True]
    env = SingleAgentEnv.make("auruxxx", **options)
    _, info = env.reset(seed=1)
    *_, info = env.step(illegal_action(info["action_mask"]))
    assert info["rewards"].tolist() == [-2, 0, 0]


@pytest.mark.parametrize("module", MODULES)
def test_actions_may_be_sampled_without_the_mask(module: Any) -> None:
    parallel_seed_test(lambda: turn_based_aec_to_parallel(module.env()))
