"""Rollout policy iteration with a base policy: rollouts, initial policy, updates."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from goldgriff.agents.checkpoints import save_network
from goldgriff.agents.ensemble import PlayerCountEnsemble
from goldgriff.agents.registry import load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch
from goldgriff.envs.engine.kernels import draw_random_bits
from goldgriff.envs.policy import CompiledPolicy, ObservationBatch
from goldgriff.errors import SettingsError
from goldgriff.train.lookahead import Lookahead, LookaheadSettings, Samples, logit_directions
from goldgriff.train.self_play import SelfPlayEnvs
from goldgriff.train.truncated_rollouts import play_base_policy, roll_out

from .small import new_envs, random_actions

EXPERT = load_agent("expert", AURUXXX)
SMALL: dict[str, Any] = {
    "n_envs": 8,
    "n_steps": 16,
    "batch_size": 64,
    "hidden": [24],
    "critic_hidden": [24],
}


def new_learner(*players: int, **more: Any) -> Lookahead:
    """Make a learner in eight games of one round."""
    learner = Lookahead(new_envs(*players, rounds=1), LookaheadSettings(**(SMALL | more)))
    learner.begin()
    return learner


def choices_in(envs: SelfPlayEnvs) -> NDArray[np.bool_]:
    _, masks = envs.observe()
    choices: NDArray[np.bool_] = (masks == 1) & (masks.sum(axis=1, keepdims=True) > 1)
    return choices


def tried_by_hand(batch: Batch, row: int, action: int, decisions: int) -> tuple[float, Batch]:
    """Return the rewards, and the game played decision by decision in a copy."""
    game = batch.copy(np.array([row]))
    seat, made, rewards = int(game.current_players[0]), 0, 0.0
    counts = np.zeros((1, game.settings.num_players), np.int64)
    game.step([action])
    while True:
        rewards += float(game.rewards[0, seat])
        made += int(game.current_players[0] == seat)
        if game.over[0] or made == decisions:
            return rewards, game
        bits = np.empty(1, np.uint64)
        draw_random_bits(game.states, np.array([0]), counts, bits)
        game.step(EXPERT.act(ObservationBatch(AURUXXX, *game.observe(game.current_players), bits)))


@pytest.mark.parametrize("decisions", [1, 4, 1000])
def test_actions_are_tried_in_copies_that_the_base_policy_plays_on(decisions: int) -> None:
    envs = new_envs(2, 3, count=6, rounds=1)
    rng = np.random.default_rng(1)
    assert isinstance(EXPERT, CompiledPolicy)
    checked = ended = 0
    for _ in range(12):
        choices = choices_in(envs)
        before = [batch.states.tobytes() for batch in envs.batches]
        results = roll_out(envs, choices, decisions, play_base_policy(EXPERT.policy_function))
        assert before == [batch.states.tobytes() for batch in envs.batches]
        for place, (row, action) in enumerate(zip(*choices.nonzero(), strict=True)):
            batch = envs.batches[row // 3]
            rewards, game = tried_by_hand(batch, row % 3, int(action), decisions)
            seat = batch.current_players[row % 3]
            assert results.rewards[place] == pytest.approx(rewards, abs=1e-6)
            assert results.running[place] == (not game.over[0])
            raw, _ = game.observe([seat])
            np.testing.assert_array_equal(results.raw[place], raw[0])
            hands = game.hidden_hands([seat], others=envs.max_players - 1)
            np.testing.assert_array_equal(results.hands[place], hands[0])
            checked, ended = checked + 1, ended + int(game.over[0])
        _, masks = envs.observe()
        envs.step(random_actions(masks, rng))
    assert checked > 100
    assert (ended == checked) if decisions == 1000 else (0 <= ended < checked)


def test_logits_do_not_move_where_there_is_no_choice() -> None:
    samples = new_learner(2, 4)._collect(imitates=False)
    directions, masks = samples.directions, samples.masks
    free = masks.sum(dim=1) > 1
    assert free.any()
    assert not free.all()
    assert (directions[~masks] == 0).all()
    assert (directions[~free] == 0).all()
    assert directions.sum(dim=1).abs().max() < 1e-5
    assert (directions[free].abs().sum(dim=1) > 0).float().mean() > 0.9


def test_a_step_in_which_nobody_has_a_choice_teaches_nothing() -> None:
    learner = new_learner(2)
    _, legal = learner.envs.observe()
    forced = np.zeros_like(legal)
    forced[:, 0] = 1
    assert (learner._try(forced, torch.zeros(forced.shape)) == 0).all()


def test_an_initial_policy_waits_for_the_critic(tmp_path: Path) -> None:
    first = new_learner(2)
    first.update()
    path = tmp_path / "model.safetensors"
    save_network(path, first.export(), AURUXXX, {})
    second = new_learner(2, initial_policy=str(path), imitation_timesteps=128)
    critic = second.critic.head.bias.clone()
    for learnt in (False, True):
        second.update()
        for mine, given in zip(second.export().layers, first.export().layers, strict=True):
            if learnt:
                assert (mine[0] != given[0]).any()
            else:
                np.testing.assert_allclose(mine[0], given[0], rtol=1e-5)
        assert (second.critic.head.bias != critic).all()


def test_an_initial_policy_must_fit(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    save_network(path, new_learner(2).export(), AURUXXX, {})
    with pytest.raises(SettingsError, match="must have layers of the shapes"):
        new_learner(2, initial_policy=str(path), hidden=[25])
    for initial, base in (("random", "expert"), (str(path), "thief")):
        with pytest.raises(SettingsError, match=f"one trained network .* base policy '{base}'"):
            new_learner(2, initial_policy=initial, base_policy=base)


def test_the_champion_gives_its_network_for_the_number_of_players() -> None:
    champion = load_agent("champion", AURUXXX)
    assert isinstance(champion, PlayerCountEnsemble)
    learner = new_learner(2, initial_policy="champion", hidden=[256, 256])
    for mine, given in zip(
        learner.export().layers, champion.for_num_players(2).layers, strict=True
    ):
        np.testing.assert_allclose(mine[0], given[0], rtol=1e-5)
    with pytest.raises(SettingsError, match=r"for all numbers of players .* not 'champion'"):
        new_learner(2, 4, initial_policy="champion", hidden=[256, 256])
    with pytest.raises(SettingsError, match="'champion' is one that values actions one by one"):
        new_learner(4, initial_policy="champion", hidden=[256, 256])


def test_a_value_is_the_rewards_and_the_critics_value() -> None:
    """With a critic that always says 3, a running game adds as much, discounted."""
    learner = new_learner(2, ent_coef=0.0, gamma=0.5, rollout_decisions=4)
    with torch.no_grad():
        learner.critic.head.weight.zero_()
        learner.critic.head.bias.fill_(3.0)
        envs = learner.envs
        _, legal = envs.observe()
        choices = choices_in(envs)
        results = roll_out(envs, choices, 4, learner.play)
        values = torch.zeros(choices.shape)
        values[torch.from_numpy(choices)] = torch.from_numpy(
            results.rewards + np.where(results.running, 1.5, 0).astype(np.float32)
        )
        even = torch.from_numpy(choices).float()
        even /= even.sum(dim=1, keepdim=True).clamp(min=1)
        directions = learner._try(legal, even.clamp(min=1e-9).log())
    torch.testing.assert_close(directions, logit_directions(values, even), atol=1e-6, rtol=0)


def test_logits_move_with_advantages_and_less_where_unlikely() -> None:
    values = torch.tensor([[1.0, 2.0, 3.0, 9.0], [5.0, -5.0, 0.0, 0.0]])
    probabilities = torch.tensor([[0.5, 0.3, 0.2, 0.0], [0.998, 0.002, 0.0, 0.0]])
    directions = logit_directions(values, probabilities)
    torch.testing.assert_close(directions[0], torch.tensor([-1.0, 0.0, 1.0, 0.0]))
    # A tenth of FULL_SPEED_PROBABILITY: the bad action's logit falls a tenth as fast.
    loss = 10 * 0.998 / 10
    up = 10 * 0.002
    spare = (up - loss) / 1.1
    torch.testing.assert_close(
        directions[1], torch.tensor([up - spare, -loss - spare / 10, 0.0, 0.0])
    )


def test_ent_coef_moves_logits_towards_even_probabilities() -> None:
    learner = new_learner(2)
    _, legal = learner.envs.observe()
    masks = torch.from_numpy(legal).bool()
    logs = torch.rand(masks.shape).masked_fill(~masks, -1e8).log_softmax(dim=1)
    cold, warm = (
        new_learner(2, ent_coef=coefficient)._try(legal, logs).detach()
        for coefficient in (0.0, 1.0)
    )
    directions = (warm - cold)[masks.sum(dim=1) > 1]
    likely = logs[masks.sum(dim=1) > 1]
    for row, probabilities in zip(directions, likely, strict=True):
        legal_ones = probabilities > -1e7
        assert row[legal_ones].argmax() == probabilities[legal_ones].argmin()


def test_it_imitates_the_base_policy_first() -> None:
    learner = new_learner(2, 4, learning_rate=0.01, imitation_timesteps=4096, hidden=[64])
    shares = []
    for _ in range(32):
        samples = learner._collect(imitates=True)
        assert (samples.directions == 0).all()
        with torch.no_grad():
            logs = learner._logs(samples.raw, samples.base_actions, samples.masks)
        shares.append(float((logs.exp() * samples.base_actions).sum(dim=1).mean()))
        learner.update()
    assert shares[0] < 0.6
    assert 0.75 < shares[-1] < 0.95  # on the way to 0.9, and 1 where a move is forced


def test_probabilities_move_with_the_directions_until_they_are_clipped() -> None:
    learner = new_learner(2, 4, learning_rate=0.01, imitation_timesteps=0, log_ratio_clip=0.2)
    samples = learner._collect(imitates=False)
    free = samples.masks.sum(dim=1) > 1
    directions = torch.where(samples.base_actions.bool(), -1.0, 1.0) * samples.masks
    directions = directions - directions.sum(dim=1, keepdim=True) / samples.masks.sum(
        dim=1, keepdim=True
    )
    directions = directions * (samples.masks & free[:, None])
    against = samples._replace(directions=directions)

    def share(of: Samples) -> float:
        with torch.no_grad():
            logs = learner._logs(of.raw, of.base_actions, of.masks)
        return float((logs.exp() * of.base_actions).sum(dim=1)[free].mean())

    before = share(against)
    learner._learn(against, imitates=False)
    assert share(against) < before - 0.01
    logs = learner._logs(against.raw, against.base_actions, against.masks)
    far = against._replace(logs=logs.detach() - directions.sign())
    learner.optimizer.zero_grad()
    torch.autograd.backward(learner._policy_loss(far, logs, 1.0))
    weight = learner.policy.head.weight.grad
    assert weight is not None
    assert float(weight.abs().max()) == 0


def test_the_exported_policy_asks_the_base_policy() -> None:
    """Its probabilities are the same, though it is not given the base policy's actions."""
    learner = new_learner(3, 4, inverse_temperature=1)
    samples = learner._collect(imitates=True)
    policy = learner.export()
    assert policy.base_policy is not None
    assert policy.base_policy.name == "expert"
    raw = samples.raw[:8].numpy()
    masks = samples.masks[:8].numpy().astype(np.int8)
    observations = ObservationBatch(AURUXXX, raw, masks, np.zeros(8, np.uint64))
    base_actions = torch.from_numpy(policy.base_policy.one_hot_actions(observations))
    with torch.no_grad():
        logs = learner._logs(torch.from_numpy(raw), base_actions, samples.masks[:8])
    np.testing.assert_allclose(
        policy.action_probabilities(observations), logs.exp().numpy(), atol=1e-4
    )
    others = samples.hands.flip(0)
    with torch.no_grad():
        values = learner._values(samples.raw, samples.hands)
        elsewhere = learner._values(samples.raw, others)
    assert ((values - elsewhere).abs() > 1e-6).float().mean() > 0.5
