"""The gymnasium environment: one learner, its own transitions."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray
from stable_baselines3.common.env_checker import check_env as check_for_sb3

import goldgriff.envs  # noqa: F401  (registers the environment)
from goldgriff.envs.auruxxx.rules import ACTIONS
from goldgriff.envs.auruxxx_v0 import single_agent_env
from goldgriff.envs.policy import ObservationBatch, RandomPolicy
from goldgriff.errors import AgentError, GoldgriffError, MoveError, PositionError


class Scripted:
    """Plays the first of its favourite moves that is legal."""

    def __init__(self, *favourites: str) -> None:
        self.favourites = [ACTIONS.index(move) for move in favourites]

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        return np.array([next(a for a in self.favourites if row[a]) for row in observations.masks])


# Opponents who end a round as soon as they can, and a deck with which that is soon.
HASTY = Scripted("lay gold", "draw", "end", "take")
TINY = {"hand_size": 1, "golden_twelves": 40, "number_copies": 1, "blessings": 1, "steals": 1}


class Cheat:
    """Swaps with a player who is not there."""

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        return np.full(len(observations.masks), ACTIONS.index("swap +5"))


@pytest.mark.parametrize("name", ["goldgriff/Auruxxx-v0", "goldgriff/Gluecksgriff-v1"])
def test_gymnasium_and_sb3_find_nothing_to_object_to(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped)
    check_for_sb3(gymnasium.make(name))


def test_the_learner_is_paid_for_a_round_that_somebody_else_ends() -> None:
    position = {"hands": [["r5", "r6", "y1"], ["gold"]], "discard": ["r4"]}
    env = single_agent_env(num_players=2, rounds=1, opponents=Scripted("lay gold"))
    env.reset(seed=1, options={"position": position})
    _, reward, terminated, _, _ = env.step(ACTIONS.index("lay r5"))
    assert (reward, terminated) == (0, False)  # it might lay more 5s
    _, reward, terminated, _, info = env.step(ACTIONS.index("end"))
    assert terminated
    assert reward == pytest.approx((-5 - 7) / 100)
    assert info["scores"].tolist() == [7, -5]


def test_rewards_and_decisions_are_the_learners_own() -> None:
    env = single_agent_env(num_players=4, player=2)
    for seed in range(4):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        total, done = 0.0, False
        while not done:
            assert env.match.current_player == 2
            assert env.action_masks().any()
            action = rng.choice(np.flatnonzero(env.action_masks()))
            observation, reward, terminated, truncated, info = env.step(action)
            assert env.observation_space.contains(observation)
            total, done = total + float(reward), terminated or truncated
        scores = info["scores"]
        others = (sum(scores) - scores[2]) / 3
        assert total == pytest.approx((others - scores[2]) / 100, abs=1e-5)


def test_a_round_counts_that_ended_before_the_learners_first_decision() -> None:
    env = single_agent_env(6, rounds=3, swaps=1, player=5, opponents=HASTY, **TINY)
    early = 0
    for seed in range(20):
        env.reset(seed=seed)
        early += env.match.state.round_index > 0
        total, done = 0.0, False
        while not done:
            _, reward, terminated, truncated, info = env.step(env.action_masks().argmax())
            total, done = total + float(reward), terminated or truncated
        scores = info["scores"]
        assert total == pytest.approx((sum(scores[:5]) / 5 - scores[5]) / 100, abs=1e-5)
    assert early > 2


def test_opponents_sit_clockwise_from_the_learner() -> None:
    position = {
        "hands": [["r5", "r6"]] + [["r1", "r9"]] * 2,
        "discard": ["b3"],
        "current_player": 2,
    }
    passes, draws = Scripted("pass"), Scripted("draw", "end")
    env = single_agent_env(num_players=3, player=1, opponents=[passes, draws])
    env.reset(seed=1, options={"position": position})
    assert env.match.position()["crosses"] == [0, 0, 1]
    assert [len(hand) for hand in env.match.position()["hands"]] == [4, 2, 2]


class Noting(RandomPolicy):
    """Notes the random words that it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[int] = []

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        self.words += observations.random_bits.tolist()
        return super().act(observations)


def test_opponents_have_a_new_word_for_each_decision_and_the_same_ones_by_seed() -> None:
    def words_of(*seeds: int | None) -> list[int]:
        env = single_agent_env(rounds=1, opponents=(noting := Noting()))
        for seed in seeds:
            env.reset(seed=seed)
            for _ in range(20):
                env.step(env.action_masks().argmax())
        return noting.words

    words = words_of(1, None, 2)
    assert len(set(words)) == len(words) > 100
    assert words_of(1, None, 2) == words


