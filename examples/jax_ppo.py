"""PPO in JAX: self-play in two-player Auruxxx, with the rules inside the jitted update.

A state is an array element, so it travels through JAX as bytes, and a step is a pure function of
states, actions and seeds: `jax.pure_callback` calls it from the compiled program. One network plays
both seats and learns from the decisions of both. What it learns becomes a `Network` of goldgriff,
so it plays in tournaments, and can be saved and exported like any other.

    python examples/jax_ppo.py --updates 60
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

import goldgriff as gg
from goldgriff.agents.network import Network

jax.config.update("jax_cpu_enable_async_dispatch", False)  # else callbacks may wait for each other

GAMMA, GAE_LAMBDA, CLIP, ENT_COEF, VF_COEF = 0.995, 0.9, 0.2, 0.01, 0.5
ILLEGAL = -1e9
Params = list[tuple[jax.Array, jax.Array]]  # weight (in, out), bias (out,); actor and critic last


class Seen(NamedTuple):
    """Input of a decision, (games, ...): states as bytes, observations and masks."""

    states: Any  # arrays of JAX; in a callback those of NumPy
    observations: Any
    masks: Any


class Sample(NamedTuple):
    """A decision: what the player saw, did and got, and whether it decides next, too."""

    observations: jax.Array
    masks: jax.Array
    actions: jax.Array
    logs: jax.Array
    values: jax.Array
    rewards: jax.Array
    ended: jax.Array
    signs: jax.Array  # 1 where the same player decides next, -1 where the other one does


class PureBatch:
    """Games whose states the caller keeps: every call is a pure function of its arguments."""

    def __init__(self, num_games: int) -> None:
        self.batch = gg.Batch(
            "auruxxx", {"num_players": 2}, num_games, reward="win", out=(None, None)
        )
        spec, actions = self.batch.game.observation_spec, len(self.batch.game.actions)
        shaped = jax.ShapeDtypeStruct
        self.shapes = Seen(
            shaped((num_games, self.batch.states.dtype.itemsize), jnp.uint8),
            shaped((num_games, spec.size), jnp.float32),
            shaped((num_games, actions), jnp.int8),
        )

    def start(self, seeds: jax.Array) -> Seen:
        """Return new games; seeds: uint32 (games,)."""

        def work(seeds: Any) -> Seen:
            self.batch.start(np.asarray(seeds))
            return self._seen()

        return Seen(*jax.pure_callback(work, self.shapes, seeds))

    def step(
        self, states: jax.Array, actions: jax.Array, seeds: jax.Array
    ) -> tuple[Seen, jax.Array, jax.Array, jax.Array]:
        """Play a decision in each game; one that ends is followed by the game of its seed.

        Returns:
            What is there before the next decision; the reward of the player that decided; whether
            the game ended; and 1 where the same player decides next, else -1.
        """
        column = jax.ShapeDtypeStruct((len(actions),), jnp.float32)
        shapes = (self.shapes, column, jax.ShapeDtypeStruct((len(actions),), jnp.bool_), column)

        def work(states: Any, actions: Any, seeds: Any) -> Any:
            batch = self.batch
            batch.states.view(np.uint8).reshape(len(batch.states), -1)[:] = np.asarray(states)
            players = batch.current_players.copy()
            batch.step(np.asarray(actions, np.int64))
            rewards = batch.rewards[batch.rows, players]
            ended = batch.over.copy()
            rows = np.flatnonzero(ended)
            batch.start(np.asarray(seeds)[rows], rows)
            signs = np.where(batch.current_players == players, 1, -1).astype(np.float32)
            return self._seen(), rewards, ended, signs

        seen, *others = jax.pure_callback(work, shapes, states, actions, seeds)
        return (Seen(*seen), *others)

    def _seen(self) -> Seen:
        batch = self.batch
        states = batch.states.view(np.uint8).reshape(len(batch.states), -1)
        return Seen(states.copy(), batch.observations.copy(), batch.masks.copy())


def init(key: jax.Array, inputs: int, hidden: int, actions: int) -> Params:
    """Return two hidden layers, the actor's layer and the critic's."""
    widths = [(inputs, hidden), (hidden, hidden), (hidden, actions), (hidden, 1)]
    gains = [2**0.5, 2**0.5, 0.01, 1.0]
    make = jax.nn.initializers.orthogonal
    keys = jax.random.split(key, len(widths))
    return [
        (make(gain)(one, shape), jnp.zeros(shape[1]))
        for one, shape, gain in zip(keys, widths, gains, strict=True)
    ]


def forward(
    params: Params, observations: jax.Array, masks: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Return log-probabilities, (rows, actions), and values, (rows,)."""
    *trunk, (actor, actor_bias), (critic, critic_bias) = params
    hidden = observations
    for weight, bias in trunk:
        hidden = jax.nn.relu(hidden @ weight + bias)
    logits = jnp.where(masks == 1, hidden @ actor + actor_bias, ILLEGAL)
    return jax.nn.log_softmax(logits), (hidden @ critic + critic_bias)[:, 0]


