"""Rollout policy iteration with the learner's own policy: rollouts, buffer, networks."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from goldgriff.agents.checkpoints import load_network, save_network
from goldgriff.agents.features.spec import find_feature_spec
from goldgriff.agents.network import ActionValueNetwork
from goldgriff.agents.registry import load_agent
from goldgriff.agents.value import VALUE_SCALE, ValueTarget, win_probabilities
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.protocol import Masks, RawObservations, Rows
from goldgriff.envs.policy import ObservationBatch
from goldgriff.envs.self_play import LEARNER
from goldgriff.train.buffers import ActionValueBuffer
from goldgriff.train.rollout import Rollout, RolloutSettings
from goldgriff.train.self_play import SelfPlayEnvs
from goldgriff.train.truncated_rollouts import play_as_seated, roll_out

from .small import new_envs, random_actions

FEATURES = find_feature_spec(AURUXXX)
EXPERT = load_agent("expert", AURUXXX)
SMALL: dict[str, Any] = {
    "n_envs": 8,
    "n_steps": 12,
    "batch_size": 8,
    "buffer_size": 64,
    "hidden": [24],
    "critic_hidden": [24],
    "base_policy_timesteps": 0,
}


def new_learner(*players: int, **more: Any) -> Rollout:
    """Make a learner in eight games of one round, the expert in some seats."""
    envs = new_envs(*players, rounds=1, fixed_opponents=[EXPERT])
    learner = Rollout(envs, RolloutSettings(**(SMALL | more)))
    learner.begin()
    return learner


def first_legal(_: RawObservations, legal: Masks) -> Rows:
    actions: Rows = legal.argmax(axis=1)
    return actions


def choices_in(envs: SelfPlayEnvs) -> NDArray[np.bool_]:
    choices: NDArray[np.bool_] = envs.observe()[1] == 1
    return choices


@pytest.mark.parametrize("decisions", [1, 3, 1000])
def test_actions_are_tried_in_copies_as_seated(decisions: int) -> None:
    """Results are the same decision by decision, whether the round or the rollout ends first."""
    envs = new_envs(2, 3, count=6, rounds=2, fixed_opponents=[EXPERT])
    for number in envs.pool.members:
        envs.pool.members[number] = EXPERT
    rng, ended, went_on, learners = np.random.default_rng(1), 0, 0, 0
    while (envs.column("round_index") == 0).any():  # by now everybody has points
        envs.step(random_actions(envs.observe()[1], rng))
    choices = choices_in(envs)
    before = [batch.states.tobytes() for batch in envs.batches]
    target = ValueTarget(100.0, 10.0)
    results = roll_out(envs, choices, decisions, play_as_seated(first_legal, target, FEATURES))
    assert before == [batch.states.tobytes() for batch in envs.batches]
    for place, (env, action) in enumerate(zip(*choices.nonzero(), strict=True)):
        game = envs.batches[env // 3].copy(np.array([env % 3]))
        seating = envs.seating[env]
        seat, start = int(game.current_players[0]), int(game.states["round_index"][0])
        had, left = game.points()[0, seat], decisions
        game.step([action])
        while not game.over[0] and game.states["round_index"][0] == start:
            raw, legal = game.observe(game.current_players)
            left -= int(game.current_players[0] == seat and legal.sum() > 1)
            if not left:
                break
            learns = seating[game.current_players[0]] == LEARNER
            learners += int(learns)
            observations = ObservationBatch(AURUXXX, raw, legal, np.zeros(1, np.uint64))
            game.step(first_legal(raw, legal) if learns else EXPERT.act(observations))
        assert results.running[place] == (left == 0)
        if left == 0:
            assert results.rewards[place] == 0
            assert (results.raw[place] == game.observe([seat])[0][0]).all()
            hands = game.hidden_hands([seat], others=envs.max_players - 1)
            assert (results.hands[place] == hands[0]).all()
            others = np.delete(seating, seat)
            assert results.opponents[place] == max(others)
            went_on += 1
            continue
        if game.over[0]:
            chance = game.win_shares()[0, seat]
        else:
            chance = win_probabilities(game.points(), np.array([1]), 10.0)[0, seat]
        value = (100 * chance - (game.points()[0, seat] - had)) / VALUE_SCALE
        assert results.rewards[place] == pytest.approx(value, rel=1e-5)
        ended += 1
    assert (ended > 8) == (decisions == 1000)
    assert (went_on > 8) == (decisions < 1000)
    assert learners > 8


def test_win_probabilities() -> None:
    points = np.array([[10.0, 20.0, 30.0], [10.0, 20.0, 30.0], [5.0, 5.0, 5.0]])
    probabilities = win_probabilities(points, np.array([1, 4, 2]), 10.0)
    assert probabilities.sum(axis=1) == pytest.approx(1.0)
    assert probabilities[0, 0] / probabilities[0, 1] == pytest.approx(
        np.e
    )  # ten points less, a round to go
    assert probabilities[1, 0] / probabilities[1, 2] == pytest.approx(
        np.e
    )  # four rounds: as twice the points
    assert probabilities[2] == pytest.approx(1 / 3)
    far = win_probabilities(np.array([[0.0, 1e6]]), np.array([1]), 1.0)
    assert far.tolist() == [[1.0, 0.0]]
    over = win_probabilities(np.array([[3.5, 9.0, 3.5, np.inf]]), np.array([0]), 10.0)
    assert over.tolist() == [[0.5, 0.0, 0.5, 0.0]]  # the winners share; nobody sits in the last


def test_the_newest_action_values_are_kept() -> None:
    buffer = ActionValueBuffer(4, 3, 2, torch.device("cpu"))
    for value in range(3):  # each time two decisions, with three actions and with one
        decisions = np.array([0, 0, 0, 1])
        features = torch.full((4, 2), value, dtype=torch.uint8)
        buffer.add(decisions, features, torch.full((4,), float(value)))
    assert buffer.added == 6
    assert buffer.filled == 4
    assert buffer.values[:, 0].tolist() == [2.0, 2.0, 1.0, 1.0]
    assert buffer.features[:, 0, 1].tolist() == [2, 2, 1, 1]
    assert buffer.tried.sum(dim=1).tolist() == [3, 1, 3, 1]
    again = ActionValueBuffer(4, 3, 2, torch.device("cpu"))
    again.restore(buffer.state())
    assert again.added == 6
    assert (again.values == buffer.values).all()
    again.add(np.array([0]), features[:1], torch.ones(1))
    assert again.tried[2].tolist() == [True, False, False]  # the old ones are gone


def test_the_base_policys_action_is_always_tried_and_never_too_many() -> None:
    learner, rng = new_learner(3, rollout_actions=3), np.random.default_rng(1)
    legal = (rng.random((200, 87)) < 0.1).astype(np.int8)
    legal[:, :2] = 1
    values = np.where(legal == 1, rng.normal(size=legal.shape), -np.inf).astype(np.float32)
    base_actions = random_actions(legal, rng)
    chosen = learner._choose(values, base_actions, legal)
    rows = np.arange(200)
    assert (legal[chosen] == 1).all()
    assert chosen[rows, base_actions].all()
    assert (chosen.sum(axis=1) == np.minimum(3, legal.sum(axis=1))).mean() > 0.95
    best = values.argmax(axis=1)
    assert chosen[rows, best].mean() > 0.9  # except where base and random action are two others
    other = (rows[:, None] * 0 + values.argsort(axis=1))[:, 60:]
    assert chosen[rows[:, None], other].any()


def test_what_is_done_at_random_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the random number is 0, once in many millions."""
    learner = new_learner(3)
    monkeypatch.setattr(learner, "_random", lambda count: np.zeros(count, np.float32))
    legal = np.eye(5, dtype=np.int8)
    assert (learner._noise(legal).argmax(axis=1) == np.arange(5)).all()