def test_the_seat_may_change_with_every_episode() -> None:
    env = single_agent_env(player=None)
    seats = set()
    for seed in range(20):
        env.reset(seed=seed)
        seats.add(env.player)
    assert seats == {0, 1, 2, 3}


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = single_agent_env(illegal="raise")
    env.reset(seed=1)
    before = env.match.position()
    with pytest.raises(MoveError, match="'take' is not legal here"):
        env.step(ACTIONS.index("take"))
    assert env.match.position() == before


def test_an_opponents_illegal_action_is_its_own_fault() -> None:
    """Only a new game helps: the learner must not go on in the opponent's place."""
    env = single_agent_env(num_players=2, opponents=Cheat())
    env.reset(seed=1)
    env.step(ACTIONS.index("draw"))
    env.step(ACTIONS.index("draw"))
    with pytest.raises(AgentError, match=r"opponent 0: .*'swap \+5' is not legal here"):
        env.step(ACTIONS.index("end"))
    assert not env.action_masks().any()
    with pytest.raises(MoveError, match="reset starts a new one"):
        env.step(ACTIONS.index("draw"))


def test_a_position_that_is_refused_leaves_the_game_and_the_seat() -> None:
    env = single_agent_env(num_players=2, player=None)
    for seed in range(8):
        env.reset(seed=seed)
        seat, mask = env.player, env.action_masks()
        with pytest.raises(PositionError):
            env.reset(options={"position": {"hands": []}})
        assert env.player == env.match.current_player == seat
        assert (env.action_masks() == mask).all()


def test_an_episode_begins_with_a_decision_of_the_learner() -> None:
    """Games that the opponents end before it was asked anything are dealt anew."""
    env = single_agent_env(6, rounds=1, swaps=1, player=5, opponents=HASTY, **TINY)
    for seed in range(20):
        env.reset(seed=seed)
        assert env.action_masks().any()
    over = {"hands": [["r7", "r6"], ["gold"]], "discard": ["g3"], "current_player": 1}
    with pytest.raises(PositionError, match="ends before a learner decides"):
        single_agent_env(2, rounds=1, opponents=HASTY).reset(options={"position": over})


@pytest.mark.parametrize("illegal", ["raise", "lose"])
def test_nothing_goes_on_after_the_end(illegal: str) -> None:
    env = single_agent_env(illegal=illegal)
    with pytest.raises(MoveError, match="reset starts a new one"):
        env.step(0)
    env.reset(seed=1)
    if illegal == "lose":
        for wrong in ("draw", None, 0.9):
            env.reset(seed=1)
            assert env.step(wrong)[2]  # type: ignore[arg-type]
            assert not env.action_masks().any()
            with pytest.raises(MoveError, match="reset starts a new one"):
                env.step(0)


def test_a_capped_game_is_truncated() -> None:
    env = single_agent_env(
        num_players=2, rounds=1, max_decisions=6, opponents=Scripted("draw", "end")
    )
    env.reset(seed=1)
    flags = [env.step(ACTIONS.index(move))[2:4] for move in ("draw", "draw", "end")]
    assert flags == [(False, False), (False, False), (False, True)]


def test_masks_and_episodes_are_reproducible() -> None:
    def episode() -> list[Any]:
        env = single_agent_env(opponents=RandomPolicy(), player=None)
        env.reset(seed=11)
        rng, done = np.random.default_rng(1), False
        told: list[Any] = []
        while not done:
            masks = env.action_masks()
            told.append(masks.tobytes())
            observation, reward, terminated, truncated, _ = env.step(
                rng.choice(np.flatnonzero(masks))
            )
            told.append((observation.tobytes(), reward))
            done = terminated or truncated
        return told

    assert episode() == episode()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": [RandomPolicy()]}, "4 players need 3 opponents, not 1"),
        ({"player": 4}, "player must be None, 'all' or from 0 to 3, not 4"),
        ({"player": True}, "player must be None, 'all' or from 0 to 3"),
        ({"opponents": [1, 2, 3]}, r"int has no method act\(observations\)"),
        ({"render_mode": "rgb"}, "render_mode must be None or one of"),
        ({"illegal": "ignore"}, "illegal must be 'raise' or 'lose'"),
        ({"num_players": 9}, "num_players must be"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GoldgriffError, match=message):
        single_agent_env(**options)
