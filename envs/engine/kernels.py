"""Compiled loops over games, written once for every game."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import protocol
from .compile import device, kernel, policy_at
from .determinization import CardWeights
from .intrinsics import memcpy, prefetch_next
from .protocol import Masks, RawObservations, Rows, States
from .rewards import Totals, write_rewards
from .rng import conceal, derive, pick_legal
from .state import CardGameState

ILLEGAL, GOES_ON, ROUND_ENDED, GAME_OVER = -1, 0, 1, 2  # what came of a decision


class Outputs(NamedTuple):
    """Arrays that receive the current players' observations; all empty where nobody wants them.

    Attributes:
        scale: float32 (size,), see `ObservationSpec`.
        raw: uint8 (games, size).
        observations: float32 (games, size), `raw` times `scale`; (0, size) for raw ones only.
        masks: int8 (games, actions).
    """

    scale: NDArray[np.float32]
    raw: RawObservations
    observations: NDArray[np.float32]
    masks: Masks


class AutoReset(NamedTuple):
    """Bookkeeping of rows in which one game follows another; all empty without auto-reset.

    Attributes:
        row_seeds: uint64 (games,), see `game_seed`.
        games_begun: int64 (games,), games started in each row.
        ended: bool (games,), whether the last decision ended a game.
        totals: int32 (games, seats), half points of that game.
        capped: bool (games,), whether the cap on decisions ended a round of it.
    """

    row_seeds: NDArray[np.uint64]
    games_begun: Rows
    ended: NDArray[np.bool_]
    totals: Totals
    capped: NDArray[np.bool_]


def new_resets(rows: int, seats: int) -> AutoReset:
    """Return the bookkeeping of so many rows before their first games."""
    totals, ended = np.zeros((rows, seats), np.int32), np.zeros(rows, np.bool_)
    row_seeds, games_begun = np.zeros(rows, np.uint64), np.zeros(rows, np.int64)
    return AutoReset(row_seeds, games_begun, ended, totals, ended.copy())


# --- Seeds and random bits ----------------------------------------------------------------------


@device
def game_seed(row_seed: np.uint64, number: int) -> np.uint64:
    """Return the seed of game `number` of a row.

    This is the one derivation of seeds. A batch of seed s gives row i the row seed
    `derive(s, i)`; game k of a row has the seed `derive(row_seed, k)`. A `Match` or an AEC
    environment plays the game of a seed directly.
    """
    return derive(row_seed, number)


@device
def decision_bits(state: CardGameState, seat: int, number: int) -> np.uint64:
    """Return the random bits that a seat is given for its decision `number` (from 0) of a game.

    They follow from the game's seed, but do not show it: it decides every hidden card.
    """
    return conceal(derive(derive(~state.seed, seat), number))


@kernel
def derive_each(
    seeds: NDArray[np.uint64], numbers: NDArray[np.int64], out: NDArray[np.uint64]
) -> None:
    """Write `game_seed` of each row seed and number."""
    for k in range(len(seeds)):
        out[k] = game_seed(seeds[k], numbers[k])


@kernel
def draw_random_bits(
    states: States, rows: Rows, decision_counts: Rows, random_bits: NDArray[np.uint64]
) -> None:
    """Draw the random bits of the next decision in each row and count it.

    They follow from the game's seed, the seat and how many decisions the seat has made.

    Args:
        states: All games.
        rows: The games in which a decision is due.
        decision_counts: int64 (games, seats), the decisions of each seat; added to.
        random_bits: Written, uint64 (rows,).
    """
    for k in range(len(rows)):
        state = states[rows[k]]
        seat = state.current_player
        random_bits[k] = decision_bits(state, seat, decision_counts[rows[k], seat])
        decision_counts[rows[k], seat] += 1


@kernel
def pick_random(masks: Masks, seeds: NDArray[np.uint64], counter: int, actions: Rows) -> None:
    """Pick a legal action for each row, uniformly.

    Args:
        masks: int8 (rows, actions).
        seeds: uint64 (rows,), a seed for each row.
        counter: A number not used before; the same one picks the same again.
        actions: Written, int64 (rows,).
    """
    for k in range(len(masks)):
        actions[k] = pick_legal(masks[k], derive(seeds[k], counter))


# --- Steps and observations ---------------------------------------------------------------------


@device
def write_mask(state: CardGameState, seat: int, mask: Any) -> None:
    """Write the legal actions of a seat, (actions,): none for a seat that is not to decide.

    What it may do later is not known yet, and what the current player may do shows its hand.
    """
    if seat == state.current_player:
        memcpy(state.legal, mask, 0)
    else:
        mask[:] = 0


@device
def write_scaled(
    raw: RawObservations, scale: NDArray[np.float32], observation: NDArray[np.float32]
) -> None:
    """Write a raw observation, (size,), as float32; see `ObservationSpec.to_float`."""
    for place in range(len(raw)):
        observation[place] = np.float32(raw[place]) * scale[place]


@device
def write_outputs(state: CardGameState, row: int, out: Outputs) -> None:
    """Write what the current player observes."""
    if len(out.masks) == 0:
        return
    protocol.observe(state, state.current_player, out.raw[row])
    write_mask(state, state.current_player, out.masks[row])
    if len(out.observations) > 0:
        write_scaled(out.raw[row], out.scale, out.observations[row])


@kernel
def outputs_each(states: States, rows: Rows, out: Outputs) -> None:
    """Write what the current players of some rows observe."""
    for k in range(len(rows)):
        write_outputs(states[rows[k]], rows[k], out)


@device
def start_next(state: CardGameState, row: int, resets: AutoReset) -> None:
    """Start the next game of a row."""
    state.seed = game_seed(resets.row_seeds[row], resets.games_begun[row])
    resets.games_begun[row] += 1
    protocol.begin(state)


@kernel
def start_each(states: States, rows: Rows, seeds: NDArray[np.uint64], out: Outputs) -> None:
    """Start new games in some rows, each from its own seed, uint64 (rows,)."""
    for k in range(len(rows)):
        state = states[rows[k]]
        state.seed = seeds[k]
        protocol.begin(state)
        write_outputs(state, rows[k], out)


@kernel
def step_each(
    states: States,
    rows: Rows,
    actions: Rows,
    reward_kind: int,
    rewards: NDArray[np.float32],
    resets: AutoReset,
    out: Outputs,
) -> None:
    """Play one legal decision in each of some rows; start the next game where one has ended.

    Args:
        states: All games.
        rows: Where to play.
        actions: int64 (rows,).
        reward_kind: See `reward`.
        rewards: Written, (games, seats).
        resets: Bookkeeping of auto-reset; empty arrays leave finished games as they are.
        out: Written where not empty.
    """
    for k in range(len(rows)):
        prefetch_next(states, rows, k)
        row = rows[k]
        state = states[row]
        protocol.apply(state, actions[k])
        write_rewards(state, reward_kind, rewards[row])
        if len(resets.ended) > 0:
            resets.ended[row] = state.over == 1
            if state.over == 1:
                for seat in range(state.num_players):
                    resets.totals[row, seat] = state.scores[seat]
                resets.capped[row] = state.capped_rounds > 0
                start_next(state, row, resets)
        write_outputs(state, row, out)


@kernel(keeps_lock=True)
def step_one(
    states: States,
    action: int,
    reward_kind: int,
    scale: NDArray[np.float32],
    rewards: NDArray[np.float32],
    raw: RawObservations,
    observation: NDArray[np.float32],
    mask: Masks,
) -> int:
    """Check and play one decision of a single game (row 0), and observe the next player.

    Args:
        states: One game.
        action: Any whole number.
        reward_kind: See `reward`.
        scale: float32 (size,), see `ObservationSpec`.
        rewards: Written, (seats,).
        raw: Written, (size,), for the next player; so are `observation` and `mask`.
        observation: Written, (size,).
        mask: Written, (actions,).

    Returns:
        The seat that decides next, if the round goes on; ILLEGAL when nothing was changed;
        otherwise -1 - ROUND_ENDED or -1 - GAME_OVER. One number: a pair takes longer.
    """
    state = states[0]
    if action < 0 or action >= len(state.legal) or state.legal[action] == 0:
        return ILLEGAL
    protocol.apply(state, action)
    write_rewards(state, reward_kind, rewards)
    protocol.observe(state, state.current_player, raw)
    write_scaled(raw, scale, observation)
    write_mask(state, state.current_player, mask)
    if state.over == 1:
        return -1 - GAME_OVER
    return -1 - ROUND_ENDED if state.round_ended == 1 else int(state.current_player)


@kernel
def find_illegal(states: States, rows: Rows, actions: Rows, marks: NDArray[np.bool_]) -> int:
    """Write for each of some rows whether its action is illegal there, bool (rows,).

    Returns:
        The first such row; -1 when all are legal.
    """
    first = -1
    for k in range(len(rows)):
        legal = states[rows[k]].legal
        marks[k] = actions[k] < 0 or actions[k] >= len(legal) or legal[actions[k]] == 0
        if marks[k] and first < 0:
            first = int(rows[k])
    return first


@kernel
def list_legal_each(states: States) -> None:
    """Write the legal actions of every game, after its state was changed from outside."""
    for k in range(len(states)):
        protocol.list_legal(states[k])


@kernel
def observe_each(
    states: States, rows: Rows, seats: Rows, raw: RawObservations, masks: Masks
) -> None:
    """Write what one seat of each row observes; place k of the outputs belongs to `rows[k]`."""
    for k in range(len(rows)):
        prefetch_next(states, rows, k)
        state = states[rows[k]]
        protocol.observe(state, seats[k], raw[k])
        write_mask(state, seats[k], masks[k])


@kernel
def act_each(
    address: Any, raw: RawObservations, masks: Masks, random_bits: NDArray[np.uint64], actions: Rows
) -> None:
    """Let a compiled policy decide in each row; `address` is that of `address_of`."""
    policy = policy_at(address)
    for k in range(len(raw)):
        actions[k] = policy(raw[k], masks[k], random_bits[k])


# --- What seats know ----------------------------------------------------------------------------


@kernel
def information_states(states: States, rows: Rows, seats: Rows, out: States) -> None:
    """Write the information state of one seat of each row; `out[k]` belongs to `rows[k]`."""
    for k in range(len(rows)):
        out[k] = states[rows[k]]
        protocol.to_information_state(out[k], seats[k])


@kernel
def sample_states(
    information_states: States,
    rows: Rows,
    seats: Rows,
    random_bits: NDArray[np.uint64],
    card_weights: CardWeights,
    out: States,
) -> None:
    """Write a whole state that agrees with each row's information state (see `sample_state`).

    Args:
        information_states: From which to sample.
        rows: Which of them; a row may come up many times.
        seats: Whose information state each is, (rows,).
        random_bits: uint64 (rows,), one for each state to be sampled.
        card_weights: See `sample_state`.
        out: Written, (rows,).
    """
    for k in range(len(rows)):
        out[k] = information_states[rows[k]]
        protocol.sample_state(out[k], seats[k], random_bits[k], card_weights)
