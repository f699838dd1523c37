"""Duplicate tournaments: every line-up plays every deal in every rotation of its seats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.batch import derive_seeds
from goldgriff.envs.core.errors import SettingsError
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.settings import GameSettings
from goldgriff.eval.play import Outcomes, Player, play_games
from goldgriff.eval.statistics import Estimate, estimate

MAX_DEALS = 1_000_000


@dataclass(frozen=True)
class Standing:
    """How one agent did: its mean share of a game's win and its mean points in a game.

    games: results counted; an agent that sits in two seats of a game has two results there.
    """

    name: str
    win_share: Estimate
    points: Estimate
    games: int


@dataclass(frozen=True)
class Tournament:
    """A finished tournament; standings with the best win share first.

    seating: int64 (games, seats), numbers in `names`. seeds: uint64 (games,).
    """

    game: Game
    settings: GameSettings
    seed: int
    deals: int
    names: list[str]
    standings: list[Standing]
    seating: NDArray[np.int64]
    seeds: NDArray[np.uint64]
    outcomes: Outcomes


def lineups(agents: int, seats: int) -> list[tuple[int, ...]]:
    """Who meets: with enough agents every choice of them; else all, repeated to fill the seats."""
    if agents >= seats:
        return list(combinations(range(agents), seats))
    return [tuple(seat % agents for seat in range(seats))]


def games_in(agents: int, seats: int, deals: int) -> int:
    """How many games a tournament has."""
    return len(lineups(agents, seats)) * seats * deals


def schedule(entered: Sequence[int], seats: int, deals: int) -> NDArray[np.int64]:
    """Seating of all games, int64 (games, seats), deal by deal.

    entered: the agents' numbers as they were entered; one entered twice sits twice.
    """
    chosen = np.array(lineups(len(entered), seats))
    rotated = [np.roll(lineup, shift) for lineup in chosen for shift in range(seats)]
    one_deal = np.asarray(entered, np.int64)[np.array(rotated)]
    return np.tile(one_deal, (deals, 1))


def check_request(agents: Sequence[object], deals: int, seed: int) -> None:
    """Refuse what no tournament can be played with. Raises SettingsError."""
    if not agents:
        raise SettingsError("a tournament needs at least one agent")
    if not 2 <= deals <= MAX_DEALS:  # fewer than 2 give no interval
        raise SettingsError(f"deals must be at least 2 and at most {MAX_DEALS}, not {deals}")
    if not 0 <= seed < 2**64:
        raise SettingsError(f"seed must be a whole number from 0 to 2**64 - 1, not {seed}")


def run_tournament(
    game: Game,
    settings: GameSettings,
    players: Sequence[Player],
    *,
    deals: int,
    seed: int,
    threads: int = 1,
    on_finished: Callable[[int], None] = lambda _: None,
) -> Tournament:
    """Play a tournament; one name entered several times is one agent in several seats.

    Raises SettingsError as `check_request` does, and AgentError, naming the agent, when one fails
    or plays an illegal move.
    """
    check_request(players, deals, seed)
    names = list(dict.fromkeys(player.name for player in players))
    by_name = {player.name: player for player in players}
    entered = [names.index(player.name) for player in players]
    seating = schedule(entered, settings.num_players, deals)
    seeds = np.repeat(derive_seeds(seed, deals), len(seating) // deals)
    outcomes = play_games(
        game,
        settings,
        [by_name[name] for name in names],
        seating,
        seeds,
        threads=threads,
        on_finished=on_finished,
    )
    standings = [
        _standing(name, seating == number, outcomes, deals, seed)
        for number, name in enumerate(names)
    ]
    standings.sort(key=lambda standing: -standing.win_share.mean)
    return Tournament(game, settings, seed, deals, names, standings, seating, seeds, outcomes)


def _standing(
    name: str, seated: NDArray[np.bool_], outcomes: Outcomes, deals: int, seed: int
) -> Standing:
    """One agent's means, each over its results of a deal first; `seated` is (games, seats)."""
    results = int(seated.sum())
    shares = outcomes.win_shares[seated].reshape(deals, -1).mean(axis=1)
    points = outcomes.points[seated].reshape(deals, -1).mean(axis=1)
    return Standing(name, estimate(shares, seed), estimate(points, seed), results)
