"""The gymnasium vector environment against one table at a time."""

import pickle
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

import goldgriff
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine import threads as threads_module
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.envs.policy import CompiledPolicy, ObservationBatch, Policy, RandomPolicy
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.envs.vector import SingleAgentVectorEnv
from goldgriff.errors import AgentError, GoldgriffError, MoveError, SettingsError

from .loops import GAMES, SHORT, Cheat, Crafty, Hidden, decision_bits, derive, random_action, short

both_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def new_env(game: Game, tables: int, **options: Any) -> SingleAgentVectorEnv:
    return SingleAgentVectorEnv(game, short(game), tables, **options)


def actions_for(masks: NDArray[Any], step: int) -> NDArray[np.int64]:
    rows = enumerate(masks)  # a game that waits for its reset takes any action
    actions = [random_action(mask, derive(row, step)) if mask.any() else 0 for row, mask in rows]
    return np.array(actions)


class Solo:
    """One row by itself: a table, the learner's seat, the others asked one by one."""

    def __init__(self, game: Game, luck: int, others: list[CompiledPolicy], seat: int | None):
        self.match, self.luck, self.begun = Match(game, short(game)), luck, 0
        self.others, self.fixed = others, seat

    def begin(self) -> None:
        seed = derive(self.luck, self.begun)
        drawn = derive(~self.luck % 2**64, self.begun) % 3
        self.seat = drawn if self.fixed is None else self.fixed
        self.begun += 1
        self.seed, self.decision_counts = seed, [0, 0, 0]
        self.match.start(seed)
        self.owed = self.play_others()  # a round may be over before the first decision
        if self.match.over:
            self.begin()

    def play_others(self) -> float:
        match, earned = self.match, 0.0
        while not match.over and match.current_player != self.seat:
            current_player = match.current_player
            bits = decision_bits(self.seed, current_player, self.decision_counts[current_player])
            self.decision_counts[current_player] += 1
            random_bits = np.array([bits], np.uint64)
            observations = ObservationBatch(
                match.game, match.raw[None], match.mask[None], random_bits
            )
            match.act(self.others[(current_player - self.seat) % 3 - 1].act(observations)[0])
            earned += float(match.rewards[self.seat])
        return earned

    def step(self, action: int) -> float:
        owed, self.owed = self.owed, 0.0
        self.match.act(action)
        return owed + float(self.match.rewards[self.seat]) + self.play_others()

    def observe(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        raw, mask = self.match.observe(self.seat)
        return raw[0] * self.match.game.observation_spec.scale, mask[0]


CRAFTY = Crafty()


@both_games
@pytest.mark.parametrize("seat", [1, None])
@pytest.mark.parametrize("others", [[RandomPolicy(), CRAFTY], [CRAFTY, CRAFTY]])
def test_each_row_is_a_table_by_itself(
    game: Game, seat: int | None, others: list[CompiledPolicy]
) -> None:
    env = new_env(game, 4, opponents=others, player=seat)
    solos = [Solo(game, derive(21, row), others, seat) for row in range(4)]
    observations, infos = env.reset(seed=21)
    for solo in solos:
        solo.begin()
    ended = 0
    for step in range(250):
        for row, solo in enumerate(solos):
            observation, mask = solo.observe()
            assert (observations[row] == observation).all()
            assert (infos["action_mask"][row] == mask).all()
        actions = actions_for(env.action_masks(), step)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        for row, solo in enumerate(solos):
            assert rewards[row] == pytest.approx(solo.step(actions[row]), abs=1e-6)
            assert terminated[row] == solo.match.over
            assert not truncated[row]
            if solo.match.over:
                assert infos["_final_info"][row]
                assert infos["_final_obs"][row]
                assert (infos["final_obs"][row] == solo.observe()[0]).all()
                final = infos["final_info"]
                assert final["scores"][row].tolist() == solo.match.scores
                assert final["win_shares"][row].tolist() == solo.match.win_shares()
                ended += 1
                solo.begin()
            else:
                assert not infos.get("_final_info", np.zeros(4))[row]
                assert not infos.get("final_obs", np.zeros(4))[row].any()
    assert ended >= 2


@both_games
def test_the_single_environment_is_row_0(game: Game) -> None:
    opponents = [RandomPolicy(), CRAFTY]
    options = {**SHORT[game.name], "opponents": opponents, "player": None}
    one, many = (
        SingleAgentEnv.make(game, **options),
        new_env(game, 3, player=None, opponents=opponents),
    )
    observation, _ = one.reset(seed=5)
    observations, infos = many.reset(seed=5)
    ended = 0
    for step in range(3000):
        assert (observation == observations[0]).all()
        assert (one.action_masks() == infos["action_mask"][0]).all()
        actions = actions_for(infos["action_mask"], step)
        observation, reward, terminated, truncated, _ = one.step(actions[0])
        observations, rewards, *flags, infos = many.step(actions)
        assert (reward, terminated, truncated) == (rewards[0], flags[0][0], flags[1][0])
        if terminated or truncated:
            observation, _ = one.reset()
            ended += 1
        if ended == 2:
            break
    assert ended == 2


@both_games
@pytest.mark.parametrize("player", [None, 1])
def test_both_environments_go_on_when_pickled(game: Game, player: int | None) -> None:
    options: dict[str, Any] = {"player": player, "opponents": ["expert", "random"]}
    one = SingleAgentEnv.make(game, **SHORT[game.name], **options)
    many = new_env(game, 3, **options)
    _, info = one.reset(seed=5)
    _, infos = many.reset(seed=5)
    ones, manies = [one, pickle.loads(pickle.dumps(one))], [many, pickle.loads(pickle.dumps(many))]
    for step in range(40):
        actions = actions_for(infos["action_mask"], step)
        (*told, infos), (*again, _) = [env.step(actions) for env in manies]
        assert all(map(np.array_equal, told, again))
        action = int(info["action_mask"].argmax())
        (*shown, info), (*too, _) = [env.step(action) for env in ones]
        assert all(map(np.array_equal, shown, too))
        if shown[2] or shown[3]:
            (_, info), _ = [env.reset() for env in ones]


class Tally(Hidden):
    """Counts how often it is asked."""

    decision_counts = 0

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        self.decision_counts += 1
        return super().act(observations)


def test_one_policy_in_several_seats_is_asked_for_all_of_them_at_once() -> None:
    one, others = Tally(CRAFTY), [Tally(CRAFTY), Tally(CRAFTY)]
    together = new_env(AURUXXX, 32, player=None, opponents=[one, one])
    apart = new_env(AURUXXX, 32, player=None, opponents=others)
    assert episode(together, seed=3) == episode(apart, seed=3)
    assert one.decision_counts < sum(other.decision_counts for other in others)


@both_games
@pytest.mark.parametrize("options", [{}, {"player": None, "opponents": "crafty", "threads": 2}])
def test_make_vec_makes_it(game: Game, options: dict[str, Any]) -> None:
    if "opponents" in options:
        options = {**options, "opponents": [Crafty(), Crafty()]}
    name = f"goldgriff/{game.name.capitalize()}-v{game.version}"
    env = gymnasium.make_vec(name, num_envs=3, **SHORT[game.name], **options)
    assert isinstance(env, SingleAgentVectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert env.observation_space.shape == (3, game.observation_spec.size)
    observations, infos = env.reset(seed=4)
    for step in range(150):
        assert env.observation_space.contains(observations)
        assert all(env.single_observation_space.contains(row) for row in observations)
        assert infos["action_mask"].any(axis=1).all()
        actions = actions_for(infos["action_mask"], step)
        assert env.action_space.contains(actions)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert rewards.shape == terminated.shape == truncated.shape == (3,)
    env.close()


def episode(env: SingleAgentVectorEnv, steps: int = 80, **reset: Any) -> list[bytes]:
    """All that an environment shows, step by step."""
    observations, infos = env.reset(**reset)
    told = [observations.tobytes()]
    for step in range(steps):
        actions = actions_for(infos["action_mask"], step)
        observations, *others, infos = env.step(actions)
        told.append(b"".join(array.tobytes() for array in (observations, *others)))
    return told


@both_games
def test_the_opponents_play_alike_in_the_kernel_and_asked(game: Game) -> None:
    def played(*opponents: Policy) -> list[bytes]:
        return episode(new_env(game, 5, opponents=opponents, player=None), 200, seed=8)

    random, crafty = RandomPolicy(), Crafty()
    inside = played(random, crafty)
    assert inside == played(Hidden(random), Hidden(crafty)) == played(random, Hidden(crafty))
    assert inside != played(crafty, random)


@both_games
@pytest.mark.parametrize("hidden", [False, True])
def test_the_number_of_threads_changes_nothing(
    game: Game, hidden: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads_module, "MIN_DECISIONS", 1)
    monkeypatch.setattr("goldgriff.envs.engine.threads.cores", lambda: 8)
    policy = Hidden(Crafty()) if hidden else Crafty()
    told = [
        episode(new_env(game, 7, opponents=policy, threads=threads), seed=1)
        for threads in (1, 2, 3)
    ]
    assert told[0] == told[1] == told[2]


def test_seeds_decide_what_comes() -> None:
    env = new_env(AURUXXX, 2)
    first = episode(env, seed=5)
    assert episode(env) != first  # goes on
    assert episode(env, seed=5) == first
    assert episode(new_env(AURUXXX, 2), seed=5) == first
    assert episode(env, seed=6) != first
    chance = [new_env(AURUXXX, 2).reset()[0].tobytes() for _ in range(2)]
    assert chance[0] != chance[1]


def test_seeds_may_be_given_table_by_table() -> None:
    env, other = new_env(AURUXXX, 2), new_env(AURUXXX, 2)
    observations, _ = env.reset(seed=[7, 8])
    swapped, _ = other.reset(seed=np.array([8, 7]))  # type: ignore[arg-type]
    assert (observations == swapped[::-1]).all()
    # None: this table goes on to its next game, as it would have without a reset of the other.
    again, _ = env.reset(seed=[7, None])
    following, _ = other.reset()
    assert (again[0] == observations[0]).all()
    assert (again[1] == following[0]).all()
    # Without any seed before, None is chance.
    probabilities = [new_env(AURUXXX, 2).reset(seed=[1, None])[0] for _ in range(2)]
    assert (probabilities[0][0] == probabilities[1][0]).all()
    assert (probabilities[0][1] != probabilities[1][1]).any()


def test_a_capped_game_is_truncated() -> None:
    capped = AURUXXX.settings.from_dict({"num_players": 2, "rounds": 1, "max_decisions": 6})
    env = SingleAgentVectorEnv(AURUXXX, capped, 2)
    _, infos = env.reset(seed=1)
    for step in range(20):
        *_, terminated, truncated, infos = env.step(actions_for(infos["action_mask"], step))
        if truncated.any():
            break
    assert truncated.any()
    assert not terminated.any()
    assert (infos["_final_info"] == truncated).all()


def test_gymnasiums_own_statistics_work_on_it() -> None:
    env = RecordEpisodeStatistics(new_env(AURUXXX, 3))
    _, infos = env.reset(seed=3)
    returns, lengths, ended = np.zeros(3), np.zeros(3, int), 0
    for step in range(300):
        actions = actions_for(infos["action_mask"], step)
        _, rewards, terminated, truncated, infos = env.step(actions)
        returns += rewards
        lengths += 1
        for row in np.flatnonzero(terminated | truncated):
            assert infos["episode"]["r"][row] == pytest.approx(returns[row])
            assert infos["episode"]["l"][row] == lengths[row]
            returns[row], lengths[row], ended = 0, 0, ended + 1
    assert ended == len(env.return_queue) > 3


def state_of(env: SingleAgentVectorEnv) -> bytes:
    return b"".join(array.tobytes() for array in env.games.state().values())


@pytest.mark.parametrize("wrong", [-1, 10**6, AURUXXX.actions.index("take")])
def test_an_illegal_action_changes_nothing(wrong: int) -> None:
    env = new_env(AURUXXX, 3, illegal="raise")
    _, infos = env.reset(seed=3)
    before, actions = state_of(env), actions_for(infos["action_mask"], 0)
    actions[2] = wrong
    with pytest.raises(MoveError, match="game 2: "):
        env.step(actions)
    with pytest.raises(MoveError, match="actions must be 3 whole numbers"):
        env.step(actions[:2])
    assert state_of(env) == before


@pytest.mark.parametrize("cheat", [Cheat(), Hidden(Cheat())], ids=["inside", "asked"])
def test_an_opponents_illegal_action_is_its_own_fault(cheat: Policy) -> None:
    env = new_env(AURUXXX, 3, opponents=[RandomPolicy(), cheat])
    with pytest.raises(AgentError, match="opponent 1: "):
        episode(env, seed=1)
    with pytest.raises(MoveError, match="call reset before step"):
        env.step(np.zeros(3, np.int64))


def test_returns_are_the_games_results() -> None:
    """G8.5: who calls too early ends a round, here mostly before the last seat had a turn."""
    settings = GLUECKSGRIFF.settings.from_dict({"num_players": 4, "penalties": True})
    env = SingleAgentVectorEnv(GLUECKSGRIFF, settings, 64, player=3)
    _, infos = env.reset(seed=1)
    returns, ended = np.zeros(64), 0
    for step in range(200):
        actions = actions_for(infos["action_mask"], step)
        _, rewards, terminated, truncated, infos = env.step(actions)
        returns += rewards
        for row in np.flatnonzero(terminated | truncated):
            scores = infos["final_info"]["scores"][row]
            assert returns[row] == pytest.approx((scores[:3].mean() - scores[3]) / 100, abs=1e-5)
            returns[row], ended = 0, ended + 1
    assert ended > 300


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: new_env(AURUXXX, 0), "num_envs must be a whole number from 1, not 0"),
        (lambda: new_env(AURUXXX, 2, player=3), "player must be None, 'all' or from 0 to 2, not 3"),
        (lambda: new_env(AURUXXX, 2, opponents=[Crafty()]), "3 players need 2 opponents, not 1"),
        (lambda: new_env(AURUXXX, 2, opponents=[1, 2]), r"int has no method act\(observations\)"),
        (lambda: new_env(AURUXXX, 2, opponents="exprt"), "unknown agent 'exprt'"),
        (lambda: new_env(AURUXXX, 2, threads=0), "threads must be a whole number from 1"),
        (lambda: new_env(AURUXXX, 2).step([0, 0]), "call reset before step"),
        (lambda: new_env(AURUXXX, 2).reset(seed=[1]), "seeds must be 2, one a row, not 1"),
        (
            lambda: new_env(AURUXXX, 2).reset(seed=cast(Any, "x")),
            "seed must be a whole number .*, not 'x'",
        ),
        (lambda: new_env(AURUXXX, 2).reset(seed=-1), "seed must be a whole number from 0"),
        (lambda: new_env(AURUXXX, 2).reset(seed=[1, -1]), "seed must be a whole number from 0"),
        (
            lambda: new_env(AURUXXX, 2).reset(seed=cast(Any, 0.5)),
            "seed must be a whole number from 0",
        ),
        (
            lambda: new_env(AURUXXX, 2).reset(options={"position": {}}),
            "position: hands is missing",
        ),
        (
            lambda: gymnasium.make_vec("goldgriff/Auruxxx-v0", num_envs=2, card=1),
            "unexpected keyword argument 'card'",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(call: Any, message: str) -> None:
    with pytest.raises(GoldgriffError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
@pytest.mark.parametrize("player", [0, None, "all"])
def test_a_reset_mask_restarts_the_games_that_it_names(mode: Any, player: Any) -> None:
    masked, whole = (
        goldgriff.make_vec("auruxxx", 4, autoreset_mode=mode, player=player) for _ in range(2)
    )
    first, infos = masked.reset(seed=3)
    whole.reset(seed=3)
    for step in range(5):
        actions = actions_for(masked.action_masks(), step)
        before, *_ = masked.step(actions)
        whole.step(actions)
    mask = np.array([True, False, True, False])
    keys = infos.keys()
    observations, infos = masked.reset(seed=3, options={"reset_mask": mask})
    assert infos.keys() == keys
    assert (observations[mask] == first[mask]).all()  # of the same seed
    assert (observations[~mask] == before[~mask]).all()
    assert not infos["score_sheet"][mask].any()
    for step in range(300):  # the others go on as if nothing had been
        actions = actions_for(whole.action_masks(), step)
        seen, *_ = whole.step(actions)
        actions[mask] = actions_for(masked.action_masks(), step)[mask]
        now, *_ = masked.step(actions)
        assert (now[~mask] == seen[~mask]).all()


def test_a_masked_reset_shows_no_score_sheet_a_second_time() -> None:
    env = goldgriff.make_vec("auruxxx", 2, num_players=2)
    _, infos = env.reset(seed=3)
    while not infos["score_sheet"][1].any():
        _, _, _, _, infos = env.step(actions_for(env.action_masks(), 0))
    _, infos = env.reset(options={"reset_mask": np.array([True, False])})
    assert not infos["score_sheet"].any()


def test_what_is_no_reset_mask_and_no_option_is_refused() -> None:
    env = goldgriff.make_vec("auruxxx", 2)
    with pytest.raises(SettingsError, match="the first reset is one of all games"):
        env.reset(options={"reset_mask": np.array([True, False])})
    env.reset(seed=1)
    for mask in ([1, 0], np.array([True]), "10"):
        with pytest.raises(SettingsError, match=r"reset_mask must be bool of shape \(2,\)"):
            env.reset(options={"reset_mask": mask})
    single = goldgriff.registration.single_agent_env("auruxxx")
    for any_env in (env, single):
        with pytest.raises(SettingsError, match=r"unknown option of reset 'postion'.*'position'"):
            any_env.reset(options={"postion": {}})


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_the_keys_of_the_infos_are_the_same_at_every_step(mode: Any) -> None:
    env = goldgriff.make_vec("auruxxx", 3, autoreset_mode=mode, rounds=1)
    _, first = env.reset(seed=1)
    ends = 0
    for step in range(100):
        _, _, terminated, _, infos = env.step(actions_for(env.action_masks(), step))
        ends += terminated.sum()
        extra = infos.keys() - first.keys()  # Gymnasium has these only where a game has ended
        assert extra <= {"final_obs", "_final_obs", "final_info", "_final_info"}
        assert bool(extra) == (mode == "SameStep" and bool(terminated.any()))
        for name, value in first.items():
            assert (infos[name].shape, infos[name].dtype) == (value.shape, value.dtype)
    assert ends > 1