def test_only_differences_between_the_actions_of_a_decision_are_learnt() -> None:
    learner = new_learner(2)
    rng = torch.Generator().manual_seed(1)
    numbers = torch.randint(0, 9, (16, 4, learner.buffer.features.shape[2]), generator=rng)
    numbers = numbers.to(torch.uint8)
    filled = torch.rand(16, 4, generator=rng) < 0.7
    filled[:, 0] = True
    with torch.no_grad():
        values = learner.net(numbers) + torch.rand(16, 1, generator=rng)
        right = learner._loss(numbers, filled, values)
        values[3, 0] += 1.0
        filled[3, 1] = True
        wrong = learner._loss(numbers, filled, values)
        unseen = torch.where(filled, values, 99.0)
        assert torch.equal(learner._loss(numbers, filled, unseen), wrong)
    assert float(right) == pytest.approx(0, abs=1e-9)
    assert float(wrong) > 0.001


def test_what_turns_out_well_is_done() -> None:
    """The first feature decides the value; the network learns it."""
    learner = new_learner(2, batch_size=64, learning_rate=0.01)
    width = learner.buffer.features.shape[2]
    rng = torch.Generator().manual_seed(1)
    for _ in range(8):
        numbers = torch.randint(0, 2, (32, width), generator=rng).to(torch.uint8)
        decisions = np.arange(32) // 4
        noise = torch.randn(8, generator=rng).repeat_interleave(4)
        learner.buffer.add(decisions, numbers, numbers[:, 0].float() + noise)
    losses = [learner._learn(64 * 20) for _ in range(5)]
    assert losses[-1] < 0.1 * losses[0]
    one = learner.buffer.features[0, 0].clone()
    with torch.no_grad():
        one[0] = 0
        low = float(learner.net(one))
        one[0] = 1
        assert float(learner.net(one)) - low == pytest.approx(1.0, abs=0.4)


