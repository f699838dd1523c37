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


@dataclass(frozen=True)
class Standing:
    """How one agent did: its share of the win of a game and its points in a game, in the mean.

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


def schedule(entered: Sequence[int], seats: int, deals: int) -> NDArray[np.int64]:
    """Seating of all games, int64 (games, seats), deal by deal.

    entered: the agents' numbers as they were entered; one entered twice sits twice.
    """
    chosen = np.array(lineups(len(entered), seats))
    rotated = [np.roll(lineup, shift) for lineup in chosen for shift in range(seats)]
    one_deal = np.asarray(entered, np.int64)[np.array(rotated)]
    return np.tile(one_deal, (deals, 1))


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

    Raises SettingsError for fewer than 2 deals, which give no interval, and MoveError, naming
    the agent, when one plays an illegal move.
    """
    if deals < 2:
        raise SettingsError(f"deals must be at least 2, for an interval, not {deals}")
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
