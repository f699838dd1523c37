"""Advantages of seats that take turns, against a plain sum; action values that come back."""

import io
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from goldgriff.envs.engine.protocol import Rows
from goldgriff.train.buffers import ActionValueBuffer, TrajectoryBuffer, TriedActions

STEPS, ENVS, SEATS = 60, 3, 4
GAMMA, LAMBDA = 0.9, 0.8


def by_hand(
    rewards: np.ndarray,
    over: np.ndarray,
    players: np.ndarray,
    values: np.ndarray,
    last: np.ndarray,
) -> np.ndarray:
    """Return the definition: the deltas of a seat, from one decision on to its last, summed."""
    returns = np.zeros((STEPS, ENVS))
    for env in range(ENVS):
        ends = [*np.flatnonzero(over[:, env]), STEPS - 1]
        for step in range(STEPS):
            seat, end = players[step, env], next(end for end in ends if end >= step)
            mine = [k for k in range(step, end + 1) if players[k, env] == seat]
            ahead = 0.0 if over[end, env] else last[env, seat]
            for place, now in enumerate(mine):
                further = [*mine, end + 1][place + 1]
                value = values[further, env] if further <= end else ahead
                delta = rewards[now:further, env, seat].sum() + GAMMA * value - values[now, env]
                returns[step, env] += (GAMMA * LAMBDA) ** place * delta
    return returns


def advantages(
    rewards: np.ndarray,
    over: np.ndarray,
    players: np.ndarray,
    values: np.ndarray,
    last: np.ndarray,
    *weights: float,
) -> np.ndarray:
    """Return what a `TrajectoryBuffer` makes of some steps."""
    buffer = TrajectoryBuffer(*rewards.shape)
    for step in range(len(rewards)):
        buffer.add_decisions(step, players[step], values[step])
        buffer.add_rewards(step, rewards[step], over[step])
    return buffer.compute(lambda seat: last[:, seat], *weights)[0].reshape(values.shape)


def test_they_are_those_of_each_seats_own_decisions() -> None:
    rng = np.random.default_rng(1)
    for chance in (0.0, 0.1, 0.5):  # of a game's end
        rewards = rng.normal(size=(STEPS, ENVS, SEATS)).astype(np.float32)
        over = rng.random((STEPS, ENVS)) < chance
        players = rng.integers(SEATS, size=(STEPS, ENVS))
        values = rng.normal(size=(STEPS, ENVS)).astype(np.float32)
        last = rng.normal(size=(ENVS, SEATS)).astype(np.float32)
        kept = last.copy()
        computed = advantages(rewards, over, players, values, last, GAMMA, LAMBDA)
        assert computed == pytest.approx(by_hand(rewards, over, players, values, last), abs=1e-4)
        assert (last == kept).all()


def test_what_comes_between_two_decisions_belongs_to_the_first() -> None:
    """Two seats, undiscounted: an advantage is all that still comes, less what was expected."""
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[:, 0] = [[0, 0], [5, 0], [0, 7], [2, 3]]
    over = np.array([[False], [False], [False], [True]])
    players = np.array([[0], [1], [0], [1]])
    values = np.array([[1], [1], [1], [1]], np.float32)
    last = np.full((1, 2), 99, np.float32)  # beyond the game's end: counts for nothing
    computed = advantages(rewards, over, players, values, last, 1.0, 1.0)
    assert computed.ravel().tolist() == [7 - 1, 10 - 1, 2 - 1, 3 - 1]


# --- Action values ------------------------------------------------------------------------------

SIZE, ACTIONS, INPUTS = 11, 3, 4


class Decision(NamedTuple):
    """What is known of a decision: of each of its actions the value, places and numbers."""

    seen: list[int]
    values: list[float]
    places: list[list[int]]
    numbers: list[list[int]]

    @property
    def length(self) -> int:
        return sum(map(len, self.places))