def test_the_base_policy_plays_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until its timesteps are over; nothing is tried until then."""
    learner = new_learner(2, 4, base_policy_timesteps=1, epsilon=0.0)
    envs, differs = learner.envs, [0]
    step = envs.step

    def stepped(actions: Rows) -> Any:
        observations = ObservationBatch(AURUXXX, *envs.observe(), np.zeros(8, np.uint64))
        differs[0] += int((actions != EXPERT.act(observations)).sum())
        return step(actions)

    monkeypatch.setattr(envs, "step", stepped)
    learner.update()
    assert (differs[0], learner.buffer.added) == (0, 0)
    learner.update()
    assert differs[0] > 0
    assert learner.buffer.added > 8


def test_rewards_of_a_round() -> None:
    """Every seat gets its reward when a round ends: by the probability of winning, less points."""
    envs = new_envs(2, 3, count=6, rounds=2, fixed_opponents=[EXPERT])
    learner = Rollout(envs, RolloutSettings(**SMALL, win_bonus=100.0, score_temperature=10.0))
    rng, rounds, games = np.random.default_rng(1), 0, 0
    for _ in range(1300):
        before = envs.column("round_index")
        _, over = envs.step(random_actions(envs.observe()[1], rng))
        rewards, ended = learner.rounds.last_rewards(over)
        assert (ended == (over | (envs.column("round_index") != before))).all()
        assert (rewards[~ended] == 0).all()
        for row in np.flatnonzero(ended & ~over):
            seats = 2 + row // 3
            totals = envs.batches[row // 3].points()[row % 3]
            chance = win_probabilities(totals[None], np.array([1]), 10.0)[0]
            assert rewards[row, :seats] * VALUE_SCALE == pytest.approx(
                100 * chance - totals, abs=1e-3
            )
            rounds += 1
        for place, row in enumerate(envs.ended_rounds.rows):
            if over[row]:
                totals = envs.ended_rounds.totals[place]
                shares = (totals == totals.min()) / (totals == totals.min()).sum()
                seats = 2 + row // 3
                wanted = 100 * shares[:seats] - envs.ended_rounds.points[place, :seats]
                assert rewards[row, :seats] * VALUE_SCALE == pytest.approx(wanted, abs=1e-3)
                games += 1
    assert rounds > 8
    assert games > 8


def test_rollouts_are_valued_by_the_scores_or_else_by_the_critic() -> None:
    """With a critic that always says 3."""
    envs = new_envs(3, count=24, rounds=2, fixed_opponents=[EXPERT])
    learner = Rollout(envs, RolloutSettings(**SMALL | {"n_envs": 24}, win_bonus=100.0))
    with torch.no_grad():
        learner.rounds.critic.head.weight.zero_()
        learner.rounds.critic.head.bias.fill_(3.0)
    rng = np.random.default_rng(1)
    for _ in range(40):
        envs.step(random_actions(envs.observe()[1], rng))
    play = play_as_seated(first_legal, learner.rounds.target, FEATURES)
    results = roll_out(envs, choices_in(envs), 40, play)
    values, running = learner.rounds.rollout_values(results), results.running
    assert running.any()
    assert not running.all()
    assert (values[running] == 3.0).all()
    assert (values[~running] == results.rewards[~running]).all()


def test_the_critic_is_given_the_kind_of_opponent() -> None:
    """One-hot: a version of the learner, or which of the fixed opponents."""
    opponents = [EXPERT, load_agent("hoarder", AURUXXX), EXPERT]
    envs = new_envs(2, 4, count=40, self_play=0.3, fixed_opponents=opponents)
    learner = Rollout(envs, RolloutSettings(**SMALL | {"n_envs": 40}))
    inputs = learner.rounds.encode(envs.observe()[0], envs.hidden_hands(), envs.single_opponents)
    kinds = inputs[:, learner.features.state_spec.size :].numpy()
    assert kinds.shape == (40, 3)
    for row in range(40):
        seating = envs.seating[row]
        sits = [envs.pool.members.get(int(number)) for number in seating]
        names = [rival in sits for rival in opponents[:2]]
        assert kinds[row].tolist() == [not any(names), *names]
    assert (kinds.sum(axis=0) > 3).all()
    assert learner.critic.scale.shape == inputs.shape[1:]


def test_values_depend_on_the_kind_of_opponent() -> None:
    """In rollouts and for seats, with a critic that returns the kind that it is given."""
    opponents = [EXPERT, load_agent("hoarder", AURUXXX)]
    envs = new_envs(3, count=24, self_play=0.3, fixed_opponents=opponents)
    learner = Rollout(envs, RolloutSettings(**SMALL | {"n_envs": 24}))
    critic = learner.rounds.critic
    with torch.no_grad():
        for layer in critic.layers:
            layer.weight.zero_()
            layer.bias.zero_()
        critic.layers[0].weight[0, -3:] = torch.arange(3.0)
        critic.head.weight[0, 0] = 1.0
    kinds = envs.pool.kinds_of(envs.single_opponents)
    assert set(kinds) == {0, 1, 2}
    for seat in range(3):
        assert (learner.rounds.values_of(seat) == kinds).all()
    choices = choices_in(envs)
    play = play_as_seated(first_legal, learner.rounds.target, FEATURES)
    results = roll_out(envs, choices, 1, play)
    wanted = kinds[choices.nonzero()[0]][results.running]
    assert (learner.rounds.rollout_values(results)[results.running] == wanted).all()
    assert len(wanted) > 24


def test_an_agent_keeps_the_critic_as_with_the_first_fixed_opponent(tmp_path: Path) -> None:
    """In a file as well; a search uses it."""
    opponents = [EXPERT, load_agent("hoarder", AURUXXX)]
    envs = new_envs(3, count=24, fixed_opponents=opponents)
    learner, path = Rollout(envs, RolloutSettings(**SMALL | {"n_envs": 24})), tmp_path / "one"
    raw, hands = envs.observe()[0], envs.hidden_hands()
    rounds, first = learner.rounds, np.zeros(24, np.int64)
    wanted = rounds.values(rounds.encode(raw, hands, first))
    assert (wanted != rounds.values(rounds.encode(raw, hands, first + 1))).all()
    save_network(path, learner.export(), AURUXXX, {})
    player = load_network(path, AURUXXX)
    assert isinstance(player, ActionValueNetwork)
    assert player.critic
    assert player.critic.evaluate(raw, hands) == pytest.approx(wanted, abs=1e-5)
    assert player.critic.value_target == (200.0, 11.0)


def test_the_critic_fits_its_targets() -> None:
    """With a seat's cards as the cost of a round, in states that it has not seen as well."""
    learner = new_learner(2, n_steps=100, critic_learning_rate=3e-3, batch_size=32)
    size = learner.features.state_spec.start("sizes")
    seen, unseen = (learner.collect()[0] for _ in range(2))
    for _ in range(20):
        learner._learn_critic(seen, -seen[:, size].float())
    with torch.no_grad():
        wrong = learner.critic(unseen) + unseen[:, size]
    assert float(wrong.square().mean()) < 0.1 * float(unseen[:, size].float().var())


