"""A whole benchmark: our modes and those of the peers that are installed, in turns."""

import math
from collections.abc import Callable, Sequence

from ...envs.engine.game import Game
from ...errors import SettingsError
from .machine import machine, versions
from .measure import Mode, measure
from .own import bytes_a_game, own_modes
from .peers import PEERS, Peer, installed
from .report import Bench
from .targets import facts

LIBRARIES = ("numpy", "numba", "gymnasium", "torch", "stable-baselines3", "sb3-contrib", "jax")


def check_request(repeats: int, seconds: float) -> None:
    """Raise SettingsError for a benchmark that cannot be run."""
    if repeats < 1:
        raise SettingsError(f"repeats must be at least 1, not {repeats}")
    if not (math.isfinite(seconds) and seconds > 0):
        raise SettingsError(f"seconds must be a number above 0, not {seconds}")


def all_versions() -> dict[str, str | None]:
    """The version of everything that takes part."""
    return versions([*LIBRARIES, *(peer.distribution for peer in PEERS)])


def choose(modes: Sequence[Mode], only: Sequence[str]) -> list[Mode]:
    """The modes whose key holds one of some texts; all of them when there are none.

    Raises SettingsError for a text that is in no key.
    """
    for text in only:
        if not any(text in mode.key for mode in modes):
            keys = ", ".join(mode.key for mode in modes)
            raise SettingsError(f"no mode has {text!r} in its name; there are {keys}")
    return [mode for mode in modes if not only or any(text in mode.key for text in only)]


def run_bench(
    games: Sequence[Game],
    *,
    repeats: int,
    seconds: float,
    only: Sequence[str] = (),
    more: Sequence[Mode] = (),
    peers: Sequence[Peer] = PEERS,
    on_start: Callable[[int], None] = lambda _: None,
    on_turn: Callable[[Mode], None] = lambda _: None,
) -> Bench:
    """Measure all modes of some games, those in `more`, and the peers.

    on_start: called with the number of turns there will be. on_turn: called after each.
    Raises SettingsError.
    """
    check_request(repeats, seconds)
    offered = [mode for game in games for mode in own_modes(game)]
    offered += [*more, *(mode for peer in peers for mode in peer.modes)]
    modes = choose(offered, only)
    asked = [peer for peer in peers if any(mode in modes for mode in peer.modes)]
    missing = [peer for peer in asked if not installed(peer)]
    modes = [mode for mode in modes if not any(mode in peer.modes for peer in missing)]
    if not modes:
        names = ", ".join(peer.library for peer in missing)
        raise SettingsError(f"nothing to measure: not installed is {names}")
    on_start(len(modes) * (repeats + 1))
    about = machine()  # its load is that before the run
    tracks = measure(modes, repeats=repeats, seconds=seconds, on_turn=on_turn)
    sizes = {game.name: bytes_a_game(game) for game in games}
    return Bench(
        tracks=tracks,
        facts=facts([game.name for game in games], tracks, sizes),
        missing=[peer.library for peer in missing],
        machine=about,
        versions=all_versions(),
        repeats=repeats,
        seconds=seconds,
    )
