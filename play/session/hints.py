"""A hint: what an agent would do in a person's place, and why in words."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...agents.registry import AGENTS
from ...envs.engine.game import Game
from ...envs.match import Match
from ...eval.analysis.action_probabilities import action_probabilities
from ...eval.analysis.estimates import estimate
from ...eval.tournament.guard import Player
from ..narrators.advice import Advice, compare
from ..narrators.narrator import get_narrator
from .event_log import position_of

STATES = 200  # sampled states in which every move is tried
LEAST = 0.005  # of the agent's probability, so that a move is shown


@dataclass(frozen=True)
class Hint:
    """An agent's probability of each legal move, by action, the likeliest first.

    Attributes:
        agent: Its name.
        probabilities: The probabilities.
        values: The estimated win probability of each of these moves, empty where there is one.
        reasons: Why its likeliest move is good, or what speaks against it.
    """

    agent: str
    probabilities: Mapping[int, float]
    values: Mapping[int, float]
    reasons: tuple[Advice, ...]

    def shown(self, most: int) -> list[int]:
        """Return the moves to show: at most so many of the likely ones, and the compared one."""
        frequent = [action for action, share in self.probabilities.items() if share >= LEAST]
        compared = {reason.other for reason in self.reasons} & self.probabilities.keys()
        return [action for action in self.probabilities if action in {*frequent[:most], *compared}]


def default_agent(game: Game) -> str:
    """Return the agent that plays unless another is named."""
    names = {entry.name for entry in AGENTS if entry.game == game.name}
    return "expert" if "expert" in names else "random"


def hint(match: Match, player: Player) -> Hint:
    """Ask an agent about the current decision; it sees what the current player sees.

    The advice is the likeliest move of `action_probabilities`. It is compared with all others by
    rollouts in the same sampled states, which may favour another one. These, too, follow from
    nothing that the player does not know.

    Raises AgentError, with one line, when the agent fails.
    """
    probabilities = action_probabilities(match, player)
    first = next(iter(probabilities))
    narrator, position = get_narrator(match.game), position_of(match)
    reasons = narrator.advise(match.settings, position, match.game.actions[first])
    if len(probabilities) == 1:
        return Hint(player.name, probabilities, {}, (Advice("only"), *reasons))
    legal = tuple(np.flatnonzero(match.mask).tolist())
    estimates = estimate(match, legal, STATES)
    reasons = (compare(estimates, first, player.name, probabilities[first]), *reasons)
    return Hint(player.name, probabilities, estimates.values, reasons)
