"""The compiled loops over games, written once for every game.

The stubs marked `dispatched`, from `begin` to `sample_state`, stand for the rules of whichever game the
records belong to; its `Game` says what they are, with `implement`. The loops rely on these fields
of a record: num_players, seed, mover, over, legal, scores, round_ended and round_points (in half
points).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import device, dispatched, kernel, policy_at
from .determinization import CardWeights
from .intrinsics import memcpy, prefetch_next
from .rng import derive, pick_legal

States = NDArray[Any]
Rows = NDArray[np.int64]
RawObservations = NDArray[np.uint8]
Masks = NDArray[np.int8]
Totals = NDArray[np.int32]  # half points, as records keep them

POINTS, WIN = 0, 1
REWARDS = ("points", "win")
POINTS_SCALE = 100.0  # points that are worth a reward of 1

ILLEGAL, GOES_ON, ROUND_ENDED, GAME_OVER = -1, 0, 1, 2  # what `step_one` returns


@dispatched
def begin(state: Any) -> None:
    """Start a new game from the settings and the seed in its record."""


@dispatched
def list_legal(state: Any) -> None:
    """Write the legal moves of the player to move into the record."""


@dispatched
def apply(state: Any, action: int) -> None:
    """Play one legal decision of the player to move."""


@dispatched
def observe(state: Any, seat: int, raw: RawObservations) -> None:
    """Write what a seat sees into `raw`."""


@dispatched
def get_known_cards(state: Any, seat: int, counts: RawObservations) -> None:
    """Write what a seat knows of the others' hands: at least so many cards of each type.

    counts: shape (players - 1, card types); row k is the hand k + 1 seats clockwise.
    """


@dispatched
def set_known_cards(state: Any, seat: int, counts: RawObservations) -> None:
    """Let a seat know so many cards more, which must be there; see `get_known_cards`."""


@dispatched
def to_information_state(state: Any, seat: int) -> None:
    """Blank everything that a seat cannot know; `sample_state` takes what is left."""


@dispatched
def sample_state(state: Any, seat: int, bits: np.uint64, odds: CardWeights) -> None:
    """Make what `to_information_state` left for a seat a whole game again, which it cannot tell from the true one.

    All that the seat does not know is dealt anew; the same word gives the same game. odds: how
    readily cards of each type are dealt to hands, uint64 (card types,), from 1 to SURE (see
    `deal_unseen`); neither this nor the size is checked.
    """


@device
def reward(state: Any, seat: int, kind: int) -> float:
    """What the last decision brought a seat; zero unless it ended a round (or, WIN, the game).

    Both kinds sum to zero over the seats. POINTS: the others' mean of the round's points less
    the own, in hundreds. WIN: 1 for the only winner and -1 / (n - 1) for the others; k winners
    share, which gives each (n / k - 1) / (n - 1).
    """
    players = state.num_players
    if state.round_ended == 0:
        return 0.0
    if kind == POINTS:
        total = 0.0
        for other in range(players):
            total += state.round_points[other]
        own = float(state.round_points[seat])
        others = (total - own) / (players - 1)
        return float((others - own) / (2.0 * POINTS_SCALE))  # points are kept in halves
    if state.over == 0:
        return 0.0
    return float((players * win_share(state.scores[:players], seat) - 1.0) / (players - 1))


@device
def write_rewards(state: Any, kind: int, rewards: NDArray[np.float32]) -> None:
    """Write what the last decision brought each seat; rewards: (seats,)."""
    if state.round_ended == 0:  # as mostly: then nobody need be looked at
        rewards[:] = 0
        return
    for seat in range(state.num_players):
        rewards[seat] = reward(state, seat, kind)


@device
def win_share(totals: Totals, seat: int) -> float:
    """A seat's share of a game's win by everybody's total: lowest wins, equal totals share."""
    winners = 0
    for other in range(len(totals)):
        if totals[other] < totals[seat]:
            return 0.0
        if totals[other] == totals[seat]:
            winners += 1
    return 1.0 / winners


