"""Positions of Glücksgriff as plain data, both ways.

Names of cards and moves stand in `rules.py` (CARDS, ACTIONS).
"""

from itertools import pairwise
from typing import Any

from goldgriff.envs.engine.compile import uncompiled
from goldgriff.envs.engine.deck import TAKEN
from goldgriff.envs.engine.kernels import States, list_legal_each
from goldgriff.envs.engine.serialization import (
    Reader,
    cards_in,
    place_cards,
    read_knowledge,
    write_knowledge,
)
from goldgriff.envs.engine.state import state_at
from goldgriff.envs.gluecksgriff import legal
from goldgriff.envs.gluecksgriff.rules import (
    BLANK,
    CARDS,
    HAND,
    HOURGLASS,
    SIT_OUT_EFFECT,
    VALUES,
    Settings,
)
from goldgriff.envs.gluecksgriff.state import (
    AT_HIGH,
    AT_LOW,
    DRAWN,
    EXTENDING,
    GIVING,
    KINDS,
    LAYING,
    MAGIC,
    NO_CARD,
    NOBODY,
    NOTHING,
    OPENING,
    PHASES,
    PLAY,
    RISING,
    SAME,
    SERVED,
    SPECIAL,
    SPOILS,
    State,
)
from goldgriff.errors import PositionError

is_joker = uncompiled(legal.is_joker)

# What may have been laid, by phase; in the others nothing has.
LAID_KINDS = {
    LAYING: {SAME, RISING, SPECIAL},
    EXTENDING: {AT_LOW, AT_HIGH},
    DRAWN: {SAME, RISING},
    GIVING: {NOTHING, SPECIAL},
}


def name_of(card: int) -> str | None:
    """The name of a card, None for NO_CARD."""
    return None if card == NO_CARD else CARDS[card]


def seat_of(seat: int) -> int | None:
    """A seat, None for NOBODY."""
    return None if seat == NOBODY else int(seat)


