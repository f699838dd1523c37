"""The commands `tournament`, `bound` and `leaderboard`."""

import json
from collections.abc import Mapping
from contextlib import ExitStack, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from ...agents.registry import is_code, load_agent
from ...agents.search.agent import Search
from ...agents.trust import check_trust, needs_trust
from ...cli.console import command_line, print_json, progress_bar
from ...cli.options import NameOf, option, whole_number
from ...cli.shared_options import (
    JsonOptions,
    ResumeOptions,
    TableOptions,
    TablesOptions,
    WorkersOptions,
)
from ...cli.stopping import resumable
from ...envs.engine.game import Game, get_game
from ...envs.engine.reading import read_whole
from ...errors import SettingsError
from ...files import claimed, is_filled, make_folder
from ...naming import counted
from ..analysis.perfect_information import perfect_information_bound
from ..ratings.leaderboard import ladder_agents, leaderboard
from ..report.report_table import print_table
from ..report.tables import (
    bound_table,
    describe_pairing,
    forfeits_table,
    headline,
    ratings_table,
    standings_table,
)
from ..workers.ray import connect
from ..workers.shard_players import TIME_LIMIT, TimeLimit, check_agents
from ..workers.tasks import check_workers
from .config import FORMATS, RANDOM, TournamentConfig, tournament_config
from .store import STORE, Store, open_or_create, store_at, stores_in
from .tournament import ShardMerger, find_unfinished, merge_shards, resume

_OPPONENT = "expert"  # of the search in `goldgriff bound`, and its base policy


def _seed(text: str) -> int | str:
    """Return a seed as it was given; for argparse."""
    return text if text == RANDOM else whole_number(text)


@dataclass(kw_only=True)
class TournamentOptions(TablesOptions, WorkersOptions, ResumeOptions, JsonOptions):
    """The options of `goldgriff tournament`.

    Attributes:
        agents: Needed unless --resume: names (see `goldgriff agents`), checkpoints, run folders or
            module:Class; a name given twice takes two seats; with more agents than seats all
            choices meet, with fewer they are repeated.
        format: round-robin (default): all against all; field: the first agent against the others;
            ladder: the given agents against those of the leaderboard in --out.
        deals: Maximum number of deals, each played with every agent in every seat (default: 200).
        seed: Seed of the deals (default: 1); random draws one, which results.json has: agents
            that are code could work out all hands from a seed that they can guess.
        until: Stop when every 95% interval of a difference in win share is narrower, such as 0.02.
        time_limit: Seconds for one call of an agent.
        out: Folder of games and report (default: results/GAME).
        json: Print what results.json holds as JSON, nothing else.
    """

    agents: list[str] = option(())
    format: str | None = option(None, type=NameOf("format", FORMATS))
    deals: int | None = None
    seed: Any = option(None, type=_seed, metavar="N")
    until: float | None = None
    time_limit: float = TIME_LIMIT


@dataclass(kw_only=True)
class LeaderboardOptions(JsonOptions):
    """The options of `goldgriff leaderboard`.

    Attributes:
        store: Folder of a tournament, or a folder of several, rated together where rules are equal.
        json: Print the ratings as JSON, nothing else; for a folder of several, a list of them.
    """

    store: Path = option(metavar="DIR")


@dataclass(kw_only=True)
class BoundOptions(TableOptions, JsonOptions):
    """The options of `goldgriff bound`.

    Attributes:
        iterations: Rollouts of the search for each decision.
        deals: Number of deals, each played from every seat.
        seed: Seed of the deals.
    """

    iterations: int = 300
    deals: int = 32
    seed: int = 1


def tournament_command(options: TournamentOptions) -> None:
    """Play or resume a tournament, print the standings and write the report."""
    rules = options.rule_values()
    game = get_game(options.game)
    out = options.out or Path("results") / options.game
    limit = TimeLimit(options.time_limit)
    check_workers(options.num_workers())
    if options.resume and _holds_tournament(out):
        options.check_resumed("out", "workers", "ray", "time_limit", "trust")
        with claimed(out), Store.open(out) as store:
            store.check_game(game, store.rules)
            merger = ShardMerger(store, find_unfinished(store))
            check_trust(merger.config.names, f"the store in {out}", trust=options.trust)
            _play(merger, out, limit, options)
        return
    if not options.agents and not options.resume:
        raise SettingsError("a tournament needs at least one agent: --agents expert random, say")
    if not options.agents:
        raise SettingsError(f"no tournament was begun in {out}; --agents A ... begins one")
    config = _config(options, game, rules, out)
    check_agents(config.names, game, limit)
    make_folder(out)
    go_on = command_line("tournament", game.name, "--out", out, "--resume")
    go_on += " --trust" if any(map(needs_trust, config.names)) else ""
    with (
        claimed(out),
        open_or_create(out, game, dict(config.rules)) as store,
        resumable(lambda: go_on if store.tournaments() else ""),
        merge_shards(config, store=store) as merger,
    ):
        _play(merger, out, limit, options)


