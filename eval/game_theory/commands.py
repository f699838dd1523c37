"""The commands `solve` and `exploit`; `cli/main.py` puts all commands together."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ...agents.registry import load_agent
from ...cli.console import print_json
from ...cli.options import option
from ...cli.shared_options import JsonOptions, TableOptions
from ...cli.stopping import resumable
from ...envs.engine.game import Game, get_game
from ...envs.engine.settings import GameSettings
from ...errors import AgentError
from ...files import FileError, make_folder, write_whole
from ...naming import counted, did_you_mean
from .agents import DETERMINISTIC, EXACT, SAMPLES, AgentStrategies, read_samples, strategies_of
from .beliefs import ExploitedByBeliefs, exploit_by_beliefs, probabilities_of
from .exploit import Exploited, exploit_on
from .solutions import is_solution, load_solution, shipped_path, solution_data
from .solve import MAX_ITERATIONS, NASH_CONV, check_limits, is_solved, solve
from .states import build_state_graph, check_size
from .strategies import nash_conv
from .tree import MAX_NODES, Progress, build_tree, describe_size

SOLUTION = "solution"  # in place of an agent: that of the library


@dataclass(kw_only=True)
class ExploitOptions(TableOptions):
    """The options of `goldgriff exploit`.

    Attributes:
        agent: A name (see `goldgriff agents`), a checkpoint, a run folder, module:Class, a file of
            `goldgriff solve`, or solution for the one that comes with the library.
        samples: Decisions in each information state of an agent that does not give its
            probabilities, each with new random bits.
        seed: Seed of these bits.
        json: Print the figures as JSON, nothing else; with FILE write them to it, too.
    """

    agent: str
    samples: int = SAMPLES
    seed: int = 1
    json: Path | bool | None = option(None, nargs="?", const=True, metavar="FILE")


@dataclass(kw_only=True)
class SolveOptions(TableOptions, JsonOptions):
    """The options of `goldgriff solve`.

    Attributes:
        out: Needed: file of the solution; what was begun there is resumed.
        nash_conv: Solve until NashConv is at most this.
        iterations: Iterations of CFR+ at most.
        json: Print the figures of the solution as JSON, nothing else.
    """

    out: Path = option(required=True, metavar="FILE")
    nash_conv: float = NASH_CONV
    iterations: int = MAX_ITERATIONS


def solve_command(options: SolveOptions) -> None:
    """Solve a small game, or resume it, and write the solution; print what is solved already."""
    game, settings, console = get_game(options.game), options.settings(), Console(stderr=True)
    limits: dict[str, Any] = {"target": options.nash_conv, "max_iterations": options.iterations}
    check_limits(**limits)
    if not is_solved(options.out, game, settings, **limits):
        tree = build_tree(game, settings, symmetric=True)
        with resumable(options.line), console.status("", refresh_per_second=2) as status:

            def show_progress(iteration: int, nash_conv: float) -> None:
                status.update(f"{counted(iteration, 'iteration')}: {nash_conv:.2e}")

            solve(tree, options.out, **limits, on_progress=show_progress)
    figures = solution_data(options.out)
    if options.json:
        print_json(figures)
        return
    text = f"{counted(figures['iterations'], 'iteration')}, NashConv {figures['nash_conv']:.3e}"
    if figures["correlated_gap"] is not None:
        text += f", gap to a coarse correlated equilibrium {figures['correlated_gap']:.3e}"
    values = ", ".join(f"{value:z.6f}" for value in figures["values"])
    print(f"{options.out}: {text}, values of the players {values}")


def exploit_command(options: ExploitOptions) -> None:
    """Print what best responses win against an agent in a small game."""
    game, settings = get_game(options.game), options.settings()
    read_samples(options.samples)
    if isinstance(options.json, Path):
        if options.json.is_dir():
            raise FileError(f"cannot write {options.json}: Is a directory")
        if not options.json.exists():
            make_folder(options.json.parent)
    console = Console(stderr=True)
    with console.status("", refresh_per_second=2) as status:
        result, of_random = _exploit(options, game, settings, status.update)
    if options.json:
        figures: dict[str, Any] = {"agent": options.agent, "game": game.id}
        figures |= {"settings": settings.to_dict(), **result.to_dict()}
        figures["nash_conv_of_random"] = of_random
        if isinstance(result, Exploited):
            figures["seed"] = options.seed
        if not isinstance(options.json, Path):
            print_json(figures)
            return
        write_whole(options.json, (json.dumps(figures, indent=2) + "\n").encode())
    show(options.agent, game, result, of_random)


def _exploit(
    options: ExploitOptions, game: Game, settings: GameSettings, on_progress: Progress
) -> tuple[Exploited | ExploitedByBeliefs, float]:
    """Return the best responses to an agent, and the NashConv of random play.

    They are found in a tree, or by beliefs where a tree would be too large.
    """
    if options.agent == SOLUTION or is_solution(options.agent):
        on_progress("building the tree")
        tree = build_tree(game, settings, symmetric=True)
        path = shipped_path(tree) if options.agent == SOLUTION else Path(options.agent)
        played = AgentStrategies(load_solution(path, tree).strategies, EXACT, 0)
    else:
        try:
            agent = load_agent(options.agent, game)
        except AgentError as error:
            raise AgentError(f"{error}{did_you_mean(options.agent, [SOLUTION])}") from None
        estimate = check_size(game, settings)
        if estimate > MAX_NODES:
            try:
                policy = probabilities_of(agent)
            except AgentError as error:
                raise AgentError(f"{error}; {describe_size(game, estimate)}") from None
            graph = build_state_graph(game, settings, on_progress=on_progress)
            by_beliefs, at_random = (
                exploit_by_beliefs(game, settings, chosen, graph=graph, on_progress=on_progress)
                for chosen in (policy, probabilities_of(load_agent("random", game)))
            )
            return by_beliefs, at_random.nash_conv
        on_progress("building the tree")
        samples, seed, tree = options.samples, options.seed, build_tree(game, settings)
        played = strategies_of(tree, agent, samples=samples, seed=seed, on_progress=on_progress)
    result = exploit_on(tree, played, on_progress=on_progress)
    return result, nash_conv(tree, [side.uniform() for side in tree.sides])


def show(agent: str, game: Game, result: Exploited | ExploitedByBeliefs, of_random: float) -> None:
    """Print a result as a table."""
    if isinstance(result, Exploited):
        unit, sizes = "information states", [len(side.parents) for side in result.tree.sides]
        how = {
            EXACT: "by its probabilities",
            DETERMINISTIC: "by its actions; it uses no random bits",
        }.get(result.played.method, f"by {result.played.samples} sampled in each information state")
    else:
        unit, sizes = "beliefs", result.num_beliefs
        how = counted(result.num_states, "state")
    table = Table("player", unit, "agent", "best response", "gain")
    columns = zip(sizes, result.values, result.best_responses, strict=True)
    for seat, (size, value, best) in enumerate(columns):
        numbers = f"{value:z.6f}", f"{best:z.6f}", f"{best - value:z.6f}"
        table.add_row(str(seat + 1), f"{size:,}", *numbers)
    title = f"{agent} in {game.title}, {result.num_histories:,.0f} histories, {how}"
    console = Console()
    console.print(title, markup=False, highlight=False)
    console.print(table)
    nash_convs = f"NashConv {result.nash_conv:z.6f}; that of random play is {of_random:.6f}"
    unit_of_returns = "in returns of reward=win: 1 for the win of a game, in all 0"
    console.print(f"{nash_convs}\n{unit_of_returns}", highlight=False)
