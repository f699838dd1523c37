"""A match together with the events of its moves."""

import numpy as np

from ..envs.engine import kernels
from ..envs.engine.game import Game
from ..envs.engine.serialization import cards_in
from ..envs.engine.settings import GameSettings
from ..envs.engine.state import state_at
from ..envs.match import Match
from .events import Event, Move, Position
from .narrator import get_narrator


class EventLog:
    """A match and all that happened in it, as one seat may know it.

    Attributes:
        viewer: The seat that the events are written for; None for all hands open.
        events: The events of the first deal, then those of each move.
    """

    def __init__(self, game: Game, settings: GameSettings, seed: int, viewer: int | None) -> None:
        self.viewer = viewer
        self.narrator = get_narrator(game)
        self.match = Match(game, settings)
        self.events: list[list[Event]] = []
        self._seed = seed
        self.go_back(0)

    def play(self, action: int) -> list[Event]:
        """Play a move and return its events. Raises MoveError, and changes nothing."""
        match, narrator = self.match, self.narrator
        seat, before = match.current_player, position_of(match)
        states = match.game.new_states(match.settings, 1)
        states[0] = match.state
        ended_round = match.act(action) >= kernels.ROUND_ENDED
        after, points = position_of(match), None
        if ended_round:
            points = tuple(match.round_points)
            if narrator.stop_after_round(state := state_at(states, 0)):
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
        self.events = self.events[: moves + 1] or [self.narrator.deal(position_of(self.match))]

    def scored_rounds(self) -> list[list[float]]:
        """Return the points of each seat in each round that is over."""
        points = [
            event.number or 0.0
            for events in self.events
            for event in events
            if event.kind == "points"
        ]
        players = self.match.settings.num_players
        return [points[k : k + players] for k in range(0, len(points), players)]

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
        match, viewer, narrator = self.match, self.viewer, self.narrator
        position, known = position_of(match), {}
        if viewer is not None and not match.over:
            for k, counts in enumerate(match.known_cards(viewer), start=1):
                known[(viewer + k) % len(match.rewards)] = cards_in(counts, match.game.cards)
        seats = []
        for seat, hand in enumerate(position["hands"]):
            seen = seat not in known
            seats.append(
                {
                    "hand": hand if seen else None,
                    "size": len(hand),
                    "score": position["scores"][seat],
                    "hand_points": narrator.hand_points(match.settings, hand) if seen else None,
                    "known": known.get(seat, []),
                    "notes": narrator.seat_notes(position, seat),
                }
            )
        return {
            **{"discard": position["discard"][-1:], "laid": 0, "run": False, "drawn": None},
            **narrator.view(position, viewer),
            "seats": seats,
            "notes": narrator.turn_notes(position, viewer),
            "current_player": position["current_player"],
            "round": max(position["round"] - match.over, 1),  # the end counts on
            "pile": len(position["pile"]),
            "over": match.over,
            "text": "" if narrator.has_view else match.draw(viewer),
        }


def position_of(match: Match) -> Position:
    """Return the position of a match, with the fields that narrators rely on.

    They are `hands`, `scores`, `current_player`, `discard`, `pile` and `round`; the last three are
    empty, or 1, in a game that does not write them.
    """
    state, cards = match.state, match.game.cards
    hands = [cards_in(state.hands[seat], cards) for seat in range(len(match.rewards))]
    needed = {"hands": hands, "scores": match.scores, "current_player": match.current_player}
    return needed | {"discard": [], "pile": [], "round": 1} | match.position()