def write_position(game: State) -> dict[str, Any]:
    """A position as plain data. Seats are numbers; the discard pile ends with its top card.

    The pile is listed in no order of play: a draw picks at random (docs/rules/gluecksgriff.md).
    """
    seats = range(game.num_players)
    pile = game.slots[: game.deck_size]
    return {
        "hands": [cards_in(game.hands[seat], CARDS) for seat in seats],
        "discard": [CARDS[card] for card in game.discards[: game.discard_size]],
        "layers": [seat_of(layer) for layer in game.layers[: game.discard_size]],
        "last_play": int(game.play_size),
        "run": bool(game.play_run),
        "laid": int(game.laid),
        "laid_kind": KINDS[game.laid_kind],
        "laid_low": int(game.laid_low),
        "pile": [CARDS[card] for card in pile[pile < TAKEN]],
        "mover": int(game.mover),
        "phase": PHASES[game.phase],
        "drawn": name_of(game.drawn),
        "front": [name_of(game.front[seat]) for seat in seats],
        "sat_out": [int(game.sat_out[seat]) for seat in seats],
        "must_sit_out": [int(game.must_sit_out[seat]) for seat in seats],
        "open": [name_of(game.open[seat]) for seat in seats],
        "magician": seat_of(game.magician),
        "deceiver": seat_of(game.deceiver),
        "caller": seat_of(game.caller),
        "turns_left": int(game.turns_left),
        "scores": [int(game.scores[seat]) // 2 for seat in seats],
        "round": int(game.round_index) + 1,
        "decisions": int(game.decisions),
        "capped_rounds": int(game.capped_rounds),
        **write_knowledge(State, game, CARDS),
    }


def read_position(games: States, settings: Settings, given: Any) -> None:
    """Write a position into the only record of `games`, which holds a game just begun.

    Only `hands` and `discard` are needed; what else is left out is as at the start of a first
    round, and a `pile` that is left out holds every card that lies nowhere else.

    Raises PositionError, naming the fault, for a position that cannot arise.
    """
    game: State = state_at(games, 0)
    read = Reader(given, "position")
    players = settings.num_players
    read_turn(game, read, players)
    read_cards(game, read, settings)
    game.scores[:players] = [2 * score for score in read.numbers("scores", players, 0, 100_000)]
    game.round_index = read.number("round", 1, 1_000_000, 1) - 1
    game.decisions = read.number("decisions", 0, settings.max_decisions - 1, 0)
    game.capped_rounds = read.number("capped_rounds", 0, int(game.round_index), 0)
    read_knowledge(games, read, CARDS)
    read.finish()
    if max(game.scores) > 2 * settings.point_limit:
        raise PositionError("position: with a score above the limit the game is over")
    check_turn(game)
    list_legal_each(games)
    if not game.legal.any():
        raise PositionError(f"position: nothing can be played in phase {PHASES[game.phase]!r}")


def read_turn(game: State, read: Reader, players: int) -> None:
    """Read whose turn it is and what lies in front of the players."""
    game.mover = read.number("mover", 0, players - 1, 0)
    game.phase = read.word("phase", PHASES, PHASES[PLAY])
    game.drawn = read.name("drawn", CARDS)
    game.front[:players] = read.names_or_none("front", players, CARDS)
    game.sat_out[:players] = read.numbers("sat_out", players, 0, 1)
    game.must_sit_out[:players] = read.numbers("must_sit_out", players, 0, 1)
    game.open[:players] = read.names_or_none("open", players, CARDS)
    game.magician = read.number("magician", 0, players - 1, NOBODY)
    game.deceiver = read.number("deceiver", 0, players - 1, NOBODY)
    game.caller = read.number("caller", 0, players - 1, NOBODY)
    game.turns_left = read.number("turns_left", 0, players - 1, 0)


def read_cards(game: State, read: Reader, settings: Settings) -> None:
    """Read hands and piles, and put the rest of the deck into the face-down pile."""
    players = settings.num_players
    hands = read.lists_of_names("hands", players, CARDS)
    discards = read.names("discard", CARDS)
    apart = [int(card) for card in (*game.front, *game.open) if card != NO_CARD]
    apart += [HAND] * int(game.magician != NOBODY)
    place_cards(game, read, CARDS, settings.deck(), hands, discards, apart)
    game.layers[:] = NOBODY
    if read.has("layers"):
        game.layers[: len(discards)] = read.seats("layers", len(discards), players)
    read_plays(game, read)


def read_plays(game: State, read: Reader) -> None:
    """Read which cards on the discard pile are the play, and which were laid in this turn."""
    size = int(game.discard_size)
    game.laid = read.number("laid", 0, size, 0)
    game.laid_kind = read.word("laid_kind", KINDS, None)
    game.laid_low = read.number("laid_low", 0, int(game.laid), 0)
    game.play_size = read.number("last_play", 0, size - int(game.laid), min(size, 1))
    game.play_run = int(read.truth("run"))
    if game.play_size == 0 < size - game.laid and not game.laid:
        raise PositionError("position: last_play is 0 only with an empty discard pile")
    if game.play_run and game.play_size < 3:
        raise PositionError("position: a run has at least 3 cards")
    extending = game.laid_kind in (AT_LOW, AT_HIGH)
    cards = game.discards[size - game.laid - game.play_size : size]
    game.play_low = 0
    if game.play_run:
        first = int(game.laid_low) if extending else 0
        game.play_low = low_of_run(game, cards if extending else cards[: game.play_size]) + first
    game.value = value_laid(game, game.discards[size - game.laid : size])


def value_laid(game: State, laid: Any) -> int:
    """The value of the set, or the lowest of the run, laid in this turn; NO_CARD for none."""
    if game.laid_kind == RISING:
        return low_of_run(game, laid)
    if game.laid_kind == SPECIAL and (len(laid) != 1 or is_part(game, int(laid[0]))):
        raise PositionError("position: what was laid is no special card")
    if game.laid_kind != SAME:
        return NO_CARD
    values = {int(card) for card in laid if card < VALUES}
    alone = len(laid) == 1
    if len(values) > 1 or not (values or alone) or has_strangers(game, laid):
        raise PositionError("position: the cards laid are no set")
    return values.pop() if values else NO_CARD


def is_part(game: State, card: int) -> bool:
    """Whether a card can stand in a set or run."""
    return card < VALUES or is_joker(game, card)


def has_strangers(game: State, cards: Any) -> bool:
    """Whether cards laid together hold one that does not belong, or two jokers side by side."""
    jokers = [is_joker(game, card) for card in cards]
    neighbours = any(one and other for one, other in pairwise(jokers))
    return neighbours or not all(is_part(game, card) for card in cards)


def low_of_run(game: State, cards: Any) -> int:
    """The lowest value of a run, from its low end up. Raises PositionError if it is none."""
    lows = {int(card) - place for place, card in enumerate(cards) if card < VALUES}
    if len(lows) != 1 or len(cards) < 2 or has_strangers(game, cards):
        raise PositionError(f"position: {' '.join(CARDS[card] for card in cards)} is no run")
    low = lows.pop()
    if low < 0 or low + len(cards) > VALUES:
        raise PositionError("position: a run reaches beyond the values")
    return low


def check_turn(game: State) -> None:
    """Refuse a turn that cannot have come about."""
    phase = int(game.phase)
    if game.laid_kind not in LAID_KINDS.get(phase, {NOTHING}):
        kind = KINDS[game.laid_kind]
        raise PositionError(f"position: phase {PHASES[phase]!r} with laid_kind {kind!r}")
    wanted = {
        "laid": (game.laid_kind != NOTHING, game.laid > 0),
        "magician": (phase in (OPENING, MAGIC, SPOILS), game.magician != NOBODY),
        "deceiver": (phase == SPOILS, game.deceiver != NOBODY),
        "drawn": (phase == DRAWN, game.drawn != NO_CARD),
        "front": (phase == SERVED, phase == SERVED and game.front[game.mover] != NO_CARD),
        "turns_left": (game.caller != NOBODY, game.turns_left > 0),
    }
    for name, (needed, there) in wanted.items():
        if needed != there:
            word = "needs" if needed else "has no"
            raise PositionError(f"position: phase {PHASES[phase]!r} {word} {name}")
    if phase == PLAY and game.front[game.mover] != NO_CARD and not game.must_sit_out[game.mover]:
        raise PositionError("position: front: with a card there the mover is in phase 'hourglass'")
    if phase == DRAWN:
        check_drawn(game)
    if phase == SPOILS:
        learn_deceiver(game)
    if phase in (OPENING, SPOILS) and not game.bluffing:
        raise PositionError(f"position: phase {PHASES[phase]!r} needs the option bluffing")
    if game.caller != NOBODY and game.turns_left != (game.caller - game.mover) % game.num_players:
        raise PositionError("position: turns_left must count the turns up to the caller's")
    for seat in range(game.num_players):
        may_be_empty = game.open[seat] != NO_CARD or (
            seat in (game.mover, game.magician) and phase not in (PLAY, SERVED)
        )
        if game.hand_sizes[seat] == 0 and not may_be_empty:
            raise PositionError("position: a round with an empty hand is over")
    check_front(game)
    check_magic(game)


def check_drawn(game: State) -> None:
    """Refuse a drawn card that is not there, or with which nobody is asked to knock."""
    if game.hands[game.mover, game.drawn] == 0:
        raise PositionError("position: the drawn card is not in the mover's hand")
    for seat in range(game.num_players):
        steps = (game.mover - seat) % game.num_players
        if steps and game.known[seat, steps - 1, game.drawn] == game.hands[game.mover, game.drawn]:
            raise PositionError("position: known: nobody else can know the drawn card")
    short = game.laid_kind == RISING and game.laid < 3
    joker_on_top = is_joker(game, int(game.discards[game.discard_size - 1]))
    if short or (game.laid_kind == SAME and joker_on_top):
        raise PositionError("position: phase 'drawn' needs a run, or a set with no joker on top")


def learn_deceiver(game: State) -> None:
    """Whoever rightly challenged a player has seen his hand (G7.4)."""
    steps = (game.deceiver - game.mover) % game.num_players
    game.known[game.mover, steps - 1] = game.hands[game.deceiver]


def check_front(game: State) -> None:
    """Refuse cards in front of players that cannot lie there."""
    if game.must_sit_out.any() and not game.penalties:
        raise PositionError("position: must_sit_out needs the option penalties")
    for card, forced in zip(game.front, game.must_sit_out, strict=True):
        blank = card >= BLANK and game.effects[card - BLANK] == SIT_OUT_EFFECT
        if card not in (NO_CARD, HOURGLASS) and not blank:
            raise PositionError(f"position: front: {CARDS[card]} makes nobody sit out")
        if forced and card == NO_CARD:
            raise PositionError("position: must_sit_out needs a card in front")


def check_magic(game: State) -> None:
    """Refuse open cards, and a Magic Hand, that cannot have come about."""
    magician, mover, players = int(game.magician), int(game.mover), int(game.num_players)
    lies_open = [game.open[seat] != NO_CARD for seat in range(players)]
    if magician == NOBODY:
        if any(lies_open):
            raise PositionError("position: open cards need a magician")
        return
    if game.caller != NOBODY:
        raise PositionError("position: no magician after a call")
    opening = game.phase == OPENING
    if (magician == mover) == opening or game.deceiver == magician:
        raise PositionError(
            "position: the magician decides, but in phase 'open', and is no deceiver"
        )
    asked = (mover - magician) % players if opening else players  # clockwise from the magician
    for steps in range(players):
        if lies_open[(magician + steps) % players] != (0 < steps < asked):
            raise PositionError("position: open cards lie clockwise, up to the mover in 'open'")
