"""What a seat should observe of a position of Glücksgriff, worked out from the position alone."""

from typing import Any

from ..observations import counts, cut, one_hot

CARDS = [
    *(str(value) for value in range(15)),
    *("joker", "hourglass", "hand"),
    *(f"blank{number}" for number in range(1, 8)),
]
KINDS = [None, "set", "run", "low", "high", "special"]
PHASES = ["play", "lay", "extend", "drawn", "hourglass", "giving", "open", "magic", "prize"]


def expected(position: dict[str, Any], settings: Any, seat: int) -> dict[str, list[int]]:
    """The fields of the page, without the zeros at their ends."""
    players, hands = settings.num_players, position["hands"]
    clockwise = [(seat + steps) % players for steps in range(players)]
    points = {**{str(value): value for value in range(15)}, "joker": 15, "hourglass": 15}
    points |= {"hand": 20}
    points |= {f"blank{k}": blank.points for k, blank in enumerate(settings.blanks, start=1)}
    drawn = position["drawn"] if seat == position["current_player"] else None
    grabbing = position["phase"] == "grab"

    def someone(name: str) -> list[int]:
        whom = position[name]
        return one_hot(5 if whom is None else clockwise.index(whom), 6)

    def of_each(name: str) -> list[int]:
        return [int(position[name][other] not in (None, 0)) for other in clockwise]

    return {
        "hand": counts(hands[seat], CARDS),
        "known": [
            count
            for other in clockwise[1:]
            for count in counts(position["known"][seat][other], CARDS)
        ],
        "discard": counts(position["discard"], CARDS),
        **the_play(position, settings, seat),
        "laid": [cut(position["laid"], 15)],
        "laid_kind": one_hot(KINDS.index(position["laid_kind"]), 6),
        "value": one_hot(value_laid(position), 15),
        "drawn": one_hot(None if drawn is None else CARDS.index(drawn), 25),
        "open": [mark for other in clockwise for mark in of_card(position["open"][other])],
        "hand_points": [cut(sum(points[card] for card in hands[seat]), 255)],
        "hand_sizes": [len(hands[other]) for other in clockwise],
        "scores": [cut(position["scores"][other], 255) for other in clockwise],
        "front": of_each("front"),
        "sat_out": of_each("sat_out"),
        "must_sit_out": of_each("must_sit_out"),
        "caller": someone("caller"),
        "turns_left": [position["turns_left"]],
        "magician": someone("magician"),
        "challenged": someone("challenged"),
        "players": one_hot(players - 2, 4),
        "current_player": one_hot(clockwise.index(position["current_player"]), 5),
        "phase": one_hot(None if grabbing else PHASES.index(position["phase"]), 9),
        "pile": [len(position["pile"])],
        "limit": [cut(settings.point_limit, 255)],
        "options": [100 * settings.bluffing, 100 * settings.penalties, settings.late_knock],
        "phase_grab": [int(grabbing)],
        "readings": [
            int(settings.last_turn == "forced"),
            int(settings.fend_off == "turn"),
            int(settings.challenge_prize == "both"),
            int(settings.joker_knock == "run_end"),
            int(settings.joker_knock == "wide"),
        ],
    }


def of_card(card: str | None) -> list[int]:
    return one_hot(None if card is None else CARDS.index(card), 25)


def the_play(position: dict[str, Any], settings: Any, seat: int) -> dict[str, list[int]]:
    """The fields of the discard pile's top and of the play that the turn began with."""
    discard, size, run = position["discard"], position["last_play"], position["run"]
    # Of an extension the cards at the low end lie below the play (G5.2), all others above it.
    end = len(discard) - position["laid"] + position["laid_low"]
    play, layers = discard[end - size : end], position["layers"][end - size : end]
    fields = {
        "top": of_card(discard[-1] if discard else None),
        "play_top": of_card(play[-1] if play else None),
        "play_bottom": of_card(play[0] if run else None),
        "run_low": one_hot(lowest(play) if run else None, 15),
        "run_size": [len(play) if run else 0],
        "own_ends": [int(bool(play) and layers[-1] == seat), int(run and layers[0] == seat)],
        "set_value": [],
    }
    if settings.joker_knock == "wide" and play and not run and is_joker(play[-1], settings):
        fields["set_value"] = one_hot(natural(play), 15)
    return fields


def is_joker(card: str, settings: Any) -> bool:
    blank = card.removeprefix("blank")
    return card == "joker" or (blank != card and settings.blanks[int(blank) - 1].effect == "joker")


def natural(cards: list[str]) -> int | None:
    """The value of a set; None where no trick card is in it."""
    return next((int(card) for card in cards if card.isdigit()), None)


def lowest(run: list[str]) -> int:
    """The lowest value of a run, the value of a joker included."""
    return next(int(card) - place for place, card in enumerate(run) if card.isdigit())


def value_laid(position: dict[str, Any]) -> int | None:
    """The value of the set laid in this turn, the lowest of the run."""
    laid = position["discard"][len(position["discard"]) - position["laid"] :]
    if position["laid_kind"] == "run":
        return lowest(laid)
    return natural(laid) if position["laid_kind"] == "set" else None
