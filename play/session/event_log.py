"""A match together with the events of its moves."""

from collections.abc import Mapping, Sequence

import numpy as np

from ...envs.engine import kernels
from ...envs.engine.game import Game
from ...envs.engine.serialization import cards_in
from ...envs.engine.settings import GameSettings
from ...envs.engine.state import state_at
from ...envs.match import Match
from ..narrators.events import Event, Move, Position
from ..narrators.narrator import get_narrator
from ..narrators.round_end import RoundEnd

LAID = ("lay", "add", "run", "low", "high", "knock.drawn")  # kinds of events that lay cards


class EventLog:
    """A match and all that happened in it, as one seat may know it.

    Attributes:
        viewer: The seat that the events are written for; None for all hands open.
        events: The events of the first deal, then those of each move.
        round_ends: The ends of rounds, by the number of moves that had been made then.
    """

    def __init__(self, game: Game, settings: GameSettings, seed: int, viewer: int | None) -> None:
        self.viewer = viewer
        self.narrator = get_narrator(game)
        self.match = Match(game, settings)
        self.events: list[list[Event]] = []
        self.round_ends: dict[int, RoundEnd] = {}
        self._seed = seed
        self.go_back(0)

    def play(self, action: int) -> list[Event]:
        """Play a move and return its events. Raises MoveError, and changes nothing."""
        match, narrator = self.match, self.narrator
        seat, before = match.current_player, position_of(match)
        states = match.game.new_states(match.settings, 1)
        states[0] = match.state
        ended_round = match.act(action) >= kernels.ROUND_ENDED
        after, points, stopped = position_of(match), None, False
        if ended_round:
            points = tuple(match.round_points)
            stopped = narrator.stop_after_round(state := state_at(states, 0))
            if stopped:
                rewards = np.zeros((1, match.settings.num_players), np.float32)
                row, resets, out = np.zeros(1, np.int64), kernels.NO_RESETS, kernels.NO_OUTPUTS
                kernels.step_each(states, row, np.array([action]), 0, rewards, resets, out)
                after = match.game.write_position(state)
        name, over = match.game.actions[action], match.over
        events = narrator.narrate(
            Move(
                *(match.settings, self.viewer, seat, action, name),
                *(before, after, match.state, points),
                *(match.round_sheet, over),
            )
        )
        if points is not None:
            scored = tuple(event for event in events if event.kind == "points")
            laid = _laid_last(events, after) if stopped else None
            end = RoundEnd(after if stopped else None, points, match.round_sheet, scored, laid)
            self.round_ends[len(match.moves)] = end
        if ended_round and not over:
            events += narrator.deal(position_of(match))
        self.events.append(events)
        return events

    def go_back(self, moves: int) -> None:
        """Return to where the match stood after so many moves; later moves are dropped."""
        kept = self.match.moves[:moves]
        self.match.start(self._seed)
        for action in kept:
            self.match.act(action)
        self.round_ends = {at: end for at, end in self.round_ends.items() if at <= moves}
        self.events = self.events[: moves + 1] or [self.narrator.deal(position_of(self.match))]

    def scored_rounds(self) -> list[list[float]]:
        """Return what the total of each seat rose by in each round that is over."""
        return [list(end.points) for end in self.round_ends.values()]

    @property
    def round_end(self) -> RoundEnd | None:
        """The end of the round that the last move ended, None if it ended none."""
        return self.round_ends.get(len(self.match.moves))

    def round_start(self) -> int:
        """Return the place in `events` at which the current round was dealt."""
        return max(k for k, events in enumerate(self.events) if events[-1].kind == "deal")

    def visible_position(self) -> Position:
        """Return what the viewer sees; all hands if there is no viewer or the match is over.

        Returns:
            `seats`: for each seat its `hand` and `hand_points` (None if hidden), `size`, `score`,
            `notes`, and `known`, the cards that the viewer knows to be in a hidden hand. `notes`:
            those on the turn. `pile`: the size of the pile. `text`: the table as the game prints
            it, empty where the narrator has a view. `discard`, `laid`, `run`, `drawn`: see
            `Narrator.view`. `current_player`, `round`, `over`: as their names say.
        """
        match, viewer = self.match, self.viewer
        known = {}
        if viewer is not None and not match.over:
            for k, counts in enumerate(match.known_cards(viewer), start=1):
                known[(viewer + k) % len(match.rewards)] = cards_in(counts, match.game.cards)
        position = position_of(match)
        round_number = max(position["round"] - match.over, 1)  # the end counts on
        return {
            **self._table(position, known),
            "notes": self.narrator.turn_notes(position, viewer),
            "round": round_number,
            "over": match.over,
            "text": "" if self.narrator.has_view else match.draw(viewer),
        }

    def final_position(self) -> Position | None:
        """Return the table at the end of the last round that is over, as `visible_position`.

        None if no round is, and where the narrator cannot stop a game there.
        """
        end = self.round_ends.get(max(self.round_ends, default=0))
        if end is None or end.position is None:
            return None
        hidden: dict[int, list[str]] = {seat: [] for seat in end.hidden_seats(self.viewer)}
        return {
            **self._table(end.position, hidden),
            **{"notes": [], "drawn": None, "round": len(self.round_ends)},
            **{"over": self.match.over, "text": ""},
        }

    def _table(self, position: Position, known: Mapping[int, list[str]]) -> Position:
        """Return the seats and piles of a position; `known` has the hands that stay hidden."""
        narrator, seats = self.narrator, []
        for seat, hand in enumerate(position["hands"]):
            seen = seat not in known
            points = narrator.hand_points(self.match.settings, hand) if seen else None
            seats.append(
                {
                    "hand": hand if seen else None,
                    "size": len(hand),
                    "score": position["scores"][seat],
                    "hand_points": points,
                    "known": known.get(seat, []),
                    "notes": narrator.seat_notes(position, seat),
                }
            )
        return {
            **{"discard": position["discard"][-1:], "laid": 0, "run": False, "drawn": None},
            **narrator.view(position, self.viewer),
            "seats": seats,
            "current_player": position["current_player"],
            "pile": len(position["pile"]),
        }


def _laid_last(events: Sequence[Event], after: Position) -> Event | None:
    """Return the event of the cards with which a player emptied their hand, None if nobody did."""
    laid = [event for event in events if event.kind in LAID and event.seat is not None]
    return next((event for event in laid if not after["hands"][event.seat]), None)


def position_of(match: Match) -> Position:
    """Return the position of a match, with the fields that narrators rely on.

    They are `hands`, `scores`, `current_player`, `discard`, `pile` and `round`; the last three are
    empty, or 1, in a game that does not write them.
    """
    state, cards = match.state, match.game.cards
    hands = [cards_in(state.hands[seat], cards) for seat in range(len(match.rewards))]
    needed = {"hands": hands, "scores": match.scores, "current_player": match.current_player}
    return needed | {"discard": [], "pile": [], "round": 1} | match.position()
