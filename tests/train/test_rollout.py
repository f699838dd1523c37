"""Rollout policy iteration: which actions are tried, what is learnt from them, exact resuming."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch.optim.swa_utils import AveragedModel

from goldgriff.agents.checkpoints import load_network, save_network
from goldgriff.agents.network import ActionValueNetwork
from goldgriff.agents.registry import load_agent
from goldgriff.agents.value import KINDS, UNKNOWN, VALUE_SCALE, critic_spec
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.engine.preview import BASE_ACTION, ActionFeatures, action_spec
from goldgriff.envs.engine.protocol import Rows
from goldgriff.envs.engine.win_chances import win_probabilities
from goldgriff.envs.policy import ObservationBatch, observation_batch
from goldgriff.errors import SettingsError
from goldgriff.train.buffers import TriedActions
from goldgriff.train.rollout import Rollout, Samples, centred_loss, moving_average
from goldgriff.train.rollout_settings import RolloutSettings
from goldgriff.train.sparse import SparseNet

from .learners import same
from .small import new_envs, random_actions, tiny, train

EXPERT = load_agent("expert", AURUXXX)
MIDDLE = np.array([2**63], np.uint64)  # random bits with which the likeliest action is drawn
SMALL: dict[str, Any] = {
    "n_envs": 8,
    "n_steps": 8,
    "batch_size": 16,
    "buffer_size": 256,
    "hidden": [24],
    "critic_hidden": [24],
    "critic_timesteps": 0,
    "base_policy_timesteps": 0,
    "base_rollout_timesteps": 0,
}


def new_learner(*players: int, game: Game = AURUXXX, **more: Any) -> Rollout:
    """Make a learner in games with the `expert` in some seats."""
    settings = RolloutSettings(**(SMALL | more))
    expert = EXPERT if game is AURUXXX else load_agent("expert", game)
    envs = new_envs(*players, count=settings.n_envs, game=game, fixed_opponents=[expert])
    learner = Rollout(envs, settings)
    learner.begin()
    return learner


def averaged(average: AveragedModel) -> SparseNet:
    """Return the network that a moving average holds."""
    net = average.module
    assert isinstance(net, SparseNet)
    return net


def randomize(net: SparseNet, average: AveragedModel) -> None:
    """Give a network and its moving average the same random weights, none of them zero."""
    rng = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.uniform_(-0.1, 0.1, generator=rng)
    averaged(average).load_state_dict(net.state_dict())


def with_random_weights(*players: int, **more: Any) -> Rollout:
    learner = new_learner(*players, **more)
    randomize(learner.net, learner.average)
    randomize(learner.critic, learner.critic_average)
    learner._publish()
    return learner


def marked_decisions(tried: TriedActions) -> NDArray[np.bool_]:
    """Return for each decision whether one of its actions is marked as the base policy's."""
    starts = np.concatenate([[0], tried.sizes.numpy().cumsum()])
    places = tried.places.numpy().view(np.uint16)
    base_action = action_spec(AURUXXX).start("base_action")
    marks = np.add.reduceat(places == base_action, starts[:-1])
    counts = np.bincount(tried.rows.numpy(), marks)
    assert counts.max() <= 1
    marked: NDArray[np.bool_] = counts == 1
    return marked


# --- The same run, whatever interrupts it --------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "base_policy"), [("auruxxx", "random"), ("gluecksgriff", "expert")]
)
def test_updates_are_the_same_and_go_on_exactly(name: str, base_policy: str) -> None:
    """With samples that were played ahead, which a restart learns from first."""
    kind: dict[str, Any] = {"game": GAMES[name], "base_policy": base_policy}
    whole, again = (with_random_weights(2, 3, **kind) for _ in range(2))
    resumed = new_learner(2, 3, **kind)
    for _ in range(2):
        whole.update()
        again.update()
    assert same(whole.state(), again.state())
    file = io.BytesIO()
    torch.save(again.state(), file)
    resumed.restore(torch.load(io.BytesIO(file.getvalue()), weights_only=True))
    for _ in range(2):
        whole.update()
        resumed.update()
    assert same(whole.state(), resumed.state())
    assert whole.buffer.added > 32
    assert whole.num_timesteps == 4 * 64
    first, last = again.export(), resumed.export()
    assert all((a != b).any() for (a, _), (b, _) in zip(first.layers, last.layers, strict=True))


