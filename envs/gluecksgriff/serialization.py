"""Positions of Glücksgriff as plain data, written and read.

The names of cards and actions are those of `rules.py` (CARDS, ACTIONS).
"""

from itertools import pairwise
from typing import Any

from ..engine.compile import uncompiled
from ..engine.kernels import list_legal_each
from ..engine.protocol import States
from ..engine.serialization import Reader, fault, name_in, one_of, or_none, whole, write_common
from ..engine.state import state_at
from . import piles
from .rules import BOTH, CARDS, MAX_ROUNDS, MAX_TURNS, VALUES, Card, Effect, JokerKnock, Settings
from .state import KINDS, NO_CARD, NOBODY, PHASES, Laid, Phase, State

is_joker = uncompiled(piles.is_joker)

# What may have been laid, by phase; in the others nothing has.
LAID_KINDS = {
    Phase.LAYING: {Laid.SET, Laid.RUN, Laid.SPECIAL},
    Phase.EXTENDING: {Laid.LOW_END, Laid.HIGH_END},
    Phase.DRAWN: {Laid.SET, Laid.RUN},
    Phase.GIVING: {Laid.NOTHING, Laid.SPECIAL},
}


def name_of(card: int) -> str | None:
    """Return the name of a card, None for NO_CARD."""
    return None if card == NO_CARD else CARDS[card]


def seat_of(seat: int) -> int | None:
    """Return a seat, None for NOBODY."""
    return None if seat == NOBODY else int(seat)


