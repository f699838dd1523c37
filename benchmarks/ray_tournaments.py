"""Measure the overhead of Ray in a tournament, and how many nodes one driver can feed.

    python -m benchmarks.ray_tournaments --agents expert thief saver builder --deals 4000
    python -m benchmarks.ray_tournaments --agents search@300 expert random random --deals 8

The same tournament is played in turns by two worker processes and by a local Ray with two
processors, whose start is not counted. The model then follows from one processor's time for a shard
and the driver's, which takes shards that tasks return at once and stores them: nodes = time of a
shard / (processors of a node * driver's time for a shard). `--rounds 0` makes only the model.
"""

import argparse
import json
import os
import pickle
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from goldgriff.agents.registry import load_agent
from goldgriff.envs.engine.game import get_game
from goldgriff.eval import Player, play_shard, play_tournament, tournament_config
from goldgriff.eval.tournament.config import TournamentConfig
from goldgriff.eval.tournament.shards import Shard
from goldgriff.eval.tournament.store import STORE, Store
from goldgriff.eval.tournament.tournament import begin
from goldgriff.eval.workers.ray import RayCluster, connect
from goldgriff.eval.workers.tasks import run_tasks
from goldgriff.files import write_whole

PROCESSORS = 2


def main() -> None:
    """Measure, print, and write what was measured."""
    options = _options()
    game = get_game(options.game)
    settings = game.settings(num_players=4)
    config = tournament_config(game, options.agents, settings, deals=options.deals, seed=1)

    found: dict[str, list[float]] = {"processes": [], "ray": []}
    work: dict[str, list[float]] = {"processes": [], "ray": []}
    with connect(True) as cluster:
        play_tournament(game, options.agents, deals=2, ray=True)  # compiles, and begins processes
        play_tournament(game, options.agents, deals=2, workers=PROCESSORS)
        for number in range(options.rounds):
            turns = ("processes", "ray") if number % 2 == 0 else ("ray", "processes")
            for turn in turns:
                on_ray = turn == "ray"
                before, begun = _processor_seconds(), time.perf_counter()
                where: dict[str, Any] = {"ray": True} if on_ray else {"workers": PROCESSORS}
                play_tournament(game, options.agents, deals=options.deals, **where)
                seconds = time.perf_counter() - begun
                found[turn].append(seconds)
                work[turn].append(_processor_seconds() - before)
                print(f"{turn}: {seconds:.1f} s", flush=True)
        processors = cluster.processors
        shard, shard_seconds = _play_shard(config)
        driver = _take_shards(cluster, config, shard)
    ratios = [ray / own for ray, own in zip(found["ray"], found["processes"], strict=True)]
    result = {
        "command": {"game": game.name, "agents": options.agents, "deals": options.deals},
        "load": os.getloadavg(),
        "processors": processors,
        "shards": config.num_shards,
        "games": config.deals * config.games_per_deal,
        "seconds": found,
        "ray / processes": ratios,
        "processor's seconds": work,
        "bytes of a shard": len(pickle.dumps(shard)),
        "seconds of a shard": shard_seconds,
        "driver's seconds of a shard": driver,
        f"nodes of {options.cores} processors": shard_seconds / driver / options.cores,
    }
    print(json.dumps(result, indent=2))
    if options.out:
        write_whole(options.out, (json.dumps(result, indent=2) + "\n").encode())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="auruxxx")
    parser.add_argument("--agents", nargs="+", required=True)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3, help="tournaments of each kind")
    parser.add_argument("--cores", type=int, default=16, help="processors of a node of the model")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def _processor_seconds() -> float:
    """Return those of this process and all that it has begun, from Linux's /proc.

    On a machine that others use, their ratio says more than that of the seconds on the clock.
    """
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            process = int(file.parent.name)
            children.setdefault(int(fields[1]), []).append(process)
            ticks[process] = sum(map(int, fields[11:15]))  # own, and of children that have ended
    waiting, total = [os.getpid()], 0
    while waiting:
        process = waiting.pop()
        total += ticks.get(process, 0)
        waiting += children.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")


def _play_shard(config: TournamentConfig) -> tuple[Shard, float]:
    """Return a shard, and the processor's seconds that it takes."""
    agents = [Player(name, load_agent(name, config.game)) for name in config.names]
    play_shard(config, 0, agents)
    begun = time.process_time()
    shard = play_shard(config, min(1, config.num_shards - 1), agents)
    return shard, time.process_time() - begun


def _take_shards(cluster: RayCluster, config: TournamentConfig, shard: Shard) -> float:
    """Return the driver's seconds of computing to take a shard from a task and store it."""
    sent, whole = cluster.ray.put(shard), config.num_shards - 1  # the last may be smaller
    stored = 0
    with (
        TemporaryDirectory() as folder,
        Store.create(Path(folder) / STORE, config.game, dict(config.rules)) as store,
    ):
        run, begun = begin(store, config), time.process_time()
        for _, received in run_tasks(cluster.tasks(_return_shard), [(sent,)] * whole):
            _ = received.config == config
            store.add(run, config, replace(received, number=stored))
            stored += 1
        return (time.process_time() - begun) / stored


def _return_shard(shard: Shard) -> Shard:
    """Return a shard: a task of Ray."""
    return shard


if __name__ == "__main__":
    main()
