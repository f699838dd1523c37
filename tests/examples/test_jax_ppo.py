"""The batch inside JAX, and PPO on it."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import goldgriff as gg
from goldgriff.examples import jax_ppo
from goldgriff.examples.jax_ppo import GAE_LAMBDA, GAMMA, PureBatch, Sample, advantages, train

GAMES = 8


def test_a_step_is_a_pure_function() -> None:
    """The same arguments give the same results, whatever was played meanwhile."""
    games = PureBatch(GAMES)
    seeds = jnp.arange(GAMES, dtype=jnp.uint32)
    first = jax.jit(games.start)(seeds)
    step = jax.jit(games.step)
    seen, batch = first, gg.Batch("auruxxx", {"num_players": 2}, GAMES, reward="win")
    batch.start(np.arange(GAMES))
    for _ in range(50):
        actions = jnp.argmax(seen.masks, axis=1)
        players = batch.current_players.copy()
        batch.step(np.asarray(actions, np.int64))
        before = seen.states, actions, seeds
        seen, rewards, ended, signs = step(*before)
        playing = ~batch.over
        assert (np.asarray(seen.states).view(batch.states.dtype)[playing, 0]
                == batch.states[playing]).all()  # fmt: skip
        assert (np.asarray(ended) == batch.over).all()
        assert (np.asarray(rewards) == batch.rewards[batch.rows, players]).all()
        assert ((np.asarray(signs) == 1) == (batch.current_players == players))[playing].all()
        batch.start(np.arange(GAMES)[batch.over], np.flatnonzero(batch.over))
        again = step(*before)
        jax.tree.map(np.testing.assert_array_equal, (seen, rewards, ended, signs), again)
    jax.tree.map(np.testing.assert_array_equal, jax.jit(games.start)(seeds), first)


def test_what_one_player_wins_the_other_loses() -> None:
    """Three decisions: of one player, the other one, and the first again, who wins."""
    column = jnp.array([[0.1], [-0.2], [0.5]])
    nothing = jnp.zeros((3, 1))
    sample = Sample(
        *(nothing, nothing, nothing, nothing),
        values=column,
        rewards=jnp.array([[0.0], [0.0], [1.0]]),
        ended=jnp.array([[False], [False], [True]]),
        signs=jnp.array([[-1.0], [-1.0], [1.0]]),
    )
    third = 1 - 0.5
    second = -GAMMA * 0.5 + 0.2 - GAMMA * GAE_LAMBDA * third
    first = GAMMA * 0.2 - 0.1 - GAMMA * GAE_LAMBDA * second
    found = advantages(sample, jnp.array([9.0]))
    np.testing.assert_allclose(found[:, 0], [first, second, third], rtol=1e-5)


def test_it_trains_an_agent() -> None:
    untrained, trained = (
        train(updates, num_games=GAMES, steps=8, hidden=16, seed=1) for updates in (0, 2)
    )
    assert not np.allclose(untrained.layers[0][0], trained.layers[0][0])
    assert all(np.isfinite(weight).all() for weight, _ in trained.layers)
    agents: dict[str, Any] = {"jax": trained, "random": "random"}
    result = gg.play_tournament("auruxxx", agents, num_players=2, deals=2, rules={"rounds": 1})
    assert result.to_dict()["agents"]["jax"]["forfeits"] == 0


def test_the_actor_is_the_network() -> None:
    key = jax.random.key(0)
    spec = gg.get_game("auruxxx").observation_spec
    params = jax_ppo.init(key, spec.size, 16, len(gg.get_game("auruxxx").actions))
    match = gg.Match("auruxxx", {"num_players": 2})
    match.start(1)
    batch = match.observation_batch()
    logs, _ = jax_ppo.forward(params, jnp.asarray(batch.scaled), jnp.asarray(batch.masks))
    ours = jax_ppo.as_network(params).action_probabilities(batch)
    np.testing.assert_allclose(np.exp(logs), ours, atol=1e-5)
