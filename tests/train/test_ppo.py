"""PPO with all seats learning: masks, inputs of critic and actor, the teacher."""

from typing import Any

import numpy as np
import pytest
import torch

from goldgriff.agents.registry import load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.policy import ObservationBatch
from goldgriff.train.networks import sample_actions
from goldgriff.train.ppo import PPO, PPOSettings, Samples

from .learners import same
from .small import new_envs


def new_learner(*players: int, **more: Any) -> PPO:
    """PPO in eight games of one round."""
    usual: dict[str, Any] = {"n_envs": 8, "n_steps": 16, "batch_size": 64, "hidden": [24]}
    learner = PPO(new_envs(*players, rounds=1), PPOSettings(**(usual | more)))
    learner.begin()
    return learner


def collect(learner: PPO) -> Samples:
    samples: Samples = learner.collect()
    return samples


def test_only_legal_actions_are_played_and_counted() -> None:
    """Even when the network would far rather take others: `Tables.step` refuses illegal ones."""
    learner = new_learner(2, 4)
    with torch.no_grad():
        bias = learner.net.actor.bias
        bias.copy_(100 * torch.rand(bias.shape, generator=torch.Generator().manual_seed(1)))
    samples = collect(learner)
    assert len(samples.actions) == 8 * 16
    chosen = samples.masks.gather(1, samples.actions[:, None])
    assert chosen.all()
    assert (samples.logs > -100).all()
    logits = learner.net.actor(learner.net.features(samples.raw)).detach()
    entropies = []
    for row, legal in zip(logits, samples.masks, strict=True):
        probabilities = row[legal].softmax(dim=0)
        entropies.append(-torch.xlogy(probabilities, probabilities).sum())
    _, figures = learner._loss(samples, imitates=False)
    assert float(figures["train/entropy_loss"].detach()) == pytest.approx(
        -float(torch.stack(entropies).mean()), abs=1e-3
    )


def test_actions_are_drawn_by_their_probabilities() -> None:
    learner = new_learner()
    with torch.no_grad():
        learner.net.actor.weight.mul_(200)
    raw, masks = (torch.from_numpy(a[:1].repeat(8000, 0)) for a in learner.envs.observe())
    hands = torch.from_numpy(learner.envs.hidden_hands()[:1].repeat(8000, 0))
    with torch.no_grad():
        logs, _ = learner.net(raw, masks.bool(), hands)
        actions = sample_actions(logs, learner.rng)
    seen = torch.bincount(actions, minlength=len(AURUXXX.actions)) / 8000
    assert (seen - logs[0].exp()).abs().max() < 0.03
    assert (seen > 0).sum() > 1


def test_the_critic_sees_the_other_hands_and_the_policy_does_not() -> None:
    learner = new_learner(3, 4)
    hands = learner.envs.hidden_hands()
    samples = collect(learner)
    np.testing.assert_array_equal(samples.hands[:8].numpy(), hands)
    with torch.no_grad():
        logs, values = learner.net(samples.raw, samples.masks, samples.hands)
        same, others = learner.net(samples.raw, samples.masks, samples.hands.flip(0))
    assert torch.equal(logs, same)
    assert ((values - others).abs() > 1e-6).float().mean() > 0.5
    observations = ObservationBatch(
        AURUXXX,
        samples.raw.numpy(),
        samples.masks.numpy().astype(np.int8),
        np.zeros(len(samples.masks), np.uint64),
    )
    logits = torch.from_numpy(learner.export().logits(observations)).masked_fill(
        ~samples.masks, -1e8
    )
    torch.testing.assert_close(logits.log_softmax(dim=1), logs, rtol=0.02, atol=0.02)
    assert len(learner.export().layers) == 2


def test_the_critic_learns_the_value_of_hands() -> None:
    """Training on fixed returns that depend on the other hands alone brings the critic to them."""
    learner = new_learner(learning_rate=0.01, n_epochs=60)
    samples = collect(learner)
    held = samples.hands.float().flatten(1).sum(dim=1)
    samples = samples._replace(returns=(held - held.mean()) / held.std())
    learner._learn(samples, imitates=True)
    with torch.no_grad():
        _, values = learner.net(samples.raw, samples.masks, samples.hands)
    assert float((values - samples.returns).square().mean()) < 0.3  # of a variance of 1


