"""Measure an agent in many fields: among copies of each other agent, and at mixed tables.

A field is who sits in the other seats. The aim is an even share of the wins in each of them: Ge et
al., "Securing Equal Share: A Principled Approach for Learning Multiplayer Symmetric Games", 2024
(arXiv 2406.04201).
"""

import argparse
import json
import os
import random
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import goldgriff
from goldgriff.agents.registry import AGENTS, fingerprint, load_agent
from goldgriff.cli.console import run
from goldgriff.cli.options import Options, option
from goldgriff.envs.engine.game import Game, get_game
from goldgriff.envs.engine.threads import cores
from goldgriff.eval.report.report import summary
from goldgriff.eval.tournament.config import tournament_config
from goldgriff.eval.tournament.store import open_or_create
from goldgriff.eval.tournament.tournament import run_tournament
from goldgriff.files import claimed, make_folder, write_whole

# Checkpoints by game that stay when champions are replaced; tests/pinned/README.md describes them.
PINNED = Path(__file__).resolve().parents[1] / "tests" / "pinned"
EXPERT = "expert"  # among whom each cell has `LONGER` times as many deals
MIXED_TABLES = 3  # for each number of players
MARGIN = 0.01  # a share of wins may lie below an even one by this much
LONGER = 10


@dataclass(kw_only=True)
class FieldOptions(Options):
    """The options of `python -m benchmarks.fields`.

    Attributes:
        game: Its name.
        agent: The agent that is measured: its name, a checkpoint or the folder of a run.
        deals: Deals of a cell; a cell among `expert`s or close to the limit gets ten times as many.
        seed: Seed of the deals; those of a longer cell have the next one.
        out: Folder of the tournaments and of fields.json; the same command resumes.
    """

    game: str
    agent: str = option(required=True, metavar="AGENT")
    deals: int = 1000
    seed: int = 5000
    out: Path = option(required=True, metavar="DIR")


@dataclass(frozen=True)
class Cell:
    """The results of the agent in one field.

    Attributes:
        players: Number of players.
        field: The agent of which copies sit in the other seats, or the name of a mixed table.
        others: The agents in the other seats.
        deals: Deals played.
        above_even: The agent's share of wins minus an even share.
        low, high: Ends of its 95 % interval.
        agents: `win_share`, `mean_points` and the rest by agent, as in the `results.json` of a
            tournament.
    """

    players: int
    field: str
    others: tuple[str, ...]
    deals: int
    above_even: float
    low: float
    high: float
    agents: dict[str, Any]

    @property
    def is_below(self) -> bool:
        """Return whether the interval reaches below the limit."""
        return self.low < -MARGIN

    @property
    def text(self) -> str:
        """The difference with its interval in percentage points, bold below the limit."""
        mean, *ends = (100 * value for value in (self.above_even, self.low, self.high))
        mark = "**" if self.is_below else ""
        return f"{mark}{with_interval(mean, ends, form='+z.1f')}{mark}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure an agent; the exit status is 0, or 1 for bad input."""
    words = sys.argv[1:] if arguments is None else arguments
    return run("benchmarks", lambda: measure(FieldOptions.read(parser().parse_args(words))), words)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fields", description=__doc__)
    FieldOptions.add_to(parser)
    return parser


def measure(options: FieldOptions) -> None:
    """Play all cells that are not played yet, print the tables and write fields.json.

    Raises:
        GoldgriffError: There is no such game or agent, or the folder cannot be used.
    """
    game, cells = get_game(options.game), list[Cell]()
    load_agent(options.agent, game)  # where there is none, no folder is made
    for players in player_counts(game):
        for field, others in fields(game, options.agent, players).items():
            cells.append(play(game, options, players, field, others))
            print(f"{players} players, {field}: {cells[-1].text}", file=sys.stderr)
    worst = min(cells, key=lambda cell: cell.above_even)
    for table in (matrix(cells), mixed_tables(cells), among_experts(cells, options.agent)):
        print(table)
    below = sum(cell.is_below for cell in cells)
    print(f"Worst field: {worst.text}, {worst.field}, {worst.players} players.")
    print(f"Below the limit: {below} of {len(cells)} cells.")
    results = {
        "game": game.id,
        "version": goldgriff.__version__,
        "agent": options.agent,
        "fingerprint": fingerprint(options.agent, game),
        "seed": options.seed,
        "worst_field": asdict(worst),
        "cells": [asdict(cell) for cell in cells],
    }
    write_whole(options.out / "fields.json", f"{json.dumps(results, indent=2)}\n".encode())


def player_counts(game: Game) -> range:
    """Return the numbers of players that a game has."""
    low, high = game.settings.__dataclass_fields__["num_players"].metadata["range"]
    return range(low, high + 1)


