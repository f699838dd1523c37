"""The command `exploit`; `cli.py` puts all commands together."""

import argparse
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ...agents.registry import load_agent
from ...envs.engine.game import get_game
from ...envs.engine.settings import GameSettings
from ...files import write_whole
from .agents import DETERMINISTIC, SAMPLES, TOLD
from .exploit import Exploited, exploit


def add_exploit_options(added: argparse.ArgumentParser) -> None:
    """Add the options of `goldgriff exploit` besides game and rules."""
    add = added.add_argument
    about = "a name (see `goldgriff agents`), a checkpoint, a run folder or module:Class"
    add("agent", metavar="AGENT", help=about)
    about = (
        "decisions in each information state of an agent that cannot tell its probabilities, each "
        f"with new random bits (default: {SAMPLES})"
    )
    add("--samples", type=int, default=SAMPLES, metavar="N", help=about)
    add("--seed", type=int, default=1, metavar="S", help="seed of these bits (default: 1)")
    add("--json", type=Path, metavar="FILE", help="write the figures to this file, too")


def exploit_command(options: argparse.Namespace, rules: dict[str, Any]) -> None:
    """Print what best responses win against an agent in a small game."""
    game = get_game(options.game)
    settings = _settings(options, rules)
    agent = load_agent(options.agent, game)
    found = exploit(game, agent, settings, samples=options.samples, seed=options.seed)
    if options.json:
        content = {"agent": options.agent, "seed": options.seed, **found.to_dict()}
        write_whole(options.json, (json.dumps(content, indent=2) + "\n").encode())
    _print(options.agent, found)


def _settings(options: argparse.Namespace, rules: dict[str, Any]) -> GameSettings:
    given = {} if options.players is None else {"num_players": options.players}
    return get_game(options.game).settings.from_dict({**rules, **given})


def _print(agent: str, found: Exploited) -> None:
    table = Table("player", "information states", "agent", "best response", "gain")
    columns = zip(found.tree.sides, found.values, found.best_responses, strict=True)
    for seat, (side, value, best) in enumerate(columns):
        numbers = f"{value:.6f}", f"{best:.6f}", f"{best - value:.6f}"
        table.add_row(str(seat + 1), f"{len(side.parents):,}", *numbers)
    how = {
        TOLD: "its probabilities",
        DETERMINISTIC: "its actions; it uses no random bits",
    }.get(found.played.method, f"{found.played.samples} decisions in each information state")
    console = Console()
    console.print(
        f"{agent} in {found.tree.game.title}, {found.tree.num_histories:,} histories, by {how}",
        markup=False,
        highlight=False,
    )
    console.print(table)
    console.print(f"NashConv {found.nash_conv:.6f}", highlight=False)