def write_position(state: State) -> dict[str, Any]:
    """Return a position as plain data."""
    seats = range(state.num_players)
    return {
        **write_common(state, CARDS, PHASES),
        "layers": [seat_of(layer) for layer in state.layers[: state.discard_size]],
        "last_play": int(state.play_size),
        "run": bool(state.play_run),
        "laid": int(state.laid),
        "laid_kind": KINDS[state.laid_kind],
        "laid_low": int(state.laid_low),
        "drawn": name_of(state.drawn),
        "front": [name_of(state.front[seat]) for seat in seats],
        "sat_out": [int(state.sat_out[seat]) for seat in seats],
        "must_sit_out": [int(state.must_sit_out[seat]) for seat in seats],
        "open": [name_of(state.open[seat]) for seat in seats],
        "magician": seat_of(state.magician),
        "challenged": seat_of(state.challenged),
        "caller": seat_of(state.caller),
        "turns_left": int(state.turns_left),
        "turns": int(state.turns),
        "scores": [int(state.scores[seat]) // 2 for seat in seats],
    }


def read_position(states: States, settings: Settings, given: Any) -> None:
    """Write a position into the only record of `states`, which holds a game just begun.

    Only `hands` and `discard` are needed; what else is left out is as at the start of a first
    round, and a `pile` that is left out holds every card that lies nowhere else.

    Raises:
        PositionError: The position cannot arise; the message names the fault.
    """
    state: State = state_at(states, 0)
    read = Reader(state, given, CARDS, PHASES)
    players = settings.num_players
    read.read_turn(settings.max_rounds or MAX_ROUNDS, settings.max_decisions)
    read_table(state, read, players)
    read_cards(state, read, settings)
    scores = read.get_by_seat("scores", whole(0, 100_000), [0] * players)
    state.scores[:players] = [2 * score for score in scores]
    read.finish()
    if max(state.scores) > 2 * settings.point_limit:
        raise fault("with a score above the limit the game is over")
    check_turn(state)
    list_legal_each(states)
    if not state.legal.any():
        raise fault(f"nothing can be played in phase {PHASES[state.phase]!r}")


def read_table(state: State, read: Reader, players: int) -> None:
    """Read what lies in front of the players, and who does what beside playing."""
    seat, flag, open_card = whole(0, players - 1), whole(0, 1), or_none(name_in(CARDS))
    state.drawn = read.get("drawn", name_in(CARDS), NO_CARD)
    state.front[:players] = read.get_by_seat("front", open_card, NO_CARD)
    state.sat_out[:players] = read.get_by_seat("sat_out", flag, 0)
    state.must_sit_out[:players] = read.get_by_seat("must_sit_out", flag, 0)
    state.open[:players] = read.get_by_seat("open", open_card, NO_CARD)
    state.magician = read.get("magician", seat, NOBODY)
    state.challenged = read.get("challenged", seat, NOBODY)
    state.caller = read.get("caller", seat, NOBODY)
    state.turns_left = read.get("turns_left", seat, 0)
    # After a call the last turns go beyond the cap (G8.9).
    beyond = 0 if state.caller == NOBODY else players - 1
    last_turn = (int(state.max_turns) or MAX_TURNS) - 1 + beyond
    state.turns = read.get("turns", whole(0, last_turn), 0)


def read_cards(state: State, read: Reader, settings: Settings) -> None:
    """Read hands and piles, and put the rest of the deck into the face-down pile."""
    apart = [int(card) for card in (*state.front, *state.open) if card != NO_CARD]
    apart += [Card.MAGIC_HAND] * int(state.magician != NOBODY)
    read.place_cards(settings.card_counts(), apart)
    state.layers[:] = NOBODY
    layer = or_none(whole(0, settings.num_players - 1))
    state.layers[: state.discard_size] = read.get_by_discard("layers", layer, NOBODY)
    read_plays(state, read)


def read_plays(state: State, read: Reader) -> None:
    """Read which cards on the discard pile are the play, and which were laid in this turn."""
    size = int(state.discard_size)
    state.laid = read.get("laid", whole(0, size), 0)
    state.laid_kind = read.get("laid_kind", one_of(KINDS), Laid.NOTHING)
    state.laid_low = read.get("laid_low", whole(0, int(state.laid)), 0)
    state.play_size = read.get("last_play", whole(0, size - int(state.laid)), min(size, 1))
    state.play_run = read.get("run", one_of((False, True)), 0)
    if state.play_size == 0 < size - state.laid and not state.laid:
        raise fault("last_play is 0 only with an empty discard pile")
    if state.play_run and state.play_size < 3:
        raise fault("a run has at least 3 cards")
    extending = state.laid_kind in (Laid.LOW_END, Laid.HIGH_END)
    cards = state.discards[size - state.laid - state.play_size : size]
    state.play_low = 0
    if state.play_run:
        first = int(state.laid_low) if extending else 0
        state.play_low = low_of_run(state, cards if extending else cards[: state.play_size]) + first
    state.value = value_laid(state, state.discards[size - state.laid : size])


def value_laid(state: State, laid: Any) -> int:
    """Return the value of the set laid in this turn, or the lowest of the run; else NO_CARD."""
    if state.laid_kind == Laid.RUN:
        return low_of_run(state, laid)
    if state.laid_kind == Laid.SPECIAL and (len(laid) != 1 or is_part(state, int(laid[0]))):
        raise fault("what was laid is no special card")
    if state.laid_kind != Laid.SET:
        return NO_CARD
    values = {int(card) for card in laid if card < VALUES}
    alone = len(laid) == 1
    if len(values) > 1 or not (values or alone) or has_strangers(state, laid):
        raise fault("the cards laid are no set")
    return values.pop() if values else NO_CARD


def is_part(state: State, card: int) -> bool:
    """Return whether a card can stand in a set or run."""
    return card < VALUES or is_joker(state, card)


def has_strangers(state: State, cards: Any) -> bool:
    """Return whether cards laid together hold one too many, or two jokers side by side."""
    jokers = [is_joker(state, card) for card in cards]
    neighbours = any(first and other for first, other in pairwise(jokers))
    return neighbours or not all(is_part(state, card) for card in cards)


def low_of_run(state: State, cards: Any) -> int:
    """Return the lowest value of a run, given from its low end; PositionError if it is none."""
    lows = {int(card) - place for place, card in enumerate(cards) if card < VALUES}
    if len(lows) != 1 or len(cards) < 2 or has_strangers(state, cards):
        raise fault(f"{' '.join(CARDS[card] for card in cards)} is no run")
    low = lows.pop()
    if low < 0 or low + len(cards) > VALUES:
        raise fault("a run reaches beyond the values")
    return low


def check_turn(state: State) -> None:
    """Refuse a turn that cannot have come about."""
    phase = Phase(state.phase)
    if state.laid_kind not in LAID_KINDS.get(phase, {Laid.NOTHING}):
        kind = KINDS[state.laid_kind]
        raise fault(f"phase {PHASES[phase]!r} with laid_kind {kind!r}")
    serving = phase == Phase.SERVED
    in_front = state.front[state.current_player] != NO_CARD
    challenged = phase in (Phase.PRIZE, Phase.GRABBING)
    magic = challenged or phase in (Phase.OPENING, Phase.MAGIC)
    wanted = {
        "laid": (state.laid_kind != Laid.NOTHING, state.laid > 0),
        "magician": (magic, state.magician != NOBODY),
        "challenged": (challenged, state.challenged != NOBODY),
        "drawn": (phase == Phase.DRAWN, state.drawn != NO_CARD),
        "front": (serving, serving and in_front),
        "turns_left": (state.caller != NOBODY, state.turns_left > 0),
    }
    for name, (needed, there) in wanted.items():
        if needed != there:
            word = "needs" if needed else "has no"
            raise fault(f"phase {PHASES[phase]!r} {word} {name}")
    if phase == Phase.PLAY and in_front and not state.must_sit_out[state.current_player]:
        raise fault("front: with a card there the current player is in phase 'hourglass'")
    if phase == Phase.DRAWN:
        check_drawn(state)
    if challenged:
        learn_challenged_hand(state)
    if (challenged or phase == Phase.OPENING) and not state.bluffing:
        raise fault(f"phase {PHASES[phase]!r} needs the option bluffing")
    if phase == Phase.GRABBING and state.challenge_prize != BOTH:
        raise fault("phase 'grab' needs challenge_prize='both'")
    due = (state.caller - state.current_player) % state.num_players
    if state.caller != NOBODY and state.turns_left != due:
        raise fault("turns_left must count the turns up to the caller's")
    for seat in range(state.num_players):
        may_be_empty = state.open[seat] != NO_CARD or (
            seat in (state.current_player, state.magician)
            and phase not in (Phase.PLAY, Phase.SERVED)
        )
        if state.hand_sizes[seat] == 0 and not may_be_empty:
            raise fault("a round with an empty hand is over")
    check_front(state)
    check_magic(state)


def check_drawn(state: State) -> None:
    """Refuse a drawn card that is not there, or with which nobody is asked to knock."""
    held = state.hands[state.current_player, state.drawn]
    if held == 0:
        raise fault("the drawn card is not in the current player's hand")
    for seat in range(state.num_players):
        steps = (state.current_player - seat) % state.num_players
        if steps and state.known[seat, steps - 1, state.drawn] == held:
            raise fault("known: nobody else can know the drawn card")
    short = state.laid_kind == Laid.RUN and state.laid < 3
    joker_on_top = is_joker(state, int(state.discards[state.discard_size - 1]))
    open_to_cards = state.joker_knock == JokerKnock.WIDE and state.value != NO_CARD
    if short or (state.laid_kind == Laid.SET and joker_on_top and not open_to_cards):
        raise fault("phase 'drawn' needs a run, or a set with no joker on top")


def learn_challenged_hand(state: State) -> None:
    """Let whoever rightly challenged a player know its hand (G7.5), which is not empty."""
    if state.hand_sizes[state.challenged] == 0:
        raise fault("challenged: the hand is empty")
    steps = (state.challenged - state.current_player) % state.num_players
    state.known[state.current_player, steps - 1] = state.hands[state.challenged]
    size = state.hand_sizes[state.challenged]
    state.known_sizes[state.challenged, state.current_player] = size


def check_front(state: State) -> None:
    """Refuse cards in front of players that cannot lie there."""
    if state.must_sit_out.any() and not state.penalties:
        raise fault("must_sit_out needs the option penalties")
    for card, forced in zip(state.front, state.must_sit_out, strict=True):
        blank = card >= Card.BLANK and state.effects[card - Card.BLANK] == Effect.SIT_OUT
        if card not in (NO_CARD, Card.HOURGLASS) and not blank:
            raise fault(f"front: {CARDS[card]} makes nobody sit out")
        if forced and card == NO_CARD:
            raise fault("must_sit_out needs a card in front")


def check_magic(state: State) -> None:
    """Refuse open cards, and a Magic Hand, that cannot have come about."""
    magician, players = int(state.magician), int(state.num_players)
    current_player = int(state.current_player)
    lies_open = [state.open[seat] != NO_CARD for seat in range(players)]
    if magician == NOBODY:
        if any(lies_open):
            raise fault("open cards need a magician")
        return
    if state.caller != NOBODY:
        raise fault("no magician after a call")
    opening = state.phase == Phase.OPENING
    if (magician == current_player) == opening or state.challenged == magician:
        raise fault("the magician decides, but in phase 'open', and is not challenged")
    # Clockwise from the magician:
    asked = (current_player - magician) % players if opening else players
    due = set(range(1, asked))
    lying = {steps for steps in range(players) if lies_open[(magician + steps) % players]}
    picked = int(state.phase == Phase.GRABBING)
    if not lying <= due or len(due) - len(lying) != picked:
        raise fault("open cards lie clockwise, up to the current player in 'open'")
