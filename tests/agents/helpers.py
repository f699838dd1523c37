"""Networks and observations that tests of agents share."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from goldgriff.agents.heuristics.catalog import find_base_policy
from goldgriff.agents.mlp import Layer
from goldgriff.agents.network import GREEDY_SCALE, ActionValueNetwork, Network
from goldgriff.agents.value import ValueNetwork, ValueTarget, critic_spec
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.preview import action_spec, state_spec
from goldgriff.envs.policy import ObservationBatch, observation_batch


def random_network(seed: int = 0, sizes: tuple[int, ...] = (16,)) -> Network:
    return Network(random_layers(seed, AURUXXX.observation_spec.size, *sizes, len(AURUXXX.actions)))


def random_layers(seed: int, *widths: int) -> list[Layer]:
    rng = np.random.default_rng(seed)
    return [
        (rng.normal(size=(out, into)).astype(np.float32), np.zeros(out, np.float32))
        for into, out in pairwise(widths)
    ]


def random_action_value_network(
    game: Game = AURUXXX, margin: float = 0.0, *, advice: bool = True
) -> ActionValueNetwork:
    """Return a network with a critic, whose logits leave a choice."""
    inputs = state_spec(game).size + action_spec(game).size
    critic = random_layers(1, critic_spec(game).size, 8, 1)
    *hidden, (weight, bias) = random_layers(0, inputs, 16, 8, 1)
    return ActionValueNetwork(
        [*hidden, (weight / GREEDY_SCALE, bias)],
        find_base_policy("expert", game),
        game,
        ValueNetwork(critic, game, ValueTarget(200.0, 11.0)),
        margin=margin,
        advice=advice,
    )


def some_observations(
    rows: int = 64, decisions: int = 30, game: Game = AURUXXX, **settings: int
) -> ObservationBatch:
    """Return what the current players of some unfinished games see."""
    batch = Batch(game, game.settings.from_dict(settings), rows)
    batch.start(derive_seeds(1, rows))
    rng = np.random.default_rng(1)
    for _ in range(decisions):
        _, masks = batch.observe(batch.current_players)
        batch.step((masks * rng.random(masks.shape)).argmax(axis=1))
    return observation_batch(batch, np.arange(rows), derive_seeds(2, rows), information_states=True)


def rows_of(
    observations: ObservationBatch, rows: list[int], random_bits: NDArray[np.uint64] | None = None
) -> ObservationBatch:
    """Return some rows, with their own random bits or new ones."""
    chosen = observations.take(np.array(rows))
    return chosen if random_bits is None else replace(chosen, random_bits=random_bits)