@kernel
def start_each(states: States, rows: Rows, seeds: NDArray[np.uint64]) -> None:
    """Start new games in some rows, each from its own seed."""
    for k in range(len(rows)):
        state = states[rows[k]]
        state.seed = seeds[k]
        begin(state)


@kernel
def list_legal_each(states: States) -> None:
    """Write the legal moves of every game, after its record was changed from outside."""
    for k in range(len(states)):
        list_legal(states[k])


@kernel
def find_illegal(states: States, rows: Rows, actions: Rows) -> int:
    """The first of some rows whose action is illegal there; -1 when all are legal."""
    for k in range(len(rows)):
        legal = states[rows[k]].legal
        if actions[k] < 0 or actions[k] >= len(legal) or legal[actions[k]] == 0:
            return int(rows[k])
    return -1


@kernel
def step_each(
    states: States, rows: Rows, actions: Rows, kind: int, rewards: NDArray[np.float32]
) -> None:
    """Play one legal decision in each of some rows; write the rewards, by row and seat."""
    for k in range(len(rows)):
        prefetch_next(states, rows, k)
        state = states[rows[k]]
        apply(state, actions[k])
        write_rewards(state, kind, rewards[rows[k]])


@device
def write_mask(state: Any, seat: int, mask: Any) -> None:
    """Write what a seat may do: nothing, as far as anybody knows, while it is not to move."""
    if seat == state.current_player:
        memcpy(state.legal, mask, 0)
    else:
        mask[:] = 0


@kernel
def observe_each(
    states: States, rows: Rows, seats: Rows, raw: RawObservations, masks: Masks
) -> None:
    """Write what one seat of each row sees; place k of the outputs belongs to `rows[k]`.

    A seat that is not to move gets an all-zero mask: what it may do is not known yet, and what
    the mover may do would show his hand.
    """
    for k in range(len(rows)):
        prefetch_next(states, rows, k)
        state = states[rows[k]]
        observe(state, seats[k], raw[k])
        write_mask(state, seats[k], masks[k])


@device
def write_scaled(
    raw: RawObservations, scale: NDArray[np.float32], observation: NDArray[np.float32]
) -> None:
    """Write features, shape (size,), as the float32 observation; see `Slices.to_float`."""
    for place in range(len(raw)):
        observation[place] = np.float32(raw[place]) * scale[place]


@kernel
def step_one(
    states: States,
    action: int,
    kind: int,
    scale: NDArray[np.float32],
    rewards: NDArray[np.float32],
    raw: RawObservations,
    observation: NDArray[np.float32],
    mask: Masks,
) -> tuple[int, int]:
    """One decision of a single game (row 0) in one call: check, play, look at the next mover.

    action: one that there is. rewards: shape (seats,); what is seen is of one decision, too.
    Returns GOES_ON, ROUND_ENDED or GAME_OVER, or ILLEGAL when nothing was changed; and the mover.
    """
    state = states[0]
    if state.legal[action] == 0:
        return ILLEGAL, int(state.current_player)
    apply(state, action)
    write_rewards(state, kind, rewards)
    observe(state, state.current_player, raw)
    write_scaled(raw, scale, observation)
    write_mask(state, state.current_player, mask)
    if state.over == 1:
        return GAME_OVER, int(state.current_player)
    return ROUND_ENDED if state.round_ended == 1 else GOES_ON, int(state.current_player)


@kernel
def seeds_from(seed: np.uint64, first: int, seeds: NDArray[np.uint64]) -> None:
    """Fill `seeds` with the seeds number first, first + 1, ... derived from one seed."""
    for k in range(len(seeds)):
        seeds[k] = derive(seed, first + k)


@kernel
def win_shares_each(totals: Totals, out: NDArray[np.float64]) -> None:
    """Write each seat's share of the win of each finished game; both are (games, seats)."""
    for k in range(len(totals)):
        for seat in range(totals.shape[1]):
            out[k, seat] = win_share(totals[k], seat)