def random_decision(rng: np.random.Generator, longest: int) -> Decision:
    actions = int(rng.integers(1, ACTIONS + 1))
    sizes = rng.integers(1, longest + 1, actions)
    return Decision(
        rng.integers(0, 256, INPUTS).tolist(),
        rng.normal(size=actions).astype(np.float32).tolist(),
        [rng.integers(0, 2**16, size).tolist() for size in sizes],
        [rng.integers(-(2**15), 2**15, size).tolist() for size in sizes],
    )


def tried_actions(decisions: list[Decision]) -> TriedActions:
    """Return the decisions as `ActionValueBuffer.add` takes them."""
    counts = [len(one.values) for one in decisions]
    listed = [action for one in decisions for action in one.places]
    arrays = (
        np.array([one.seen for one in decisions], np.uint8),
        np.repeat(np.arange(len(decisions)), counts),
        np.array([value for one in decisions for value in one.values], np.float32),
        np.array([len(action) for action in listed]),
        np.array([place for action in listed for place in action], np.uint16).view(np.int16),
        np.array([n for one in decisions for action in one.numbers for n in action], np.int16),
    )
    return TriedActions(*map(torch.from_numpy, arrays))


def decisions_of(sample: Any) -> list[Decision]:
    """Return a sample as decisions."""
    seen, actions, values = sample
    found = [Decision(row.tolist(), [], [], []) for row in seen]
    for k, row in enumerate(actions.rows):
        features = slice(actions.starts[k], actions.starts[k + 1])
        found[row].values.append(float(values[k]))
        found[row].places.append(actions.places[features].tolist())
        found[row].numbers.append(actions.numbers[features].tolist())
    return found


def small_buffer(room: int) -> ActionValueBuffer:
    """Return a buffer with room for so many numbers; usually there is more than is needed here."""
    buffer = ActionValueBuffer(SIZE, ACTIONS, INPUTS)
    buffer._ring = {name: np.zeros(room, np.int16) for name in buffer._ring}
    return buffer


def newest_rows(buffer: ActionValueBuffer) -> Rows:
    """Return the rows in use, the newest decision first."""
    return np.arange(buffer.added - 1, max(0, buffer.added - SIZE) - 1, -1) % SIZE


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(12, 120), st.lists(st.integers(1, SIZE), max_size=12))
def test_the_newest_action_values_come_back_as_they_were(
    seed: int, room: int, counts: list[int]
) -> None:
    """Whole decisions: as many as there are rows, or room for their numbers."""
    rng, buffer, added = np.random.default_rng(seed), small_buffer(room), []
    for count in counts:
        new = [random_decision(rng, longest=4) for _ in range(count)]
        buffer.add(tried_actions(new))
        added += new
        kept = decisions_of(buffer.take(newest_rows(buffer)))
        assert kept == added[: -len(kept) - 1 : -1]
        assert len(kept) <= SIZE
        if len(kept) < min(SIZE, len(added)):
            assert sum(decision.length for decision in added[-len(kept) - 1 :]) > room
    assert buffer.added == len(added)


def test_samples_of_action_values_go_on_after_a_restart() -> None:
    """Every decision is drawn, also after the ring has come round."""
    rng, buffers = np.random.default_rng(1), [small_buffer(40), small_buffer(40)]
    for _ in range(8):
        buffers[0].add(tried_actions([random_decision(rng, longest=3) for _ in range(3)]))
    file = io.BytesIO()
    torch.save(buffers[0].state(), file)
    buffers[0].add(tried_actions([random_decision(np.random.default_rng(2), longest=3)]))
    buffers[1].restore(torch.load(io.BytesIO(file.getvalue()), weights_only=True))
    buffers[1].add(tried_actions([random_decision(np.random.default_rng(2), longest=3)]))
    one, other = (
        decisions_of(buffer.sample(200, torch.Generator().manual_seed(1))) for buffer in buffers
    )
    assert one == other
    kept = decisions_of(buffers[0].take(newest_rows(buffers[0])))
    assert len(kept) > 5
    assert all(decision in one for decision in kept)
    assert all(decision in kept for decision in one)
