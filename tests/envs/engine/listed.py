"""List what an action can lead to, every result with its probability, and sample it."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chisquare

from goldgriff.envs.batch import Batch
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.listing import copy_fields, new_tree_states
from goldgriff.envs.engine.rewards import WIN
from goldgriff.eval.game_theory.information import BEGIN, new_buffers
from goldgriff.eval.game_theory.walk import play_one

__all__ = ["BEGIN", "SAMPLES", "listed", "p_value", "sample"]

SAMPLES, MOST_RESULTS = 3000, 2000


def sample(game: Game, settings: Any, before: Any, action: int, seed: int) -> Any:
    """Return states after an action in `before`, (1,), or the deal, each with its own chance."""
    rng = np.random.default_rng(seed)
    batch = Batch(game, settings, SAMPLES)
    batch.states[:] = before
    if action == BEGIN:
        batch.start(rng.integers(2**64, size=SAMPLES, dtype=np.uint64))
        return batch.states
    for name in ("seed", "streams"):
        shape = batch.states[name].shape
        batch.states[name] = rng.integers(2**64, size=shape, dtype=np.uint64)
    batch.step(np.full(SAMPLES, action))
    return batch.states


def listed(
    game: Game,
    settings: Any,
    before: Any,
    action: int,
    seen: Callable[[NDArray[Any]], list[Any]],
    *,
    multisets: bool,
) -> dict[Any, float]:
    """Return every result with its probability, by scripts one longer each time.

    Args:
        game: The game.
        settings: Its settings.
        before: The state before the action, (1,).
        action: The action, or BEGIN.
        seen: Says what the result is in each of some states.
        multisets: See `new_tree_states`.

    Returns:
        Nothing where there are more than MOST_RESULTS.
    """
    first, after = (new_tree_states(game, settings, 1, multisets=multisets) for _ in range(2))
    copy_fields(before, first)
    room = new_buffers(game, settings)
    found: dict[Any, float] = defaultdict(float)
    scripts: list[tuple[list[int], float]] = [([], 1.0)]
    while scripts:
        script, chance = scripts.pop()
        room.script[: len(script)] = script
        play_one(first, after, action, len(script), False, np.uint64(0), WIN, room)
        count = int(after["num_outcomes"][0])
        for outcome, share in zip(
            room.outcomes[:count], room.chances[:count].tolist(), strict=True
        ):
            scripts.append(([*script, int(outcome)], chance * share))
        if count == 0:
            found[seen(after)[0]] += chance
            if len(found) > MOST_RESULTS:
                return {}
    return dict(found)


def p_value(counts: Mapping[Any, int], chances: Mapping[Any, float]) -> float:
    """Return how probable counts are that deviate at least as much; rare results are one."""
    expected, observed, rare = [], [], np.zeros(2)
    for key, chance in chances.items():
        if chance * SAMPLES < 5:
            rare += (chance * SAMPLES, counts.get(key, 0))
        else:
            expected.append(chance * SAMPLES)
            observed.append(counts.get(key, 0))
    if rare[0] > 0:
        expected.append(rare[0])
        observed.append(int(rare[1]))
    return float(chisquare(observed, expected).pvalue) if len(expected) > 1 else 1.0