def agents_of(game: Game) -> list[str]:
    """Return the agents that an agent is measured among.

    They are the shipped ones that answer without search, without the levels, which are the champion
    with errors, and the pinned files.
    """
    entries = [entry for entry in AGENTS if entry.game == game.name]
    shipped = [entry.name for entry in entries if entry.scripted or entry.name == "champion"]
    pinned = sorted((PINNED / game.name).glob("*.safetensors"))
    return [*shipped, *map(os.path.relpath, pinned)]


def fields(game: Game, agent: str, players: int) -> dict[str, tuple[str, ...]]:
    """Return the other agents by field: copies of each of them, then those of mixed tables.

    The draw of mixed tables depends on the number of players alone, so that all agents have the
    same, but for those where they were drawn themselves. With two players there are none.
    """
    names = agents_of(game)
    others: dict[str, tuple[str, ...]] = {label(name): (name,) for name in names if name != agent}
    for table in range(MIXED_TABLES if players > 2 else 0):
        order = random.Random(f"{players} {table}").sample(names, len(names))
        drawn = [name for name in order if name != agent]
        others[f"mixed table {table + 1}"] = tuple(drawn[: players - 1])
    return others


def play(
    game: Game, options: FieldOptions, players: int, field: str, others: tuple[str, ...]
) -> Cell:
    """Return a cell: of more deals among experts, and where the interval contains the limit."""
    cell = None if field == EXPERT else _play(game, options, players, field, others, 1)
    if cell is None or cell.low <= -MARGIN <= cell.high:
        cell = _play(game, options, players, field, others, LONGER)
    return cell


def _play(
    game: Game,
    options: FieldOptions,
    players: int,
    field: str,
    others: tuple[str, ...],
    times: int,
) -> Cell:
    deals = times * options.deals
    config = tournament_config(
        game,
        [options.agent, *others],
        player_counts=players,
        format="field",
        deals=deals,
        seed=options.seed + (times > 1),
    )
    folder = options.out / f"{players}-players" / field.replace(" ", "-") / str(deals)
    make_folder(folder)
    with claimed(folder), open_or_create(folder, game, dict(config.rules)) as store:
        results = summary(run_tournament(config, store=store, workers=cores()))
    agents = {label(name): values for name, values in results["agents"].items()}
    own = agents[label(options.agent)]
    share, low, high = (x - 1 / players for x in (own["win_share"], *own["win_share_ci"]))
    return Cell(players, field, tuple(map(label, others)), deals, share, low, high, agents)


def label(name: str) -> str:
    """Return an agent's name in results: of a pinned file, its own without the folder."""
    return Path(name).stem if Path(name).resolve().is_relative_to(PINNED) else name


def matrix(cells: Sequence[Cell]) -> str:
    """Return the table of all cells: a row for each field."""
    counts = sorted({cell.players for cell in cells})
    rows: dict[str, dict[int, str]] = {}
    for cell in cells:
        name = cell.field if len(cell.others) > 1 else f"`{cell.field}`"
        rows.setdefault(name, {})[cell.players] = cell.text
    return markdown(
        ["among", *(f"{players} players" for players in counts)],
        [[name, *(row.get(players, "") for players in counts)] for name, row in rows.items()],
    )


def mixed_tables(cells: Sequence[Cell]) -> str:
    """Return the table of who sits at the mixed tables."""
    rows = [
        [f"{cell.players} players, {cell.field}", ", ".join(f"`{name}`" for name in cell.others)]
        for cell in cells
        if len(cell.others) > 1
    ]
    return markdown(["", "in the other seats"], rows)


def among_experts(cells: Sequence[Cell], agent: str) -> str:
    """Return the table of shares of wins and points among experts."""
    headings = ["among `expert`s", "share of wins", "even"]
    headings += [f"mean points, `{name}`" for name in (agent, EXPERT)]
    rows = []
    for cell in (cell for cell in cells if cell.field == EXPERT):
        own, expert = cell.agents[label(agent)], cell.agents[EXPERT]
        share, *ends = (100 * value for value in (own["win_share"], *own["win_share_ci"]))
        points = [with_interval(a["mean_points"], a["mean_points_ci"]) for a in (own, expert)]
        even = f"{100 / cell.players:.1f} %"
        rows.append([f"{cell.players} players", with_interval(share, ends, " %"), even, *points])
    return markdown(headings, rows)


def with_interval(mean: float, ends: Sequence[float], unit: str = "", form: str = ".1f") -> str:
    """Return a mean with its interval as text."""
    return f"{mean:{form}}{unit} ({' - '.join(format(end, form) for end in ends)})"


def markdown(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
