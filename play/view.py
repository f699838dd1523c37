"""The table as one seat sees it, as plain data: what the page draws."""

from typing import Any

from .chronicle import Chronicle


def view(chronicle: Chronicle) -> dict[str, Any]:
    """What the chronicle's viewer sees; all hands when nobody in particular looks.

    seats: of each its hand (None if hidden), size, score, what its cards count, the cards that the
    viewer knows to be in a hidden hand, and marks as the game has them. mover, phase, round, pile:
    whose turn it is, what there is to decide, the round's number, the size of the pile. The
    rest stands in the game's `view`.
    """
    position, viewer = chronicle.match.position(), chronicle.viewer
    settings, teller = chronicle.match.settings, chronicle.teller
    table = teller.view(position, viewer)
    seats = []
    for seat, hand in enumerate(position["hands"]):
        seen = viewer in (None, seat) or chronicle.match.over
        seats.append(
            {
                "hand": hand if seen else None,
                "size": len(hand),
                "score": position["scores"][seat],
                "worth": teller.worth(settings, hand) if seen else None,
                "known": [] if seen else position["known"][viewer][seat],
                **table["marks"][seat],
            }
        )
    return {
        **{name: value for name, value in table.items() if name != "marks"},
        "seats": seats,
        "current_player": position["current_player"],
        "phase": position["phase"],
        "round": position["round"] - chronicle.match.over,  # the end counts on
        "pile": len(position["pile"]),
        "over": chronicle.match.over,
    }