def agreement(learner: PPO) -> float:
    """Return how often the policy's likeliest action is the expert's, in random games."""
    envs = new_envs(count=200, rounds=1)
    raw, masks = envs.observe()
    for _ in range(4):
        envs.step(masks.argmax(axis=1))
        raw, masks = envs.observe()
    observations = ObservationBatch(AURUXXX, raw, masks, np.arange(200, dtype=np.uint64))
    logits = np.where(masks == 1, learner.export().logits(observations), -np.inf)
    expert = load_agent("expert", AURUXXX).act(observations)
    return float((logits.argmax(axis=1) == expert).mean())


def test_a_teacher_is_learnt_from_and_then_left() -> None:
    lessons = 20 * 128
    learner = new_learner(
        teacher="expert", teacher_timesteps=lessons, learning_rate=0.005, n_epochs=4, hidden=[64]
    )
    before, first = agreement(learner), learner.update()
    while learner.num_timesteps < lessons:
        last = learner.update()
    assert last["train/imitation_loss"] < 0.8 * first["train/imitation_loss"]
    assert agreement(learner) > before + 0.1
    figures = learner.update()
    assert "train/imitation_loss" not in figures
    assert abs(figures["train/policy_gradient_loss"]) < 0.3


def test_learning_raises_the_chances_of_what_did_well() -> None:
    freely = {"ent_coef": 0, "vf_coef": 0, "learning_rate": 0.003, "clip_range": 1}
    learner = new_learner(**freely, n_epochs=2)
    samples = collect(learner)
    samples = samples._replace(advantages=samples.actions.float() % 2)  # odd actions did
    learner._learn(samples, imitates=False)
    with torch.no_grad():
        logs, _ = learner.net(samples.raw, samples.masks, samples.hands)
    gain = logs.gather(1, samples.actions[:, None]).squeeze(1) - samples.logs
    assert gain[samples.actions % 2 == 1].mean() > gain[samples.actions % 2 == 0].mean() + 0.05


def test_the_learning_rate_halves_with_the_steps() -> None:
    learner = new_learner(lr_half_life_timesteps=128, learning_rate=0.004)
    rates = []
    for _ in range(2):
        learner.update()
        rates.append(learner.optimizer.param_groups[0]["lr"])
    assert rates == pytest.approx([0.002, 0.001])


def test_the_entropy_counts_less_and_less() -> None:
    learner = new_learner(ent_half_life_timesteps=128, ent_coef=0.04)
    samples, losses = collect(learner), []
    for _ in range(2):
        _, figures = learner._loss(samples, imitates=False)
        losses.append(float(figures["train/loss"].detach()))
        entropy = -float(figures["train/entropy_loss"].detach())
        learner.num_timesteps += 128
    assert losses[1] - losses[0] == pytest.approx(0.02 * entropy, abs=1e-6)
    assert new_learner().ent_coef == 0.01


def weights_of(module: Any) -> list[torch.Tensor]:
    return [weights.detach().clone() for weights in module.parameters()]


def test_the_magnet_is_refreshed() -> None:
    """With the policy from before the updates 0, 2, 4, ..."""
    learner = new_learner(magnet_coef=0.1, magnet_every_updates=2)
    before = []
    for update in range(4):
        before.append(weights_of(learner.net))
        learner.update()
        assert same(weights_of(learner.magnet), before[update - update % 2])
    assert not same(before[0], before[2])
    assert not hasattr(new_learner(), "magnet")


def test_the_magnet_pulls() -> None:
    """Without anything to win, the policy goes back to it; how far, the divergence says."""
    freely = {"ent_coef": 0, "vf_coef": 0, "clip_range": 1, "learning_rate": 0.003, "n_epochs": 60}
    learner = new_learner(**freely, magnet_coef=1.0)
    samples = collect(learner)
    samples = samples._replace(advantages=torch.zeros_like(samples.advantages))
    with torch.no_grad():
        learner.net.actor.bias[::2] += 1.5
        logs = learner.net.log_probabilities(samples.raw, samples.masks)
        magnet = learner.magnet.log_probabilities(samples.raw, samples.masks)
    _, figures = learner._loss(samples, imitates=False)
    expected = torch.nn.functional.kl_div(magnet, logs, reduction="batchmean", log_target=True)
    assert float(figures["train/magnet_kl"].detach()) == pytest.approx(float(expected), rel=1e-4)
    learner._learn(samples, imitates=False)
    _, after = learner._loss(samples, imitates=False)
    assert after["train/magnet_kl"] < 0.1 * figures["train/magnet_kl"]


def test_a_batch_of_one_sample_can_be_learnt_from() -> None:
    """There is no spread of one advantage; 128 samples in batches of 127 leave one over."""
    learner = new_learner(batch_size=127)
    learner.update()
    assert all(torch.isfinite(weights).all() for weights in learner.net.parameters())
