"""Statistics of an agent's play in Glücksgriff, counted over games against itself."""

from dataclasses import dataclass, fields

import numpy as np

from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.observation import Place
from goldgriff.envs.gluecksgriff.rules import POINTS, Action, Settings
from goldgriff.envs.gluecksgriff.state import Phase
from goldgriff.envs.policy import ObservationBatch, Policy

GAMES = 100
SEED = 1


@dataclass(frozen=True)
class StyleStatistics:
    """What is counted.

    calls: rounds with a call, in percent. call_points: mean points in hand at a call. turns: in a
    round. knocks, runs: knocks, and cards laid as the next of a run, in a hundred turns. opened:
    mean points of cards laid open. challenges: in a hundred cards laid open.
    """

    calls: float
    call_points: float
    turns: float
    knocks: float
    runs: float
    opened: float
    challenges: float

    def row(self) -> list[str]:
        """The figures as the docs show them."""
        return [f"{getattr(self, field.name):.1f}" for field in fields(self)]


def statistics_of(policy: Policy, num_players: int = 4) -> StyleStatistics:
    """Let an agent play against itself, with bluffing and four Magic Hands, and count."""
    batch = Batch(
        GLUECKSGRIFF, Settings(num_players=num_players, bluffing=True, magic_hands=4), GAMES
    )
    batch.start(derive_seeds(SEED, GAMES))
    actions_made, points_held, phases, rounds = [], [], [], 0
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        raw, masks = batch.observe(batch.current_players[rows], rows)
        actions = policy.act(
            ObservationBatch(GLUECKSGRIFF, raw, masks, derive_seeds(SEED, len(rows)))
        )
        batch.step(actions, rows)
        rounds += int(batch.states["round_ended"][rows].sum())
        actions_made.append(actions)
        points_held.append(raw[:, Place.HAND_POINTS])
        phases.append(raw[:, Place.PHASE + Phase.PLAY])
    made, held = np.concatenate(actions_made), np.concatenate(points_held)
    turns = np.concatenate(phases).sum()
    calls, opens = made == Action.CALL, (made >= Action.OPEN) & (made < Action.OPEN + len(POINTS))
    runs = (made >= Action.RUN) & (made < Action.LOW)
    challenges = (made >= Action.CHALLENGE) & (made < Action.OPEN)
    knocks = (made >= Action.KNOCK) & (made < Action.KEEP)
    return StyleStatistics(
        calls=100 * calls.sum() / rounds,
        call_points=float(held[calls].mean()),
        turns=turns / rounds,
        knocks=100 * knocks.sum() / turns,
        runs=100 * runs.sum() / turns,
        opened=float(POINTS[made[opens] - Action.OPEN].mean()),
        challenges=100 * challenges.sum() / opens.sum(),
    )
