"""Glücksgriff: which moves are legal. Rule ids refer to docs/rules/gluecksgriff.md.

"The play" is what lay on top of the discard pile when the turn began; what was laid since lies
above it. Jokers are all cards that stand for any value: blanks that act as one, too (G9.7).
"""

from goldgriff.envs.engine.compile import hot, rule
from goldgriff.envs.engine.deck import next_seat
from goldgriff.envs.gluecksgriff.rules import (
    ADD,
    AS_JOKER,
    BLANK,
    CALL,
    CHALLENGE,
    DRAW,
    EFFECT,
    FEND_OFF,
    FEW_POINTS,
    FITTING,
    GIVE_HOURGLASS,
    GRAB,
    HAND,
    HIGH,
    HOURGLASS,
    JOKER,
    KEEP,
    KNOCK,
    KNOCK_HIGH,
    KNOCK_LOW,
    LAY,
    LOW,
    MAX_PLAYERS,
    NUM_CARDS,
    OPEN,
    PICK,
    PLAY_HAND,
    PLAY_ON,
    RUN,
    SIT_OUT,
    SIT_OUT_EFFECT,
    SWAP_EFFECT,
    TAKE,
    TAKE_HIGH,
    TAKE_LOW,
    VALUES,
)
from goldgriff.envs.gluecksgriff.state import (
    AT_HIGH,
    DRAWN,
    EXTENDING,
    GIVING,
    LAYING,
    MAGIC,
    NO_CARD,
    NOBODY,
    OPENING,
    PLAY,
    RISING,
    SAME,
    SERVED,
    SPOILS,
    Bytes,
    State,
)

# --- Looking at cards ---------------------------------------------------------------------------


@rule
def is_joker(game: State, card: int) -> bool:
    """Whether a card stands for any value (G3.2, G9.7)."""
    return bool(card == JOKER or (card >= BLANK and game.effects[card - BLANK] == AS_JOKER))


@rule
def jokers_in(game: State, seat: int) -> int:
    """How many jokers a hand holds, blanks that act as one included."""
    count = int(game.hands[seat, JOKER])
    for blank in range(game.num_blanks):
        if game.effects[blank] == AS_JOKER:
            count += int(game.hands[seat, BLANK + blank])
    return count


@hot
def hand_points(game: State, seat: int) -> int:
    """What a hand counts (G8.1)."""
    points = 0
    for card in range(NUM_CARDS):
        points += int(game.hands[seat, card]) * int(game.points[card])
    return points


@rule
def play_top(game: State) -> int:
    """Place of the top card of the play in the discard pile."""
    return int(game.discard_size - game.laid - 1)


@rule
def play_bottom(game: State) -> int:
    """Place of the lowest card of the play in the discard pile."""
    return int(game.discard_size - game.laid - game.play_size)


@rule
def last_discard(game: State) -> int:
    """The card on top of the discard pile, laid cards included."""
    return int(game.discards[game.discard_size - 1])


# --- What is legal ------------------------------------------------------------------------------


@hot
def list_legal(game: State) -> None:
    """Write the legal moves of the player to decide into the record."""
    legal, phase = game.legal, game.phase
    legal[:] = 0
    if game.over == 1:
        return
    if phase == PLAY:
        list_turns(game)
    elif phase == LAYING:
        list_additions(game)
    elif phase == EXTENDING:
        list_extensions(game)
        if game.laid >= 2:  # G5.2: by at least two cards in all
            legal[KNOCK] = 1
    elif phase == DRAWN:
        list_late_additions(game)
    elif phase == SERVED:
        list_answers(game)
    elif phase == GIVING:
        list_takes(game)
    elif phase == OPENING:
        for card in range(NUM_CARDS):  # G7.4
            legal[OPEN + card] = game.hands[game.mover, card] > 0
    else:
        list_spoils(game)


@hot
def list_turns(game: State) -> None:
    """How a turn may begin: there is always a way, since any card can be laid (G2.6)."""
    seat, legal = game.mover, game.legal
    hand = game.hands[seat]
    for card in range(NUM_CARDS):
        legal[LAY + card] = hand[card] > 0  # G2.1: G3.1, G3.3; every blank as a plain card: G9.4
    if hand[HOURGLASS] > 0:
        for steps in range(1, game.num_players):  # G2.3
            if may_be_served(game, steps):
                legal[GIVE_HOURGLASS + steps - 1] = 1
                legal[LAY + HOURGLASS] = 0  # G6.7: plain only with no legal target
    if hand[HAND] > 0 and game.caller == NOBODY:
        legal[PLAY_HAND] = 1
        legal[LAY + HAND] = 0  # G7.7: plain only after a call
    # G2.4, G8.2: one call a round, with few points; G8.5: or, with the option, with any
    if game.caller == NOBODY and (game.penalties == 1 or hand_points(game, seat) < FEW_POINTS):
        legal[CALL] = 1
    list_effects(game)
    list_extensions(game)  # G2.2


