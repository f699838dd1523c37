"""Learning under other names of the colours."""

from typing import Any

import numpy as np
import pytest
import torch

import goldgriff
from goldgriff.envs.auruxxx.observation import Place
from goldgriff.envs.auruxxx.rules import Action, Card
from goldgriff.errors import SettingsError
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.api import AlgorithmName
from goldgriff.train.relabelling import RelabellingSettings

from .learners import SMALL, envs_of

NAMES = ["dmc", "nfsp"]


def new_learner(name: str, **given: Any) -> Any:
    algorithm = ALGORITHMS[name]
    settings = algorithm.settings.from_dict({**SMALL, "batch_size": 64, **given})
    learner: Any = algorithm.learner(envs_of(settings), settings)
    learner.begin()
    return learner


def test_these_algorithms_have_the_setting() -> None:
    found = [n for n, each in ALGORITHMS.items() if issubclass(each.settings, RelabellingSettings)]
    assert sorted(found) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_colours_change_their_names_in_observations_masks_and_actions_alike(name: str) -> None:
    """Keep legal what is legal, the size of a hand, and each card with its action."""
    learner = new_learner(name, relabel_colours=True)
    raw, masks = (torch.from_numpy(part.copy()) for part in learner.envs.observe())
    masks = masks.bool()
    actions = masks.int().argmax(dim=1)
    renamed = set()
    for _ in range(20):
        names = learner.draw_relabelling()
        shown, legal, chosen = names.samples((raw, masks, actions))
        assert torch.equal(names.observations(raw), shown)
        assert torch.equal(legal.sum(dim=1), masks.sum(dim=1))
        assert legal.gather(1, chosen[:, None]).all()
        hand, lay, cards = Place.HAND, Action.LAY, Card.GOLDEN
        playable = legal[:, lay : lay + cards]
        assert (shown[:, hand : hand + cards][playable] > 0).all()
        assert torch.equal(shown.sum(dim=1), raw.sum(dim=1))
        renamed.add(tuple(shown[0].tolist()))
    assert len(renamed) > 5
    assert new_learner(name).draw_relabelling() is None
    for _ in range(3):
        learner.update()


@pytest.mark.parametrize("relabels", [True, False])
def test_what_is_learned_of_one_colour_is_learned_of_all(relabels: bool) -> None:
    """The value of laying a card, learned from one decision, in hands that are it renamed."""
    learner = new_learner("dmc", relabel_colours=relabels, learning_rate=0.003)
    raw, masks = learner.envs.observe()
    lays = masks[:, Action.LAY : Action.LAY + Card.FIFTY]
    row, card = np.argwhere(lays)[0]
    action = np.array([Action.LAY + card])
    many = raw[[row]].repeat(64, axis=0), action.repeat(64), np.ones(64, np.float32)
    for _ in range(400):
        learner._learn(*many)
    values, renamer = [], new_learner("dmc", relabel_colours=True, seed=9)
    for _ in range(20):
        names = renamer.draw_relabelling()
        shown = names.observations(torch.from_numpy(raw[[row]]))
        with torch.no_grad():
            values.append(float(learner.net(shown)[0, names.actions[action[0]]]))
    far = np.abs(np.array(values) - 1).mean()
    assert far < 0.2 if relabels else far > 0.5


@pytest.mark.parametrize("name", NAMES)
def test_a_game_without_colours_has_none_to_relabel(name: AlgorithmName) -> None:
    with pytest.raises(SettingsError, match="no cards of Glücksgriff can change their names"):
        goldgriff.train_agent("gluecksgriff", name, preset="smoke", relabel_colours=True)