def advantages(samples: Sample, last_values: jax.Array) -> jax.Array:
    """Return generalised advantages, (steps, games), where what one player wins the other loses."""

    def back(carry: tuple[jax.Array, jax.Array], sample: Sample) -> Any:
        advantage, value = carry
        going_on = jnp.where(sample.ended, 0.0, GAMMA * sample.signs)
        delta = sample.rewards + going_on * value - sample.values
        advantage = delta + GAE_LAMBDA * going_on * advantage
        return (advantage, sample.values), advantage

    zero = jnp.zeros_like(last_values)
    return jax.lax.scan(back, (zero, last_values), samples, reverse=True)[1]


def loss(params: Params, samples: Sample, gains: jax.Array, returns: jax.Array) -> jax.Array:
    """Return the loss of PPO."""
    logs, values = forward(params, samples.observations, samples.masks)
    chosen = jnp.take_along_axis(logs, samples.actions[:, None], axis=1)[:, 0]
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    ratio = jnp.exp(chosen - samples.logs)
    surrogate = jnp.minimum(ratio * gains, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gains)
    entropy = -(jnp.exp(logs) * jnp.where(samples.masks == 1, logs, 0)).sum(axis=1)
    value_loss = ((values - returns) ** 2).mean()
    return VF_COEF * value_loss - surrogate.mean() - ENT_COEF * entropy.mean()


def make_update(
    games: PureBatch, optimizer: optax.GradientTransformation, steps: int, epochs: int, parts: int
) -> Callable[..., Any]:
    """Return the jitted update: `steps` decisions in each game, and what is learnt from them."""

    def play(params: Params, carry: tuple[Seen, jax.Array], _: None) -> Any:
        seen, key = carry
        key, draw, seeding = jax.random.split(key, 3)
        logs, values = forward(params, seen.observations, seen.masks)
        actions = jax.random.categorical(draw, logs)
        chosen = jnp.take_along_axis(logs, actions[:, None], axis=1)[:, 0]
        seeds = jax.random.bits(seeding, (len(actions),))
        after, rewards, ended, signs = games.step(seen.states, actions, seeds)
        sample = Sample(
            *(seen.observations, seen.masks, actions, chosen, values), *(rewards, ended, signs)
        )
        return (after, key), sample

    @jax.jit
    def update(params: Params, state: Any, seen: Seen, key: jax.Array) -> Any:
        (seen, key), samples = jax.lax.scan(partial(play, params), (seen, key), None, steps)
        _, last = forward(params, seen.observations, seen.masks)
        # The value of the last decision is that of its player, as `signs` says of the one before.
        gains = advantages(samples, last)
        flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), samples)
        gains, returns = gains.reshape(-1), (gains + samples.values).reshape(-1)

        def learn(carry: Any, rows: jax.Array) -> Any:
            params, state = carry
            chosen = jax.tree.map(lambda x: x[rows], flat)
            gradients = jax.grad(loss)(params, chosen, gains[rows], returns[rows])
            changes, state = optimizer.update(gradients, state, params)
            return (optax.apply_updates(params, changes), state), None

        key, *keys = jax.random.split(key, epochs + 1)
        rows = [jax.random.permutation(one, len(gains)).reshape(parts, -1) for one in keys]
        (params, state), _ = jax.lax.scan(learn, (params, state), jnp.concatenate(rows))
        return params, state, seen, key

    return update


def as_network(params: Params) -> Network:
    """Return the actor as an agent of goldgriff."""
    layers = [(np.asarray(weight).T, np.asarray(bias)) for weight, bias in params[:-1]]
    network = Network(layers)
    network.game = gg.get_game("auruxxx")
    return network


def train(
    updates: int, *, num_games: int = 256, steps: int = 32, hidden: int = 128, seed: int = 1
) -> Network:
    """Train by self-play, and return the agent."""
    games = PureBatch(num_games)
    keys = jax.random.split(jax.random.key(seed), 3)
    inputs, actions = games.shapes.observations.shape[1], games.shapes.masks.shape[1]
    params = init(keys[0], inputs, hidden, actions)
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(1e-3, eps=1e-5))
    state = optimizer.init(params)
    seen = jax.jit(games.start)(jax.random.bits(keys[1], (num_games,)))
    update = make_update(games, optimizer, steps, epochs=2, parts=4)
    key = keys[2]
    for _ in range(updates):
        params, state, seen, key = update(params, state, seen, key)
    return as_network(params)


def main() -> None:
    """Train, and play against `random`."""
    parser = argparse.ArgumentParser(description="PPO in JAX on two-player Auruxxx")
    parser.add_argument("--updates", type=int, default=60, help="of 8192 decisions (%(default)s)")
    parser.add_argument("--deals", type=int, default=500, help="two games each (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the training (%(default)s)")
    args = parser.parse_args()
    began, began_cpu = time.perf_counter(), time.process_time()
    agent = train(args.updates, seed=args.seed)
    took, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    decisions = args.updates * 256 * 32
    print(f"{decisions:,} decisions in {took:.0f} s, {decisions / cpu:,.0f} a second of CPU time")
    agents: Any = {"jax": agent, "random": "random"}
    result = gg.play_tournament("auruxxx", agents, num_players=2, deals=args.deals)
    share = result.to_dict()["agents"]["jax"]
    low, high = share["win_share_ci"]
    print(f"win share against random: {share['win_share']:.1%} ({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
