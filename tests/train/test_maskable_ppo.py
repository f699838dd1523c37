"""The lean policy against sb3-contrib's own, which goes the long way over its distributions."""

from typing import Any

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from goldgriff.train.maskable_ppo import LeanPolicy, shared_trunk

ROWS, SIZE, ACTIONS = 50, 12, 9


def policies() -> tuple[Any, Any]:
    """Ours and sb3-contrib's with the same weights, whose logits are far apart."""
    room, actions = spaces.Box(0, 1, (SIZE,), np.float32), spaces.Discrete(ACTIONS)
    torch.manual_seed(1)
    lean: Any = LeanPolicy(room, actions, lambda _: 1e-3, **shared_trunk([16, 8]))
    with torch.no_grad():
        lean.action_net.weight.mul_(300)
    full = MaskableActorCriticPolicy(room, actions, lambda _: 1e-3, **shared_trunk([16, 8]))
    full.load_state_dict(lean.state_dict())
    return lean, full


def rows() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Observations, masks (the first row with a single legal action) and legal actions."""
    rng = np.random.default_rng(1)
    masks = rng.random((ROWS, ACTIONS)) < 0.4
    masks[:, 3] |= ~masks.any(axis=1)
    masks[0] = np.arange(ACTIONS) == 5
    actions = (masks * rng.random(masks.shape)).argmax(axis=1)
    observations = rng.random((ROWS, SIZE), np.float32)
    return torch.from_numpy(observations), torch.from_numpy(masks), torch.from_numpy(actions)


def test_values_chances_entropies_and_their_slopes_are_those_of_the_library() -> None:
    observations, masks, actions = rows()
    found = []
    for policy in policies():
        values, logs, entropies = policy.evaluate_actions(
            observations, actions, action_masks=masks.float()
        )
        (values.sum() + logs.sum() + 3 * entropies.sum()).backward()
        slopes = [parameter.grad for parameter in policy.parameters()]
        assert len(slopes) == 8  # a trunk of two layers, two heads: weight and bias of each
        found.append([values, logs, entropies, *slopes])
    for mine, theirs in zip(*found, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-4, atol=1e-5)
    assert found[0][2][0].item() == 0.0


def test_actions_are_sampled_by_their_chances() -> None:
    (lean, full), (observations, masks, _) = policies(), rows()
    times = 8000
    many, legal = observations[:3].repeat(times, 1), masks[:3].repeat(times, 1)
    with torch.no_grad():
        actions, values, logs = lean(many, action_masks=legal.numpy())
        probabilities = full.get_distribution(
            observations[:3], masks[:3].numpy()
        ).distribution.probs
        again = full.evaluate_actions(many, actions, action_masks=legal)
    seen = torch.nn.functional.one_hot(actions, ACTIONS).float().view(times, 3, ACTIONS).mean(dim=0)
    assert (seen[~masks[:3]] == 0).all()
    assert (seen - probabilities).abs().max() < 0.03
    torch.testing.assert_close(values, again[0])
    torch.testing.assert_close(logs, again[1], rtol=1e-4, atol=1e-5)


def test_a_draw_at_either_end_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    (lean, _), (observations, masks, _) = policies(), rows()
    for draw in (0.0, 1 - 2.0**-24):  # torch.rand's lowest and highest
        monkeypatch.setattr(torch, "rand", lambda *shape, draw=draw, **_: torch.full(shape, draw))
        with torch.no_grad():
            actions, _, _ = lean(observations, action_masks=masks.numpy())
        assert masks.gather(1, actions[:, None]).all()
