"""Analysis of a stored game: the value of each decision, from what its seat knew.

Every decision with a choice is analysed from its seat's information state. All legal actions are
tried in STATES sampled states. The best one and the played one are then compared in CHECKED other
states, since the best of many noisy estimates is too high. A decision is marked where the played
action is worse by more than a threshold, and by more than ERRORS standard errors.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...agents.registry import load_agent
from ...envs.match import Match
from ...errors import MoveError, RecordError
from ..tournament.guard import Player
from ..tournament.replay import StoredGame
from .action_probabilities import action_probabilities
from .estimates import estimate

STATES, CHECKED = 100, 400
MARKS = (("??", 0.05), ("?", 0.02))  # with the loss of win probability that they begin at
ERRORS = 2.0  # standard errors that a marked loss exceeds, too


@dataclass(frozen=True)
class Decision:
    """A decision with a choice, analysed.

    Attributes:
        move: Its number in the game, from 1.
        seat: The seat that decided.
        played: The action that was played.
        best: The action of the highest estimate.
        probabilities: The analysing agent's, by legal action, the likeliest first.
        values: The estimated win probability by legal action.
        loss: How much lower that of the played action is than that of the best.
        error: Standard error of the loss.
    """

    move: int
    seat: int
    played: int
    best: int
    probabilities: Mapping[int, float]
    values: Mapping[int, float]
    loss: float
    error: float

    @cached_property
    def mark(self) -> str:
        """`?` for a mistake, `??` for a blunder, else empty."""
        if self.loss <= ERRORS * self.error:
            return ""
        return next((mark for mark, least in MARKS if self.loss >= least), "")


def analyse_decision(match: Match, played: int, player: Player) -> Decision:
    """Analyse the current decision of a match.

    Args:
        match: Its current player has a choice.
        played: The action that was played.
        player: The agent whose probabilities are asked for.

    Raises:
        AgentError: The agent fails.
    """
    probabilities = action_probabilities(match, player)
    legal = tuple(np.flatnonzero(match.mask).tolist())
    tried = estimate(match, legal, STATES)
    first = tried.best()
    checked = estimate(match, tuple(dict.fromkeys((played, first))), CHECKED, STATES)
    best, values = checked.best(), checked.values
    for action in set(legal) - {*values}:  # relative to the first, which was tried twice
        values[action] = max(checked.values[first] - tried.lead(first, action)[0], 0.0)
    loss, error = checked.lead(best, played)
    move, seat = len(match.moves) + 1, match.current_player
    return Decision(move, seat, played, best, probabilities, values, loss, error)


class GameAnalysis:
    """The analysis of a stored game, move by move.

    Args:
        stored: The game.
        agent: Name of the agent whose probabilities are shown.

    Attributes:
        decisions: Those analysed so far; a decision without a choice is none of them.

    Raises:
        AgentError: The agent cannot be had.
    """

    def __init__(self, stored: StoredGame, agent: str) -> None:
        self.stored, self.agent = stored, agent
        self.decisions: list[Decision] = []
        self._player = Player(agent, load_agent(agent, stored.game))
        self._match = Match(stored.game, stored.settings)
        self._match.start(stored.seed)

    @property
    def done(self) -> int:
        """Number of moves that have been analysed."""
        return len(self._match.moves)

    @property
    def complete(self) -> bool:
        """Whether all moves have been analysed."""
        return self.done == len(self.stored.actions)

    def step(self) -> None:
        """Analyse the next move.

        Raises:
            AgentError: The agent fails.
            RecordError: The move is not legal.
        """
        match, played = self._match, self.stored.actions[self.done]
        legal = np.flatnonzero(match.mask)
        if played in legal and len(legal) > 1:
            self.decisions.append(analyse_decision(match, played, self._player))
        try:
            match.act(played)
        except MoveError as error:
            number, move = self.stored.number, self.done + 1
            raise RecordError(code="no-replay", number=number, move=move, reason=error) from None


def analysis_record(analysis: GameAnalysis) -> dict[str, Any]:
    """Return the analysis as plain data, moves by name."""
    actions = analysis.stored.game.actions
    return {
        "agent": analysis.agent,
        "states": STATES,
        "checked": CHECKED,
        "thresholds": dict(MARKS),
        "errors": ERRORS,
        "decisions": [_decision_record(decision, actions) for decision in analysis.decisions],
    }


def _decision_record(decision: Decision, actions: Sequence[str]) -> dict[str, Any]:
    """Return a decision as plain data; `actions` are the names of all moves."""
    moves = [
        {"move": actions[action], "probability": probability, "win": decision.values[action]}
        for action, probability in decision.probabilities.items()
    ]
    return {
        "move": decision.move,
        "player": decision.seat,
        "played": actions[decision.played],
        "best": actions[decision.best],
        "loss": decision.loss,
        "error": decision.error,
        "mark": decision.mark,
        "moves": moves,
    }