def test_the_base_policy_plays_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until its timesteps are over, later in rollouts; until the critic's, nothing is tried."""
    timesteps = {
        "critic_timesteps": 64,
        "base_policy_timesteps": 128,
        "base_rollout_timesteps": 192,
    }
    learner = with_random_weights(2, 4, **timesteps, epsilon=0.0, margin=0.0)
    envs, differs = learner.envs, []
    rollouts: dict[int, set[bool]] = {}
    step, choose, play_on = envs.step, learner._choose, learner._play_on

    def count_differences(actions: Rows) -> Any:
        observations = ObservationBatch(AURUXXX, *envs.observe(), MIDDLE.repeat(8))
        differs.append(int((actions != EXPERT.act(observations)).sum()))
        return step(actions)

    def record_rollouts(*arguments: Any, **options: Any) -> Rows:
        rollouts.setdefault(playing_at[0], set()).add(options["by_base"])
        return choose(*arguments, **options)

    def record_timesteps(timesteps: int) -> Samples:
        playing_at[0] = timesteps
        return play_on(timesteps)

    playing_at = [0]
    monkeypatch.setattr(envs, "step", count_differences)
    monkeypatch.setattr(learner, "_choose", record_rollouts)
    monkeypatch.setattr(learner, "_play_on", record_timesteps)
    decisions = []
    for _ in range(4):
        learner.update()
        decisions.append(learner.buffer.added)
    differs = np.array(differs).reshape(5, 8).sum(axis=1).tolist()  # one is played ahead
    assert differs[:2] == [0, 0]
    assert all(differs[2:])
    assert decisions[0] == 0
    assert decisions == sorted(set(decisions))
    assert rollouts == {64: {True}, 128: {True}, 192: {False}, 256: {False}}


# --- Trying actions -----------------------------------------------------------------------------


def test_tried_are_the_base_policys_action_a_random_one_and_the_best() -> None:
    learner = with_random_weights(3, n_envs=64, rollout_actions=3)
    rng = np.random.default_rng(1)
    for _ in range(6):
        learner.envs.step(random_actions(learner.envs.observe()[1], rng))
    batch = learner.envs.batches[0]
    observed = observation_batch(batch, batch.rows, MIDDLE.repeat(64), True)
    expert = EXPERT.act(observed)
    is_tried = np.arange(64) % 4 > 0
    choices = np.zeros(observed.masks.shape, np.bool_)
    (decisions,) = learner._decisions(learner.envs, batch.rows, np.ones(64, np.bool_))
    seen, sizes, places, numbers, predicted, is_marked = learner._features(
        decisions, is_tried, choices
    )
    counts, legal = choices.sum(axis=1), observed.masks.sum(axis=1)
    assert (observed.masks[choices] == 1).all()
    assert (counts == np.where(is_tried, np.minimum(legal, 3), 0)).all()
    assert choices[is_tried, expert[is_tried]].all()
    logits = np.where(observed.masks == 1, learner.policy.logits(observed), -np.inf)
    best = choices[batch.rows, logits.argmax(axis=1)]
    assert best[is_tried].mean() > 0.9  # rarely the third one is full
    others = choices & (observed.masks == 1)
    others[batch.rows, expert] = False
    ranks = (-logits).argsort(axis=1).argsort(axis=1)
    assert (ranks[others] > 3).any()
    assert len(seen) == is_tried.sum()
    assert len(sizes) == len(predicted) == choices.sum()
    rows, actions = choices.nonzero()
    assert (is_marked == (actions == expert[rows])).all()
    learned = predicted + np.where(is_marked, learner.policy.margin, 0)
    assert np.allclose(learned * 1000, logits[rows, actions], rtol=1e-4)
    assert len(places) == len(numbers) == sizes.sum()
    assert 0 < (places == BASE_ACTION).sum() < is_tried.sum()  # in about half
    assert is_marked[np.repeat(np.arange(len(sizes)), sizes)[places == BASE_ACTION]].all()
    states, whole = learner.policy.features(observed, expert)
    kept = choices[whole.rows, whole.actions]
    assert (seen == states[is_tried]).all()
    stays = np.repeat(kept, np.diff(whole.starts)) & (whole.places != BASE_ACTION)
    assert (places[places != BASE_ACTION] == whole.places[stays]).all()
    assert (numbers[places != BASE_ACTION] == whole.numbers[stays]).all()