def _holds_tournament(out: Path) -> bool:
    """Return whether a folder holds a tournament to resume; True also for a missing folder."""
    if out.is_dir() and not is_filled(out / STORE):  # a command was stopped before it began one
        return False
    with Store.open(out) as store:
        return bool(store.tournaments())


def leaderboard_command(options: LeaderboardOptions) -> None:
    """Print the ratings of all agents of a folder, for each game and its rules."""
    paths = stores_in(options.store) or [options.store]  # which says what is missing
    whole = paths == [store_at(options.store)]
    with ExitStack() as opened:
        stores = [opened.enter_context(Store.open(path)) for path in paths]
        comparable: dict[tuple[Game, str], list[Store]] = {}
        for store in stores:
            rules = store.game.settings.from_dict(store.rules).to_dict()
            comparable.setdefault((store.game, json.dumps(rules)), []).append(store)
        rated = [(game, group, leaderboard(*group)) for (game, _), group in comparable.items()]
    if options.json:
        from ..report.report import ratings_data  # noqa: PLC0415

        records = [
            {"game": game.id, "stores": [str(store.path) for store in group]}
            | ratings_data(ratings)
            for game, group, ratings in rated
        ]
        print_json(records[0] if whole else records)
        return
    for game, group, ratings in rated:
        folders = ", ".join(store.path.parent.name for store in group if store.path)
        of = "" if whole else f" of {folders}"
        print_table(ratings_table(ratings, f"{game.title}: leaderboard{of}"))


def bound_command(options: BoundOptions) -> None:
    """Print the win shares of a search with perfect information and of the same without it."""
    game, settings = get_game(options.game), options.settings()
    iterations = read_whole("iterations", options.iterations, 1)
    search = Search(load_agent(_OPPONENT, game), iterations=iterations)
    bounds = {}
    for name, open_hands in (("all hands", True), ("its own hand", False)):
        with progress_bar("games", options.deals * settings.num_players) as advance:
            bounds[name] = perfect_information_bound(
                game,
                settings,
                search,
                open_hands=open_hands,
                deals=options.deals,
                seed=options.seed,
                on_progress=advance,
            )
    title = (
        f"{game.title}: search@{options.iterations} against `{_OPPONENT}` in all other seats, "
        f"{settings.num_players} players, {counted(options.deals, 'deal')}, seed {options.seed}"
    )
    if options.json:
        print_json(
            {
                **{"game": game.id, "settings": settings.to_dict(), "opponent": _OPPONENT},
                **{name: getattr(options, name) for name in ("iterations", "deals", "seed")},
                "results": {name: asdict(bound) for name, bound in bounds.items()},
            }
        )
        return
    print_table(bound_table(settings.num_players, _OPPONENT, bounds), title)


def _config(
    options: TournamentOptions, game: Game, rules: Mapping[str, Any], out: Path
) -> TournamentConfig:
    """Return the configuration that the options describe."""
    agents = list(options.agents)
    fields = {name: getattr(options, name) for name in ("format", "deals", "until", "seed")}
    plan: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
    if options.format == "ladder":
        settings = tournament_config(game, agents, rules, options.players).rules
        with Store.open(out) as store:
            store.check_game(game, dict(settings))
            others = [name for name in ladder_agents(store) if name not in agents]
        check_trust(others, f"the store in {out}", typed=agents, trust=options.trust)
        plan["challengers"] = len(agents)
        agents += others
    return tournament_config(game, agents, rules, options.players, **plan)


def _play(merger: ShardMerger, out: Path, limit: TimeLimit, options: TournamentOptions) -> None:
    """Play what is missing, write the report and print the standings.

    Args:
        merger: The tournament.
        out: Folder of the report.
        limit: Time limit of the agents.
        options: Those of the command.
    """
    config = merger.config
    from ..report.report import summary, write_report  # noqa: PLC0415

    has_code = any(map(is_code, config.names))
    total = config.deals * config.games_per_deal
    with (
        connect(options.ray, code=has_code) if options.ray else nullcontext() as cluster,
        progress_bar("games", total, cluster.describe if cluster else None) as advance,
    ):
        results = resume(
            merger,
            workers=options.num_workers(),
            limit=limit,
            on_progress=advance,
            cluster=cluster,
        )
        played_on = f"Ray: {cluster.describe()}" if cluster else ""
    files = write_report(results, merger.store, out, options.line)
    if options.json:
        print_json(summary(results))
        return
    print_table(standings_table(results), headline(results))
    if results.forfeits:
        print_table(forfeits_table(results))
    if pairing := describe_pairing(results):
        Console().print(pairing, markup=False, highlight=False)
    if played_on:
        print(played_on)
    print("report:", *files)