@rule
def may_be_served(game: State, steps: int) -> bool:
    """Whether the player some steps clockwise may be made to sit out (G6.2)."""
    target = next_seat(game, game.mover, steps)
    if game.front[target] != NO_CARD or game.sat_out[target] == 1:
        return False
    # He must have a turn to come; `turns_left` counts the mover's, too.
    return bool(game.caller == NOBODY or steps < game.turns_left)


@hot
def list_effects(game: State) -> None:
    """Blanks played for their effect on a chosen player, also after a call (G9.5)."""
    for blank in range(game.num_blanks):
        effect = game.effects[blank]
        if game.hands[game.mover, BLANK + blank] == 0 or effect <= AS_JOKER:
            continue
        if effect == SWAP_EFFECT and game.hand_sizes[game.mover] == 1:
            continue  # G9.11: a swap empties no hand
        for steps in range(1, game.num_players):
            if effect != SIT_OUT_EFFECT or may_be_served(game, steps):  # G9.8
                game.legal[EFFECT + blank * (MAX_PLAYERS - 1) + steps - 1] = 1


@hot
def list_additions(game: State) -> None:
    """What may be laid along with the cards laid, and how the turn may end (G3, G4, G5)."""
    if game.laid_kind == SAME:
        list_set(game)
        if game.laid == 1:
            list_run(game)
        if may_knock(game):
            game.legal[KNOCK] = 1
    elif game.laid_kind == RISING:
        list_run(game)
    if game.laid_kind != RISING or game.laid >= 3:  # G3.1: a run is at least three
        list_takes(game)


@hot
def list_set(game: State) -> None:
    """One more card of the same value (G3.1)."""
    hand = game.hands[game.mover]
    if game.value == NO_CARD:  # a lone joker
        for value in range(VALUES):
            game.legal[ADD + value] = hand[value] > 0
    elif hand[game.value] > 0:
        game.legal[ADD + game.value] = 1
    if not is_joker(game, last_discard(game)):  # G3.2: never next to each other
        list_jokers(game, ADD + VALUES)


@hot
def list_run(game: State) -> None:
    """The next higher card of a run, if the run can still be made three (G3.1, G3.2)."""
    seat, legal = game.mover, game.legal
    hand, jokers = game.hands[seat], jokers_in(game, seat)
    joker_on_top = is_joker(game, last_discard(game))
    if game.value == NO_CARD:  # a joker alone: the next card decides what it stands for
        for value in range(1, VALUES):
            if hand[value] > 0 and goes_on(hand, jokers, value + 1):
                legal[RUN + value] = 1
        return
    following = game.value + game.laid
    if following >= VALUES:  # G3.1: runs do not wrap around
        return
    complete = game.laid >= 2  # the next card is the third
    if hand[following] > 0 and (complete or goes_on(hand, jokers, following + 1)):
        legal[RUN + following] = 1
    if joker_on_top or not (complete or goes_on(hand, 0, following + 1)):
        return
    list_jokers(game, RUN + VALUES)


@rule
def goes_on(hand: Bytes, jokers: int, value: int) -> bool:
    """Whether a run can be given one more card, of this value."""
    return bool(value < VALUES and (hand[value] > 0 or jokers > 0))


@rule
def may_knock(game: State) -> bool:
    """Whether the cards laid, one or a set, may be knocked on the play (G5.1, G5.3)."""
    if game.play_size == 0 or game.play_run == 1:
        return False
    top = int(game.discards[play_top(game)])
    return bool(top < VALUES and (game.value == NO_CARD or game.value == top))


