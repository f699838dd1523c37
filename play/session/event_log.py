"""A match together with the lines of its log."""

from collections.abc import Mapping
from typing import Any

from ...envs.engine import kernels
from ...envs.engine.game import Game
from ...envs.engine.serialization import cards_in
from ...envs.engine.settings import GameSettings
from ...envs.history import EventReader
from ...envs.match import Match
from ..narrators.decision import Decision, read_happenings
from ..narrators.lines import Line, Position
from ..narrators.narrator import get_narrator
from ..narrators.round_end import RoundEnd


class EventLog:
    """A match and all that happened in it, as one seat may know it.

    Attributes:
        viewer: The seat that the lines are written for; None for all hands open.
        lines: The lines of the first deal, then those of each move.
        round_ends: The ends of rounds, by the number of moves that had been made then.
    """

    def __init__(self, game: Game, settings: GameSettings, seed: int, viewer: int | None) -> None:
        self.viewer = viewer
        self.narrator = get_narrator(game)
        self.match = Match(game, settings)
        self.lines: list[list[Line]] = []
        self.round_ends: dict[int, RoundEnd] = {}
        self._seed = seed
        self._reader: EventReader | None = None  # made when it is needed
        self.go_back(0)

    def play(self, action: int) -> list[Line]:
        """Play a move and return its lines. Raises MoveError, and changes nothing."""
        match = self.match
        if self._reader is None:
            self._reader = match.reader()
            for earlier in match.moves:
                self._reader.play(earlier)
        ended_round = match.act(action) >= kernels.ROUND_ENDED
        happenings = read_happenings(match.game, self._reader.play(action), self.viewer)
        state, points = self._reader.state, tuple(match.round_points) if ended_round else None
        after = position_of(match, state)
        decision = Decision(match, self.viewer, happenings, after, state, points)
        lines = self.narrator.narrate(decision)
        if ended_round:
            self.round_ends[len(match.moves)] = RoundEnd.of(decision, lines, self.narrator)
        if ended_round and not match.over:
            lines += self.narrator.deal(position_of(match))
        self.lines.append(lines)
        return lines

    def go_back(self, moves: int) -> None:
        """Return to where the match stood after so many moves; later moves are dropped."""
        kept = self.match.moves[:moves]
        self.match.start(self._seed)
        for action in kept:
            self.match.act(action)
        self._reader = None
        self.round_ends = {at: end for at, end in self.round_ends.items() if at <= moves}
        self.lines = self.lines[: moves + 1] or [self.narrator.deal(position_of(self.match))]

    def scored_rounds(self) -> list[list[float]]:
        """Return what the total of each seat rose by in each round that is over."""
        return [list(end.points) for end in self.round_ends.values()]

    @property
    def round_end(self) -> RoundEnd | None:
        """The end of the round that the last move ended, None if it ended none."""
        return self.round_ends.get(len(self.match.moves))

    def round_start(self) -> int:
        """Return the place in `lines` at which the current round was dealt."""
        return max(k for k, lines in enumerate(self.lines) if lines[-1].kind == "deal")

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
        known_cards = {}
        if viewer is not None and not match.over:
            for k, counts in enumerate(match.known_cards(viewer), start=1):
                known_cards[(viewer + k) % len(match.rewards)] = cards_in(counts, match.game.cards)
        position = position_of(match)
        round_number = max(position["round"] - match.over, 1)  # the end counts on
        return {
            **self._table(position, known_cards),
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


def position_of(match: Match, state: Any = None) -> Position:
    """Return a position, with the fields that narrators rely on.

    They are `hands`, `scores`, `current_player`, `discard`, `pile` and `round`; the last three are
    empty, or 1, in a game that does not write them.

    Args:
        match: The match.
        state: The state to write; None for that of the match.
    """
    state, game = match.state if state is None else state, match.game
    hands = [cards_in(state.hands[seat], game.cards) for seat in range(len(match.rewards))]
    needed = {"hands": hands, "scores": match.scores, "current_player": int(state.current_player)}
    return needed | {"discard": [], "pile": [], "round": 1} | game.write_position(state)


def rule_id_of(match: Match, action: int) -> str:
    """Return the id of the rule that allows a legal action, empty in a game that does not say."""
    return match.game.cite(match.game.rule_of(match.state, action))
