"""Who meets whom in which seats: line-ups, seat arrangements, and the plan of a tournament."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.game import Game
from ..envs.engine.settings import GameSettings
from ..errors import SettingsError

MAX_DEALS = 1_000_000
# Deals that are played, stored and checked together: with at most so many games, or one deal, and
# so few that slow agents keep all cores busy and lose little when they are interrupted.
BLOCK_GAMES = 1024
MIN_BLOCKS = 16
FORMATS = ("round-robin", "field", "ladder")

Lineup = tuple[int, ...]


@dataclass(frozen=True)
class TournamentConfig:
    """What is to be played: the games of a tournament follow from it and the agents alone.

    rules: the settings of the game but `num_players`. tables: numbers of players at a table.
    names: the agents by number. entered: who takes part, by number; one entered twice sits twice.
    format: `round-robin` (all choices of the entered) or one against the field: each of the first
    `challengers` entered against all choices of the others; a `ladder` takes them from a store.
    deals: the most that are played. until: stop when the widest 95 % interval of a difference in
    win share is narrower than this; None plays all deals.

    Raises SettingsError for what no tournament can be played with.
    """

    game: Game
    rules: Mapping[str, Any]
    tables: tuple[int, ...]
    names: tuple[str, ...]
    entered: tuple[int, ...]
    deals: int
    seed: int
    format: str = "round-robin"
    challengers: int = 1
    until: float | None = None

    def __post_init__(self) -> None:
        if not self.entered:
            raise SettingsError("a tournament needs at least one agent")
        if self.format not in FORMATS:
            raise SettingsError(f"format must be one of {', '.join(FORMATS)}, not {self.format!r}")
        if self.format != "round-robin" and len(self.entered) <= self.challengers:
            raise SettingsError("a challenger needs a field of at least one other agent")
        if not 2 <= self.deals <= MAX_DEALS:  # fewer than 2 give no interval
            raise SettingsError(
                f"deals must be at least 2 and at most {MAX_DEALS}, not {self.deals}"
            )
        if not 0 <= self.seed < 2**64:
            raise SettingsError(f"seed must be a whole number from 0 to 2**64 - 1, not {self.seed}")
        if self.until is not None and not 0 < self.until < 2:
            raise SettingsError(f"until must be a width above 0 and below 2, not {self.until}")
        if self.until is not None and len(self.names) < 2:
            raise SettingsError("until needs two different agents, whose difference it is about")
        if not self.tables or len(set(self.tables)) < len(self.tables):
            raise SettingsError("players must be different numbers of players, at least one")
        for players in self.tables:
            self.settings(players)

    def settings(self, players: int) -> GameSettings:
        """The settings of a table with so many players."""
        return self.game.settings.from_dict({**self.rules, "num_players": players})

    def one_deal(self, players: int) -> NDArray[np.int64]:
        """Seating of the games that one deal is played in, int64 (games, seats)."""
        if self.format == "round-robin":
            chosen = lineups(len(self.entered), players)
        else:
            chosen = challenges(len(self.entered), self.challengers, players)
        # Line-ups that differ only in which copy of an agent sits would be the same games again.
        seats = [arranged for lineup in chosen for arranged in arrangements(self._agents(lineup))]
        return np.array(list(dict.fromkeys(seats)), np.int64)

    @property
    def games_a_deal(self) -> int:
        """Games that one deal is played in, at all tables."""
        return sum(len(self.one_deal(players)) for players in self.tables)

    @property
    def block_deals(self) -> int:
        """Deals in a block; the last block may have fewer."""
        return max(1, min(BLOCK_GAMES // self.games_a_deal, self.deals // MIN_BLOCKS))

    @property
    def blocks(self) -> int:
        """How many blocks the deals make."""
        return -(-self.deals // self.block_deals)

    def deals_in(self, block: int) -> range:
        """The numbers of the deals of a block."""
        first = block * self.block_deals
        return range(first, min(first + self.block_deals, self.deals))

    def _agents(self, lineup: Lineup) -> Lineup:
        return tuple(self.entered[place] for place in lineup)


def tournament_config(
    game: Game, agents: Sequence[str], settings: GameSettings, **options: Any
) -> TournamentConfig:
    """The plan of a tournament at tables of one size; `options` are the other fields of `TournamentConfig`."""
    names = tuple(dict.fromkeys(agents))
    rules = settings.to_dict()
    players = rules.pop("num_players")
    entered = tuple(names.index(name) for name in agents)
    return TournamentConfig(game, rules, (players,), names, entered, **options)


def lineups(agents: int, seats: int) -> list[Lineup]:
    """Who meets: with enough agents every choice of them; else all, repeated to fill the seats."""
    if agents >= seats:
        return list(combinations(range(agents), seats))
    return [tuple(seat % agents for seat in range(seats))]


def challenges(agents: int, challengers: int, seats: int) -> list[Lineup]:
    """Each of the first agents against every choice of the others, as `lineups` makes it."""
    field = lineups(agents - challengers, seats - 1)
    return [
        (challenger, *(challengers + other for other in others))
        for challenger in range(challengers)
        for others in field
    ]


def arrangements(lineup: Lineup) -> list[Lineup]:
    """Every rotation of a line-up and of its mirror image, each different one once.

    So everybody sits in every seat as often and has each neighbour behind as often as before.
    """
    turned = [
        order[shift:] + order[:shift]
        for order in (lineup, lineup[::-1])
        for shift in range(len(lineup))
    ]
    return list(dict.fromkeys(turned))
