"""Rewards by rank and by a function of the user's own, through every door."""

from itertools import permutations
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import goldgriff as gg
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.engine.rewards import RANK, final_rewards, reward
from goldgriff.envs.policy import RandomPolicy
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.errors import SettingsError

SHORT: dict[str, Any] = {"num_players": 3, "rounds": 1}


def minus_points(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pay what nobody else would: so it can be told from every other reward."""
    rewards = -points / 7
    points[:] = 0  # it is a copy
    return rewards


def expected_rank(scores: list[float]) -> list[float]:
    pairs = [[np.sign(other - own) for other in scores] for own in scores]
    return [float(sum(row)) / (len(scores) - 1) for row in pairs]


def final_scores_and_rewards(kind: Any, seed: int) -> tuple[list[float], list[float]]:
    match = gg.Match("auruxxx", SHORT, kind)
    match.start(seed)
    rng = np.random.default_rng(seed)
    while not match.over:
        assert not match.rewards.any()
        match.act(int(rng.choice(np.flatnonzero(match.mask))))
    return match.scores, match.rewards.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_rank_pays_for_every_seat_that_is_beaten(seed: int) -> None:
    scores, rewards = final_scores_and_rewards("rank", seed)
    assert rewards == expected_rank(scores)


def test_equal_points_share_a_rank() -> None:
    """On a state that is over; uncompiled code and kernels share the function."""
    batch = gg.Batch("auruxxx", {"num_players": 4}, 1, reward="rank")
    for totals in {*permutations((10, 10, 30, 40)), (5, 5, 5, 5), (1, 2, 2, 2)}:
        paid = [float(np.sign(np.array(totals) - own).sum()) / 3 for own in totals]
        batch.states["scores"][0, :4] = totals
        batch.states["over"], batch.states["round_ended"] = 1, 1
        assert sum(paid) == pytest.approx(0)
        assert rank_rewards(batch) == pytest.approx(paid)


def rank_rewards(batch: gg.Batch) -> list[float]:
    """Return the rewards of a state that is over, as the rules compute them."""
    from goldgriff.envs.engine.compile import uncompiled  # noqa: PLC0415
    from goldgriff.envs.engine.state import state_at  # noqa: PLC0415

    state = state_at(batch.states, 0)
    return [uncompiled(reward)(state, seat, RANK) for seat in range(4)]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "kind", [minus_points, "tests.envs.test_own_rewards:minus_points"], ids="fn"
)
def test_a_function_is_given_the_final_points(kind: Any, seed: int) -> None:
    scores, rewards = final_scores_and_rewards(kind, seed)
    assert rewards == pytest.approx([-points / 7 for points in scores])


@pytest.mark.parametrize("kind", ["rank", minus_points], ids=["rank", "function"])
@pytest.mark.parametrize("auto_reset", [False, True])
def test_a_batch_pays_what_a_match_pays(kind: Any, auto_reset: bool) -> None:
    batch = gg.Batch("auruxxx", SHORT, 4, reward=kind, auto_reset=auto_reset)
    if auto_reset:
        batch.reset(3)
    else:
        batch.start(derive_seeds(3, 4))
    matches = [gg.Match("auruxxx", SHORT, kind) for _ in range(4)]
    for row, match in enumerate(matches):
        match.start(int(batch.states["seed"][row]))
    rng, ended = np.random.default_rng(2), 0
    while not ended:
        _, masks = batch.observe(batch.current_players)
        actions = (masks * rng.random(masks.shape)).argmax(axis=1)
        batch.step(actions)
        for row, match in enumerate(matches):
            match.act(int(actions[row]))
            assert batch.rewards[row].tolist() == match.rewards.tolist()
            ended += match.over


@pytest.mark.parametrize("kind", ["rank", minus_points], ids=["rank", "function"])
@pytest.mark.parametrize("compiled", [True, False])
def test_environments_pay_the_learner_also_where_another_ends_the_game(
    kind: Any, compiled: bool
) -> None:
    """By compiled opponents, which decide inside a kernel, and by others."""
    policy = RandomPolicy()
    opponents: Any = policy if compiled else lambda *row: int(row[1].argmax())
    others_ended = 0
    for seed in range(4):
        options = {"reward": kind, "illegal": "raise", "opponents": opponents}
        env = SingleAgentEnv.make("auruxxx", **SHORT, max_decisions=80, **options)
        envs = gg.make_vec("auruxxx", 1, **SHORT, max_decisions=80, **options)
        env.reset(seed=seed)
        _, infos = envs.reset(seed=seed)
        done, total, rng = False, 0.0, np.random.default_rng(seed)
        while not done:
            action = int(rng.choice(np.flatnonzero(infos["action_mask"][0])))
            _, paid, terminated, truncated, info = env.step(action)
            _, rewards, _, _, infos = envs.step(np.array([action]))
            assert rewards[0] == pytest.approx(paid)
            total, done = total + paid, terminated or truncated
        scores = info["scores"]
        others_ended += env.match.players[-1] != 0
        wanted = expected_rank(scores)[0] if kind == "rank" else -scores[0] / 7
        assert total == pytest.approx(wanted)
    assert others_ended


def test_playouts_pay_a_function_too() -> None:
    batch = gg.Batch("auruxxx", SHORT, 8, reward=minus_points)
    batch.start(derive_seeds(1, 8))
    returns = batch.play_until_turn(np.arange(8) % 3, 10_000, RandomPolicy().policy_function)
    assert batch.over.all()
    own = batch.points()[np.arange(8), np.arange(8) % 3]
    assert returns == pytest.approx(-own / 7)


def test_a_pettingzoo_environment_pays_a_function() -> None:
    own: Any = {"reward": minus_points, "illegal_reward": -20}
    env = gg.make("gluecksgriff", num_players=2, max_decisions=60, **own)
    env.reset(seed=2)
    for _ in env.agent_iter():
        _, _, terminated, truncated, _ = env.last(observe=False)
        if terminated or truncated:
            break
        env.step(int(env.match.mask.argmax()))
    scores = env.match.scores
    assert [env.rewards[f"player_{seat}"] for seat in range(2)] == pytest.approx(
        [-points / 7 for points in scores]
    )


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda points: points[:1], "must return 3 finite numbers, not"),
        (lambda points: points * np.nan, "must return 3 finite numbers, not"),
        (lambda _: None, "must return 3 finite numbers|TypeError"),
        (lambda _: ["a", "b", "c"], "ValueError"),
    ],
    ids=["short", "nan", "none", "text"],
)
def test_a_function_that_returns_something_else_is_named(function: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=f"the reward function.*({message})"):
        final_rewards(function, np.ones((2, 3)))


def test_a_name_of_a_function_survives_json() -> None:
    name = "tests.envs.test_own_rewards:minus_points"
    env = gymnasium.make("goldgriff/Auruxxx-v0", reward=name, illegal_reward=-20)
    assert env.spec is not None
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    inner = again.unwrapped
    assert isinstance(inner, SingleAgentEnv)
    assert inner.games.batches[0].reward == name
    for wrong in ("tests.envs.test_own_rewards:nothing", "no_such_module:f", "math:pi"):
        with pytest.raises(SettingsError, match="reward"):
            gg.make("auruxxx", reward=wrong)