@kernel
def hidden_hands_each(
    states: States,
    rows: Rows,
    seats: Rows,
    first: int,
    raw: RawObservations,
    hands: RawObservations,
) -> None:
    """Write the hands of all others, in turn order after one seat of each row.

    first: where the slice `hand` begins. raw: (size,), room to write to. hands: (rows, others,
    hand's size); those of seats that there are not stay as they are.
    """
    for k in range(len(rows)):
        state = states[rows[k]]
        for other in range(state.num_players - 1):
            observe(state, (seats[k] + 1 + other) % state.num_players, raw)
            for place in range(hands.shape[2]):
                hands[k, other, place] = raw[first + place]


@kernel
def pick_random(masks: Masks, seeds: NDArray[np.uint64], step_one: int, actions: Rows) -> None:
    """Pick a legal action for each row, uniformly; each row's luck has a seed.

    step_one: a number that has not been before; the same one picks the same again.
    """
    for k in range(len(masks)):
        actions[k] = pick_legal(masks[k], derive(seeds[k], step_one))


@device
def seat_seed(state: Any, seat: int) -> np.uint64:
    """The seed of all random words that a seat is given in a game."""
    return derive(~state.seed, seat)


@kernel
def act_each(
    address: Any, raw: RawObservations, masks: Masks, random_bits: NDArray[np.uint64], actions: Rows
) -> None:
    """Let a `chooser` decide for each row; address: see `address_of`."""
    policy_function = policy_at(address)
    for k in range(len(raw)):
        actions[k] = policy_function(raw[k], masks[k], random_bits[k])


@kernel
def draw_random_bits(
    states: States, rows: Rows, decision_counts: NDArray[np.int64], random_bits: NDArray[np.uint64]
) -> None:
    """Draw the random word of the next decision in each row and count it in `decision_counts` (rows, seats).

    It follows from the game's seed, the seat and how often the seat was asked before.
    """
    for k in range(len(rows)):
        state = states[rows[k]]
        random_bits[k] = derive(
            seat_seed(state, state.current_player), decision_counts[rows[k], state.current_player]
        )
        decision_counts[rows[k], state.current_player] += 1


@kernel
def derive_each(
    seeds: NDArray[np.uint64], numbers: NDArray[np.int64], out: NDArray[np.uint64]
) -> None:
    """Write seed number `numbers[k]` derived from `seeds[k]`."""
    for k in range(len(seeds)):
        out[k] = derive(seeds[k], numbers[k])


@kernel
def get_known_cards_each(states: States, rows: Rows, seats: Rows, counts: RawObservations) -> None:
    """Write what one seat of each row knows, shape (rows, players - 1, card types)."""
    for k in range(len(rows)):
        get_known_cards(states[rows[k]], seats[k], counts[k])


@kernel
def set_known_cards_each(states: States, seat: int, counts: RawObservations) -> None:
    """Let a seat of every game know so many cards more of the others' hands."""
    for k in range(len(states)):
        set_known_cards(states[k], seat, counts)


@kernel
def information_states(states: States, rows: Rows, seats: Rows, out: States) -> None:
    """Write each row as one seat knows it; `out[k]` belongs to `rows[k]`."""
    for k in range(len(rows)):
        out[k] = states[rows[k]]
        to_information_state(out[k], seats[k])


@kernel
def sample_states(
    hidden: States,
    rows: Rows,
    seats: Rows,
    random_bits: NDArray[np.uint64],
    odds: CardWeights,
    out: States,
) -> None:
    """Write a whole game that each row, hidden for its seat, may be; `out[k]` belongs to `rows[k]`.

    A row may come up many times, with a word for each game to be made of it. odds: see `sample_state`.
    """
    for k in range(len(rows)):
        out[k] = hidden[rows[k]]
        sample_state(out[k], seats[k], random_bits[k], odds)