def test_rollouts_are_valued_by_a_moving_average_of_the_critic() -> None:
    learner, seen = new_learner(2, base_policy_timesteps=10_000, critic_ema_decay=0.75), []
    for _ in range(3):
        learner.update()
        seen.append(learner.critic.head.weight.detach().clone())
    wanted = 0.75 * (0.75 * seen[0] + 0.25 * seen[1]) + 0.25 * seen[2]
    assert torch.allclose(learner.rounds.critic.head.weight, wanted)
    assert not torch.allclose(learner.critic.head.weight, wanted)


def test_the_exported_policy_takes_the_best_action(tmp_path: Path) -> None:
    learner = new_learner(3, 4)
    learner.update()
    raw, legal = learner.envs.observe()
    observations = ObservationBatch(AURUXXX, raw, legal, np.zeros(8, np.uint64))
    player, best = learner.export(), learner._greedy(raw, legal)
    liked = np.where(legal == 1, player.logits(observations), -np.inf)
    assert (liked.argmax(axis=1) == best).all()
    path = tmp_path / "model.safetensors"
    save_network(path, player, AURUXXX, {})
    again = load_agent(str(path), AURUXXX)
    assert (again.act(observations) == player.act(observations)).all()
    assert learner.state()["buffer"]["added"] == learner.buffer.added > 0