def test_actions_are_tried_where_another_than_the_base_policys_is_valued_higher(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There always, elsewhere in a fraction of the decisions."""
    learner = with_random_weights(3, n_envs=64, rollout_fraction=0.0)
    try_actions, counts = learner._try, []

    def watch(decisions: Any, is_tried: NDArray[np.bool_], timesteps: int) -> Any:
        for part in decisions:
            values, each = part.table(), np.arange(len(part.places))
            base = values[each, part.base_actions].copy()
            values[each, part.base_actions] = -np.inf
            assert (is_tried[part.places] == (values.max(axis=1) > base)).all()
            counts.append((is_tried[part.places].sum(), len(each)))
        return try_actions(decisions, is_tried, timesteps)

    monkeypatch.setattr(learner, "_try", watch)
    learner.collect()
    tried, decisions = np.sum(counts, axis=0)
    assert 0 < tried < decisions


def test_what_is_done_at_random_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the random number is 0, once in many millions."""
    learner = new_learner(3)
    monkeypatch.setattr(learner, "_random", lambda count: np.zeros(count, np.float32))
    legal = np.eye(5, dtype=np.int8)
    assert (learner._noise(legal).argmax(axis=1) == np.arange(5)).all()


@pytest.mark.parametrize(("no_advice", "low", "high"), [(0, 1, 1), (0.5, 0.3, 0.7), (1, 0, 0)])
def test_the_base_policys_action_is_marked_in_a_part(
    no_advice: float, low: float, high: float
) -> None:
    learner = new_learner(3, no_advice=no_advice, n_envs=64, rollout_fraction=1.0)
    tried = learner.collect().tried
    marked = np.concatenate([marked_decisions(part) for part in tried])
    assert len(marked) > 100
    assert low <= marked.mean() <= high
    assert learner.export().advice == (no_advice < 1)


def test_samples_hold_the_values_of_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the features, in games of two sizes."""
    learner = new_learner(2, 3, rollout_fraction=1.0)

    def action_numbers(_: Any, choices: NDArray[np.bool_], *__: Any) -> NDArray[np.float32]:
        return choices.nonzero()[1].astype(np.float32)

    monkeypatch.setattr("goldgriff.train.rollout.roll_out", action_numbers)
    (*_, last) = learner.collect().tried
    places = last.places.numpy().view(np.uint16)
    field = action_spec(AURUXXX).range("action")
    is_action = (places >= field.start) & (places < field.stop)
    assert (places[is_action] - field.start == last.values.numpy()).all()
    assert last.rows[-1] == len(last.seen) - 1


# --- The base policy's margin --------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_an_untrained_agent_plays_as_the_base_policy(name: str, tmp_path: Path) -> None:
    """The learner as well, and the agent in a file."""
    learner = new_learner(2, 3, game=GAMES[name], margin=0.05, epsilon=0.0)
    save_network(tmp_path / "agent", learner.export(), GAMES[name], {})
    agents = [learner.export(), load_network(tmp_path / "agent", GAMES[name])]
    for _ in range(10):
        envs = learner.envs
        raw, legal = envs.observe()
        actions = learner._choose(envs, envs.rows, raw, legal, False)
        for batch, own, local in envs.parts(envs.rows):
            observed = observation_batch(batch, local, MIDDLE.repeat(len(local)), True)
            expert = learner.base_policy.policy.act(observed)
            assert (actions[own] == expert).all()
            assert all((agent.act(observed) == expert).all() for agent in agents)
        envs.step(actions)


def test_a_margin_is_what_another_action_must_be_better_by() -> None:
    differing = []
    for margin in (0.0, 0.05, 1.0):
        learner = with_random_weights(3, n_envs=64, margin=margin)
        envs = learner.envs
        raw, legal = envs.observe()
        actions = learner._choose(envs, envs.rows, raw, legal, False)
        observed = observation_batch(envs.batches[0], envs.rows, MIDDLE.repeat(64), True)
        expert = EXPERT.act(observed)
        states, features = learner.policy.features(observed, expert)
        values = np.full(legal.shape, -np.inf)
        values[features.rows, features.actions] = learner.policy.values(states, features)
        gains = values.max(axis=1) - values[envs.rows, expert]
        assert ((actions != expert) == (gains > margin)).all()
        differing.append((actions != expert).sum())
    assert differing[0] > differing[1] > differing[2]


# --- Learning ------------------------------------------------------------------------------------


def test_only_differences_between_the_actions_of_a_decision_are_learnt() -> None:
    rng = torch.Generator().manual_seed(1)
    rows = torch.tensor([0, 0, 0, 1, 2, 2])
    constant = torch.randn(3, generator=rng)[rows]
    assert float(centred_loss(constant, rows, 3)) == pytest.approx(0, abs=1e-10)
    errors = torch.tensor([3.0, 0.0, 0.0, 5.0, 1.0, -1.0])
    by_hand = (2.0**2 + 1 + 1 + 0 + 1 + 1) / 6
    assert float(centred_loss(errors + constant, rows, 3)) == pytest.approx(by_hand, rel=1e-5)


def one_feature(decisions: int, rng: np.random.Generator) -> TriedActions:
    """Return decisions with two actions, the second of which is better by 2: it has feature 5."""
    rows = np.repeat(np.arange(decisions), 2)
    noise = rng.normal(size=decisions).astype(np.float32)[rows]
    values = noise + np.tile([0, 2], decisions).astype(np.float32)
    sizes = np.tile([1, 2], decisions)
    places = np.tile([3, 3, 5], decisions).astype(np.int16)
    seen = rng.integers(0, 3, (decisions, len(state_scale())), dtype=np.uint8)
    arrays = seen, rows, values, sizes, places, np.ones_like(places)
    return TriedActions(*map(torch.from_numpy, arrays))


def state_scale() -> NDArray[np.float32]:
    return new_learner(2).net.scales[0]


def test_what_turns_out_well_is_preferred() -> None:
    learner, rng = new_learner(2, learning_rate=0.01), np.random.default_rng(1)
    learner.buffer.add(one_feature(128, rng))
    losses = [learner._fit_values(16 * 16) for _ in range(8)]
    assert losses[0] > 0.5
    assert losses[-1] < 0.1 * losses[0]
    unseen, features = one_feature(20, rng), np.tile([0, 1, 3], 20)
    starts = (features + np.repeat(3 * np.arange(20), 3))[features != 3]
    starts = np.append(starts, 60)
    actions = ActionFeatures(
        unseen.rows.numpy(),
        unseen.rows.numpy(),
        starts,
        unseen.places.numpy().view(np.uint16),
        unseen.numbers.numpy(),
    )
    with torch.no_grad():
        values = learner.net(unseen.seen.numpy(), actions)
    assert ((values[1::2] - values[::2]) - 2).abs().max() < 1


def test_the_critic_fits_its_targets() -> None:
    """With a seat's cards as the cost of a round, in states that it has not seen as well."""
    learner = new_learner(2, n_envs=128, critic_learning_rate=0.01)
    size = critic_spec(AURUXXX).start("hand_sizes")
    seen, unseen = (learner.collect().inputs.numpy() for _ in range(2))
    for _ in range(100):
        learner._fit_critic(seen, -torch.from_numpy(seen[:, size]).float())
    with torch.no_grad():
        wrong = learner.critic(unseen) + torch.from_numpy(unseen[:, size])
    assert float(wrong.square().mean()) < 0.2 * float(unseen[:, size].astype(float).var())


def test_averages_forget_their_first_weights() -> None:
    net = SparseNet(np.ones(2, np.float32), [2])
    average = moving_average(net, 0.5)
    kept = [0, 1 / 7, 2 / 8, 3 / 9, 4 / 10, 5 / 11, 0.5, 0.5]
    value = 9.0
    for weight, share in enumerate(kept):
        with torch.no_grad():
            net.bias.fill_(weight)
        average.update_parameters(net)
        value = share * value + (1 - share) * weight
        assert averaged(average).bias[0].item() == pytest.approx(value)


def test_agent_and_critic_are_the_averages() -> None:
    learner = new_learner(2)
    for _ in range(4):
        learner.update()
    for layers, net, average in (
        (learner.export().layers, learner.net, learner.average),
        (learner.values.layers, learner.critic, learner.critic_average),
    ):
        for (weight, bias), now, kept in zip(
            layers, net.export(), averaged(average).export(), strict=True
        ):
            assert (weight == kept[0]).all()
            assert (bias == kept[1]).all()
            assert (weight != now[0]).any()
    critic = learner.export().critic
    assert critic is learner.values
    assert critic.value_target == (200.0, 11.0)


# --- The critic ----------------------------------------------------------------------------------


def test_the_critic_is_told_who_sits_there_but_in_a_fifth_of_its_samples() -> None:
    """Versions of the learner, the first or second fixed opponent; in rollouts always."""
    opponents = [EXPERT, load_agent("hoarder", AURUXXX), EXPERT]
    envs = new_envs(2, 4, count=200, self_play=0.3, mixed=0.5, fixed_opponents=opponents)
    learner = Rollout(envs, RolloutSettings(**SMALL | {"n_envs": 200}))
    learner.begin()
    seats = envs.current_players
    hidden, told = (learner._critic_inputs(envs, envs.rows, seats, share) for share in (0.2, 0.0))
    spec, unknown, sat = critic_spec(AURUXXX), [], set()
    for row in range(200):
        players = 2 if row < 100 else 4
        for steps in range(1, 6):
            field = spec.range(f"kind_{steps}")
            if steps >= players:
                assert not told[row, field].any()
                assert not hidden[row, field].any()
                continue
            sits = envs.pool.members.get(int(envs.seating[row, (seats[row] + steps) % players]))
            kind = 1 + opponents.index(sits) if sits in opponents else 0
            sat.add(kind)
            assert told[row, field].tolist() == np.eye(KINDS)[kind].tolist()
            unknown.append(bool(hidden[row, field][UNKNOWN]))
            assert unknown[-1] or hidden[row, field][kind] == 1
    assert sat == {0, 1, 2}
    assert 0.12 < np.mean(unknown) < 0.28
    last = spec.range("kind_1").start + UNKNOWN
    assert 0.12 < learner.collect().inputs[:, last].float().mean() < 0.28


def test_values_of_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every seat gets its reward when a round ends: by the chance to win, less points."""
    envs = new_envs(2, 3, count=6, rounds=2, fixed_opponents=[EXPERT])
    learner = Rollout(envs, RolloutSettings(**SMALL, win_bonus=100.0, score_temperature=10.0))
    learner.begin()
    totals, seen = np.zeros((6, 3)), []

    def chances(points: NDArray[np.float64], rounds: int) -> NDArray[np.float64]:
        shares: NDArray[np.float64] = win_probabilities(points[None], np.array([rounds]), 10.0)[0]
        return shares

    add_rewards, rounds = learner._last_rewards, np.zeros(6, np.int64)

    def check(*arguments: Any) -> Any:
        rewards, ended = add_rewards(*arguments)
        assert (rewards[~ended] == 0).all()
        assert set(np.flatnonzero(ended)) == set(envs.ended_rounds.rows)
        for place, row in enumerate(envs.ended_rounds.rows):
            seats = 2 + int(row >= 3)
            points = envs.ended_rounds.points[place, :seats]
            before = totals[row, :seats].copy()
            totals[row, :seats] += points
            left = 2 - int(rounds[row])
            more = chances(totals[row, :seats], left - 1) - chances(before, left)
            won = (100 * more - points) / VALUE_SCALE
            assert rewards[row, :seats] == pytest.approx(won, abs=1e-4)
            assert (rewards[row, seats:] == 0).all()
            seen.append(left)
            rounds[row] += 1
            if rounds[row] == 2:
                rounds[row], totals[row] = 0, 0
        return rewards, ended

    monkeypatch.setattr(learner, "_last_rewards", check)
    for _ in range(60):
        learner.collect()
    assert min(seen.count(1), seen.count(2)) > 8


# --- Files ---------------------------------------------------------------------------------------


def test_the_exported_policy_takes_the_best_action(tmp_path: Path) -> None:
    """In a file as well, with its margin and its critic, from which another run starts."""
    learner = with_random_weights(3, 4)
    learner.update()
    learner.margin.value.fill_(0.3)
    learner._publish()
    envs, player = learner.envs, learner.export()
    path = tmp_path / "model.safetensors"
    save_network(path, player, AURUXXX, {})
    again = load_network(path, AURUXXX)
    assert isinstance(again, ActionValueNetwork)
    assert again.critic
    raw, legal = envs.observe()
    best = learner._choose(envs, envs.rows, raw, legal, False)
    seats = envs.current_players
    for batch, own, local in envs.parts(envs.rows):
        observed = observation_batch(batch, local, MIDDLE.repeat(len(local)), True)
        assert (again.act(observed) == best[own]).all()
        values = learner.values.evaluate(batch.states, local, seats[own])
        assert again.critic.evaluate(batch.states, local, seats[own]) == pytest.approx(values)
    started = new_learner(3, 4, initial_policy=str(path))
    assert started.policy.margin == again.margin == pytest.approx(0.3)
    assert new_learner(3, 4, initial_policy=str(path), margin=0.0).policy.margin == 0
    for own_layers, layers in (
        (started.export().layers, player.layers),
        (started.values.layers, learner.values.layers),
    ):
        for one, other in zip(own_layers, layers, strict=True):
            assert all(map(np.array_equal, one, other))


def test_another_kind_of_agent_is_no_initial_policy(tmp_path: Path) -> None:
    other = train(AURUXXX, "ppo", tiny("ppo", total_timesteps=128), tmp_path / "ppo")
    for name in ("expert", str(other)):
        with pytest.raises(
            SettingsError, match=r"^initial_policy must be an agent that .rollout. "
        ):
            new_learner(2, initial_policy=name)
    run = tiny("rollout", total_timesteps=128, hidden=[8])
    narrow = train(AURUXXX, "rollout", run, tmp_path / "narrow")
    settings = tiny("rollout", hidden=[9], initial_policy=str(narrow))
    with pytest.raises(SettingsError, match="initial_policy must have layers of the shapes") as bad:
        train(AURUXXX, "rollout", settings, tmp_path / "other")
    assert "\n" not in str(bad.value)