@hot
def list_extensions(game: State) -> None:
    """How the run on the pile may be extended, low end first, by two cards at least (G5.2)."""
    if game.play_run == 0 or (game.laid > 0 and game.phase != EXTENDING):
        return
    seat = game.mover
    below_low = game.play_low - game.laid_low - 1
    above_high = game.play_low + game.play_size + game.laid - game.laid_low
    lowest = game.discards[play_bottom(game)]  # extensions at the low end lie at the bottom
    low_joker = is_joker(game, int(lowest))
    high_joker = is_joker(game, last_discard(game))
    enough = game.laid >= 1  # the next card is the second, at least
    hand, jokers = game.hands[seat], jokers_in(game, seat)
    if game.laid_kind != AT_HIGH and below_low >= 0:
        # After one card at the low end another must fit at either end.
        high = ends(hand, jokers, above_high, high_joker)
        if hand[below_low] > 0 and (enough or high or ends(hand, jokers, below_low - 1, False)):
            game.legal[LOW + FITTING] = 1
        left = ends(hand, jokers - 1, above_high, high_joker)
        if not low_joker and (enough or left or ends(hand, jokers - 1, below_low - 1, True)):
            list_jokers(game, LOW + FITTING + 1)
    if above_high < VALUES:
        if hand[above_high] > 0 and (enough or ends(hand, jokers, above_high + 1, False)):
            game.legal[HIGH + FITTING] = 1
        if not high_joker and (enough or ends(hand, jokers - 1, above_high + 1, True)):
            list_jokers(game, HIGH + FITTING + 1)


@rule
def ends(hand: Bytes, jokers: int, value: int, beside_joker: bool) -> bool:
    """Whether a run's end can be given one more card, of this value (G3.2, G5.2)."""
    if value < 0 or value >= VALUES:
        return False
    return bool(hand[value] > 0 or (jokers > 0 and not beside_joker))


@rule
def list_jokers(game: State, first: int) -> None:
    """Each joker of the hand; `first` is laying the card of that name, the blanks follow."""
    hand = game.hands[game.mover]
    game.legal[first] = hand[JOKER] > 0
    for blank in range(game.num_blanks):
        if hand[BLANK + blank] > 0 and is_joker(game, BLANK + blank):
            game.legal[first + 1 + blank] = 1


@hot
def list_takes(game: State) -> None:
    """Which card may be taken: from the face-down pile or off the play (G4)."""
    game.legal[DRAW] = 1
    if game.play_size == 0:
        return
    if may_take(game, play_top(game)):
        game.legal[TAKE_HIGH if game.play_run == 1 else TAKE] = 1
    if game.play_run == 1 and may_take(game, play_bottom(game)):
        game.legal[TAKE_LOW] = 1


@rule
def may_take(game: State, place: int) -> bool:
    """Whether a card of the discard pile may be taken: G4.3 no special one, G4.4 not one's own.

    Blanks (G9.3), an hourglass (G6.5) and the Magic Hand, after which nothing can be taken (G4.5),
    are special.
    """
    return bool(game.discards[place] < VALUES and game.layers[place] != game.mover)


@rule
def list_late_additions(game: State) -> None:
    """Whether the card just drawn may be knocked (G5.4), or is kept (G5.5)."""
    game.legal[KEEP] = 1
    card, low = game.drawn, game.value
    joker = is_joker(game, card)
    if game.laid_kind == SAME:
        # G5.3: asked only when no joker lies on top, so that one may be added.
        if joker or card == game.value:
            game.legal[KNOCK] = 1
        return
    above = low + game.laid
    lowest = int(game.discards[game.discard_size - game.laid])
    if low > 0 and (card == low - 1 or (joker and not is_joker(game, lowest))):
        game.legal[KNOCK_LOW] = 1
    if above < VALUES and (card == above or (joker and not is_joker(game, last_discard(game)))):
        game.legal[KNOCK_HIGH] = 1


@rule
def list_answers(game: State) -> None:
    """What a player before whom an hourglass lies may do (G2.5)."""
    game.legal[SIT_OUT] = 1  # G6.3
    if game.must_sit_out[game.mover] == 1:  # G6.6: he played on last time
        return
    if game.hands[game.mover, HOURGLASS] > 0:
        game.legal[FEND_OFF] = 1  # G6.4
    if game.penalties == 1:
        game.legal[PLAY_ON] = 1  # G6.6


@rule
def list_spoils(game: State) -> None:
    """What the Magic Hand brings its player (G7.2), or a right challenge (G7.5)."""
    for steps in range(1, game.num_players):
        other = next_seat(game, game.mover, steps)
        if game.open[other] != NO_CARD:
            game.legal[PICK + steps - 1] = 1
            if game.bluffing == 1 and game.phase == MAGIC:  # G7.4
                game.legal[CHALLENGE + steps - 1] = 1
    if game.phase == SPOILS:
        for card in range(NUM_CARDS):
            game.legal[GRAB + card] = game.hands[game.deceiver, card] > 0
    list_takes(game)
