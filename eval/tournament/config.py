"""The configuration of a tournament: its line-ups, deals and shards."""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.game import Game, get_game
from ...envs.engine.reading import number_or_none, read_seed, read_whole, whole_or_none
from ...envs.engine.settings import GameSettings
from ...errors import SettingsError, quoted
from .seating import Lineup, field_lineups, lineups, seatings_of

MAX_DEALS = 1_000_000
# A shard is played, stored and checked as one. It holds at most SHARD_GAMES games (or one deal),
# and there are at least MIN_SHARDS of them where the deals suffice, so that slow agents keep all
# cores busy and an interruption loses little.
SHARD_GAMES = 1024
MIN_SHARDS = 16
FormatName = Literal["round-robin", "field", "ladder"]
FORMATS: tuple[FormatName, ...] = get_args(FormatName)
RANDOM = "random"  # in place of a seed: one is drawn
_NAME = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]+")  # one line that can be stored and shown


@dataclass(frozen=True)
class TournamentConfig:
    """What a tournament plays; with the agents it determines every game.

    Attributes:
        game: Kind of game.
        rules: Settings of the game without `num_players`; a `preset` is replaced by its settings.
        player_counts: Numbers of players; every deal is played with each of them.
        agents: Names of the agents that take part; one that is listed twice takes two seats.
        deals: Maximum number of deals, 2 to `MAX_DEALS`.
        seed: Seed of the deals and of the bootstrap intervals, 0 to 2**64 - 1.
        format: `round-robin`: all choices of the entrants meet. `field`, `ladder`: each of the
            first `challengers` entrants meets all choices of the others.
        challengers: Number of challengers in the formats `field` and `ladder`.
        until: Stop when the widest 95 % interval of a difference in win share is narrower than
            this; None plays all deals.

    Raises:
        SettingsError: A value is outside its range.
    """

    game: Game
    rules: Mapping[str, Any]
    player_counts: tuple[int, ...]
    agents: tuple[str, ...]
    deals: int = 200
    seed: int = 1
    format: str = "round-robin"
    challengers: int = 1
    until: float | None = None

    def __post_init__(self) -> None:
        def replace(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        if not self.agents:
            raise SettingsError("a tournament needs at least one agent")
        for name in self.agents:
            if not (isinstance(name, str) and _NAME.fullmatch(name)):
                raise SettingsError(f"an agent's name must be a line of text, not {quoted(name)}")
        replace("game", get_game(self.game))
        counts = tuple(self.settings(count).num_players for count in self.player_counts)
        if not counts or len(set(counts)) < len(counts):
            raise SettingsError("players must be different numbers of players, at least one")
        replace("player_counts", counts)
        rules = self.game.settings.resolve(self.rules)
        rules.pop("num_players", None)  # a preset's, which `player_counts` has
        replace("rules", rules)
        if not isinstance(self.format, str) or self.format not in FORMATS:
            raise SettingsError(
                f"format must be one of {', '.join(FORMATS)}, not {quoted(self.format)}"
            )
        replace("deals", read_whole("deals", self.deals, 2, MAX_DEALS))  # 1 gives no interval
        replace("seed", read_seed(self.seed))
        replace("challengers", read_whole("challengers", self.challengers, 1))
        if self.format != "round-robin" and self.challengers >= len(self.agents):
            raise SettingsError("a challenger needs a field of at least one other agent")
        if self.until is not None:
            until = number_or_none(self.until)
            if until is None or not 0 < until < 2:
                raise SettingsError(code="until", setting="until", given=quoted(self.until))
            replace("until", until)
            if len(self.names) < 2:
                raise SettingsError("until needs two different agents to take a difference of")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The different agents; everywhere else an agent is its index here."""
        return tuple(dict.fromkeys(self.agents))

    @property
    def players(self) -> str:
        """The numbers of players as text: "2 and 4 players"."""
        return f"{' and '.join(map(str, self.player_counts))} players"

    def settings(self, num_players: int) -> GameSettings:
        """Return the settings of the game for `num_players` players."""
        return self.game.settings.from_dict({**self.rules, "num_players": num_players})

    def lineups(self, num_players: int) -> list[Lineup]:
        """Return the line-ups, each of `num_players` agents."""
        entrants = len(self.agents)
        if self.format == "round-robin":
            chosen = lineups(entrants, num_players)
        else:
            chosen = field_lineups(entrants, self.challengers, num_players)
        # Line-ups that differ only in which copy of an agent takes a seat are the same games.
        different = dict[Lineup, Lineup]()
        for lineup in chosen:
            agents = tuple(self.names.index(self.agents[place]) for place in lineup)
            different.setdefault(tuple(sorted(agents)), agents)
        return list(different.values())

    def seatings(self, num_players: int, deals: range) -> NDArray[np.int64]:
        """Return the agent of every seat in the games of some deals.

        Returns:
            int64 (deals, games, seats); every deal has the same number of games.
        """
        numbers = np.arange(deals.start, deals.stop)
        seatings = [seatings_of(lineup, numbers) for lineup in self.lineups(num_players)]
        return np.concatenate(seatings, axis=1)

    @property
    def games_per_deal(self) -> int:
        """Number of games of one deal, over all player counts."""
        first = range(1)
        return sum(self.seatings(players, first).shape[1] for players in self.player_counts)

    @property
    def deals_per_shard(self) -> int:
        """Number of deals in a shard; the last shard may have fewer."""
        return max(1, min(SHARD_GAMES // self.games_per_deal, self.deals // MIN_SHARDS))

    @property
    def num_shards(self) -> int:
        """Number of shards."""
        return -(-self.deals // self.deals_per_shard)

    def deals_in(self, shard: int) -> range:
        """Return the numbers of the deals of a shard."""
        first = shard * self.deals_per_shard
        return range(first, min(first + self.deals_per_shard, self.deals))


def tournament_config(
    game: Game | str,
    agents: Sequence[str],
    settings: GameSettings | Mapping[str, Any] | None = None,
    player_counts: int | Iterable[int] | None = None,
    **options: Any,
) -> TournamentConfig:
    """Return the configuration of a tournament between named agents.

    Args:
        game: Kind of game, or its name.
        agents: Names of the entrants; a name that is given twice takes two seats.
        settings: Settings of the game, or a mapping of them by name.
        player_counts: A number of players or several, by default the one of `settings`.
        **options: Other fields of `TournamentConfig`; the seed may be `random`.
    """
    game = get_game(game)
    counts: tuple[Any, ...] | None = None
    if isinstance(player_counts, Iterable) and whole_or_none(player_counts) is None:
        counts = tuple(player_counts)
    elif player_counts is not None:
        counts = (player_counts,)
    if isinstance(options.get("seed"), str) and options["seed"] == RANDOM:
        options["seed"] = secrets.randbits(64)
    if counts and not isinstance(settings, GameSettings):
        values = settings or {}  # a preset may be for one number of players only
        settings, *_ = (game.read_settings({**values, "num_players": count}) for count in counts)
    rules = game.read_settings(settings).to_dict()
    own_count = rules.pop("num_players")
    counts = (own_count,) if counts is None else counts
    return TournamentConfig(game, rules, counts, tuple(agents), **options)
