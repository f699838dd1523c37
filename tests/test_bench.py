"""The benchmark: a harness that can be checked by hand, modes that count right, honest reports."""

import importlib.util
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO

from goldgriff.agents.heuristics.catalog import AgentEntry
from goldgriff.agents.registry import AGENTS
from goldgriff.agents.search import agent, tree
from goldgriff.cli import main
from goldgriff.envs.batch import Batch, Lockstep, derive_seeds
from goldgriff.envs.engine.game import GAMES, Game, get_game
from goldgriff.envs.match import Match
from goldgriff.envs.policy import RandomPolicy
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.envs.vector import SingleAgentVectorEnv
from goldgriff.errors import GoldgriffError
from goldgriff.eval.bench import measure, own, peers, run
from goldgriff.eval.bench.machine import machine
from goldgriff.eval.bench.measure import Mode, Sample, Spread, Track, ratio, spread
from goldgriff.eval.bench.peers import PEERS, Peer, installed
from goldgriff.eval.bench.report import OWN, Bench, results, tables, write_report
from goldgriff.eval.bench.targets import BYTES, Fact, facts
from goldgriff.eval.guard import Player
from goldgriff.eval.matches import play_games
from goldgriff.train import bench as training
from goldgriff.train.vec_env import SelfPlayVecEnv


class Clock:
    """Time that passes only when somebody works."""

    def __init__(self) -> None:
        self.now = 0.0

    def process_time(self) -> float:
        return self.now

    def perf_counter(self) -> float:
        return 2 * self.now  # half a core


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(measure, "time", clock)
    return clock


def worker(
    key: str, clock: Clock, cost: float, turns: list[str], library: str = OWN, threads: int = 1
) -> Mode:
    """Ten decisions a unit, each unit taking `cost` seconds; starting and counting take long."""

    def start() -> Callable[[int], int]:
        clock.now += 100

        def play(units: int) -> int:
            turns.append(key)
            clock.now += units * cost
            return units

        return play

    def count(units: int) -> int:
        clock.now += 1000
        return 10 * units

    return Mode(key, "works", library, "nothing", start, count, threads)


def track(key: str, *samples: tuple[int, float], library: str = OWN, threads: int = 1) -> Track:
    """Decisions and CPU seconds of each round; wall time is four times as long."""
    mode = Mode(key, "", library, "", lambda: int, threads=threads)
    return Track(mode, [Sample(made, 4 * cpu, cpu) for made, cpu in samples])


def test_only_play_is_timed_and_turns_take_about_as_long_as_asked(clock: Clock) -> None:
    modes = [worker("slow", clock, 0.25, []), worker("fast", clock, 0.001, [])]
    slow, fast = measure.measure(modes, repeats=3, seconds=1.0)
    assert [sample.decisions for sample in slow.samples] == [40, 40, 40]
    assert [sample.decisions for sample in fast.samples] == [10_000] * 3
    assert slow.rates("cpu") == pytest.approx([40] * 3)
    assert slow.rates("wall") == pytest.approx([20] * 3)
    assert fast.rates("cpu") == pytest.approx([10_000] * 3)
    assert fast.cores == pytest.approx(0.5)


@pytest.mark.parametrize("late", range(9))
def test_what_compiles_late_does_not_shorten_the_turns(clock: Clock, late: int) -> None:
    """After so many units, something is compiled for ten seconds."""
    mode, turns = worker("late", clock, 0.01, []), [0]

    def start() -> Callable[[int], int]:
        play = mode.start()

        def play_and_compile(units: int) -> int:
            before, turns[0] = turns[0], turns[0] + units
            clock.now += 10.0 if before <= late < turns[0] else 0.0
            return int(play(units))

        return play_and_compile

    (measured,) = measure.measure([replace(mode, start=start)], repeats=2, seconds=1.0)
    assert [sample.decisions for sample in measured.samples] == [1000, 1000]


def test_every_mode_has_one_turn_a_round_in_a_shuffled_order_of_the_seed(clock: Clock) -> None:
    names = ["a", "b", "c", "d", "e"]

    def rounds(seed: int) -> list[list[str]]:
        turns: list[str] = []
        modes = [worker(name, clock, 1.0, turns) for name in names]
        tracks = measure.measure(modes, repeats=6, seconds=1.0, seed=seed)
        assert [track.mode.key for track in tracks] == names
        played = turns[-30:]
        return [played[place : place + 5] for place in range(0, 30, 5)]

    first = rounds(seed=1)
    assert all(sorted(turns) == names for turns in first)
    assert len({tuple(turns) for turns in first}) > 1
    assert rounds(seed=1) == first
    assert rounds(seed=2) != first


def test_ratios_are_taken_within_a_round() -> None:
    # 10, 40, 90 a second against 5, 4, 3: the machine changed, and with it both
    mine = track("mine", (10, 1.0), (80, 2.0), (90, 1.0))
    theirs = track("theirs", (5, 1.0), (4, 1.0), (3, 1.0))
    assert ratio(mine, theirs) == Spread(10.0, 6.0, 20.0)
    assert spread([3.0, 1.0, 2.0, 10.0, 4.0]) == Spread(3.0, 2.0, 4.0)


def test_threads_are_compared_by_wall_time_on_both_sides() -> None:
    one = track("one", (100, 1.0))
    two = Track(Mode("two", "", OWN, "", lambda: int, threads=2), [Sample(100, 2.0, 4.0)])
    assert ratio(two, one).median == 2.0  # 50 a second to 25
    assert ratio(one, two).median == 0.5
    assert ratio(one, one).median == 1.0


def small(game: Game, monkeypatch: pytest.MonkeyPatch) -> list[Mode]:
    """All modes of a game with few games each."""
    monkeypatch.setattr(own, "GAMES", (4, 600))
    monkeypatch.setattr(own, "TABLES", 4)
    monkeypatch.setattr(training, "TABLES", 4)
    monkeypatch.setattr("goldgriff.eval.bench.own.cores", lambda: 2)
    return [*own.own_modes(game), training.vec_env_mode(game)]


def counting(monkeypatch: pytest.MonkeyPatch, owner: Any, method: str, made: list[int]) -> None:
    """Note how many decisions each call of a method plays: one for each of its actions."""
    original = getattr(owner, method)

    def counted(self: Any, action: Any) -> Any:
        made.append(np.size(action))
        return original(self, action)

    monkeypatch.setattr(owner, method, counted)


@pytest.mark.parametrize("game", list(GAMES))
def test_modes_play_and_count_right(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    modes = small(get_game(game), monkeypatch)
    assert len({mode.key for mode in modes}) == len(modes)
    made: list[int] = []
    doors = {
        "step-mask": (Batch, "step"),
        "step": (Lockstep, "step"),
        "solo-vector": (SingleAgentVectorEnv, "step"),
        "solo": (SingleAgentEnv, "step"),
        "sb3-vecenv": (SelfPlayVecEnv, "step_async"),
        "aec": (Match, "act"),
    }
    for mode in modes:
        door = next((name for name in doors if f"-{name}" in mode.key), None)
        if door is None:
            continue  # rollouts and playouts: below
        play = mode.start()
        with monkeypatch.context() as patch:
            made.clear()
            counting(patch, *doors[door], made)
            assert mode.count(play(7)) == sum(made) >= 7, mode.key


@pytest.mark.parametrize("name", list(GAMES))
def test_rollouts_count_what_a_random_player_decides(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own, "ROLLOUTS", 3)
    game = get_game(name)
    # A player whom kernels ask draws the same words as the random one inside them.
    entry = AgentEntry(name, "asked", RandomPolicy, "plays at random")
    monkeypatch.setattr(own, "AGENTS", (*AGENTS, entry))
    modes = {mode.key: mode for mode in own.own_modes(game)}
    played = modes[f"{name}-rollout-random"].start()(2)
    assert modes[f"{name}-rollout-asked"].start()(2) == played
    seating, seeds = np.zeros((6, 4), np.int64), derive_seeds(1, 6)
    settings, players = game.settings.from_dict({}), [Player("random", RandomPolicy())]
    assert played == play_games(game, settings, players, seating, seeds).decisions.sum()


@pytest.mark.parametrize("name", list(GAMES))
def test_playouts_are_those_that_a_search_makes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "PLAYOUTS", 30)
    made: list[int] = []

    def counted(*task: Any) -> bool:
        made.append(task[3])
        return tree.search(*task)

    monkeypatch.setattr(agent, "search", counted)
    mode = {mode.key: mode for mode in own.own_modes(get_game(name))}[f"{name}-search-playouts"]
    assert mode.unit == "playouts"
    assert mode.count(mode.start()(9)) == sum(made) > 0


@pytest.mark.parametrize("game", list(GAMES))
def test_a_game_takes_little_more_memory_than_its_record(game: str) -> None:
    settings = get_game(game).settings.from_dict({})
    record = get_game(game).new_states(settings, 1).itemsize
    assert record <= own.bytes_a_game(get_game(game), 4096) <= BYTES


def test_what_is_not_installed_is_listed() -> None:
    mode = Mode("absent-mode", "", "Absent", "", lambda: int)
    absent = Peer("Absent", "absent", ("no_such_module",), (mode,))
    game = get_game("auruxxx")
    few: dict[str, Any] = {"repeats": 1, "seconds": 0.001, "peers": [absent]}
    done = run.run_bench([game], only=["aec", "absent"], **few)
    assert done.missing == ["Absent"]
    assert [track.mode.key for track in done.tracks] == ["auruxxx-aec"]
    (shown,) = tables(done)
    assert [list(column.cells)[-1] for column in shown.columns][:2] == ["Absent", "not installed"]
    with pytest.raises(GoldgriffError, match="nothing to measure: not installed is Absent"):
        run.run_bench([game], only=["absent"], **few)
    assert run.run_bench([game], only=["aec"], **few).missing == []  # nobody asked for it


@pytest.mark.filterwarnings("default")  # theirs are theirs
@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.library)
def test_peers_play(peer: Peer) -> None:
    if not installed(peer):
        pytest.skip(f"{peer.library} is not installed (extra `bench`)")
    for mode in peer.modes:
        play = mode.start()
        played = mode.count(play(3))
        assert played >= 3


@pytest.mark.skipif(not importlib.util.find_spec("pyspiel"), reason="OpenSpiel is not installed")
def test_only_players_decisions_count_in_openspiel() -> None:
    (mode,) = (mode for mode in PEERS[0].modes if mode.key == "openspiel-bots")
    states = mode.start()(3)
    decided = 0
    for state in states:
        assert state.is_terminal()
        again = state.get_game().new_initial_state()
        for action in state.history():
            decided += not again.is_chance_node()
            again.apply_action(action)
    assert mode.count(states) == decided


def test_masks_of_tripletriad() -> None:
    seen = np.zeros((3, 114), np.float32)
    masks = np.ones((3, 14), np.int8)
    seen[0, 24], seen[0, 105] = -1, 7  # chooses; the second card lies on the board
    seen[1, 24], seen[1, 14:22] = 3, 1  # places; one cell is free
    seen[2, 24], seen[2, 104:109] = -1, 1  # over: nothing in the hand
    peers.legal_triads(seen, masks)
    assert [list(np.flatnonzero(mask)) for mask in masks] == [[0, 2, 3, 4], [13], []]


def test_both_ways_to_pick_in_tripletriad_pick_any_legal_action() -> None:
    seen = np.zeros((peers.PUFFER_GAMES, 114), np.float32)
    seen[::2, 24], seen[::2, 105] = -1, 7
    seen[1::2, 24], seen[1::2, 14:20] = 3, 1
    for picks in (peers.NumpyPicks(), peers.CompiledPicks()):
        actions = picks(seen)
        for legal, picked in (([0, 2, 3, 4], actions[::2]), ([11, 12, 13], actions[1::2])):
            found, times = np.unique(picked, return_counts=True)
            assert found.tolist() == legal
            assert times.min() > 0.7 * len(picked) / len(legal)


def test_targets_stand_beside_what_was_measured() -> None:
    tracks = [
        track("auruxxx-aec", (280, 1.0), (300, 1.0), (260, 1.0)),
        track("pettingzoo-texas", (10, 1.0), (10, 1.0), (10, 1.0), library="PettingZoo"),
        track("auruxxx-step-float32-1024", (3_000_000, 1.0)),
    ]
    lines = [str(fact) for fact in facts(["auruxxx"], tracks, {"auruxxx": 1281.5})]
    assert lines == [
        "auruxxx-aec / pettingzoo-texas: target 25 (stretch 40), measured 28 (27 - 29)",
        "auruxxx-step-float32-1024: target 4,000,000 (stretch 8,000,000), measured 3,000,000",
        "auruxxx, bytes a game: target at most 1,536, measured 1,282",
    ]


def test_the_report_holds_samples_ratios_and_the_machine(tmp_path: Path) -> None:
    tracks = [
        track("auruxxx-aec", (30, 1.0), (40, 1.0)),
        track("peer", (10, 1.0), (10, 2.0), library="Peer"),
    ]
    fact = Fact("auruxxx-aec / peer", "times", 2, None, Spread(5.5, 4.25, 6.75))
    about, libraries = machine(), run.all_versions()
    done = Bench(tracks, [fact], ["Absent"], about, libraries, 2, 1.0, {"auruxxx": {"update": 1}})
    files = write_report(done, tmp_path, "bench")
    assert [file.name for file in files] == ["bench.json", "bench.png"]
    assert files[1].read_bytes().startswith(b"\x89PNG")
    stored = json.loads(files[0].read_text())
    assert stored == json.loads(json.dumps(results(done)))
    assert set(stored) == {
        "machine", "versions", "not_installed", "repeats", "seconds", "modes", "targets",
        "profiles",
    }  # fmt: skip
    assert set(stored["machine"]) == {"processor", "cores", "system", "python", "load"}
    assert stored["versions"]["goldgriff"]
    assert stored["not_installed"] == ["Absent"]
    mine, theirs = stored["modes"]["auruxxx-aec"], stored["modes"]["peer"]
    assert mine["samples"][1] == {"decisions": 40, "wall": 4.0, "cpu": 1.0}
    assert mine["rate"] == {"median": 35.0, "low": 32.5, "high": 37.5}
    assert mine["times"] == {"peer": {"median": 5.5, "low": 4.25, "high": 6.75}}
    assert "times" not in theirs
    assert stored["targets"][0]["target"] == 2
    assert len(tables(done)) == 3


def bench(*arguments: object) -> int:
    return main(["bench", *(str(argument) for argument in arguments)])


def test_the_command_prints_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("auruxxx", "--quick", "--only", "aec", "--out", tmp_path) == 0
    shown = capsys.readouterr().out
    assert "auruxxx-aec" in shown
    assert "auruxxx, bytes a game: target at most 1,536" in shown
    stored = json.loads((tmp_path / "bench.json").read_text())
    assert set(stored["modes"]) == {"auruxxx-aec"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "unknown game 'chess'; there are auruxxx, gluecksgriff"),
        (("--repeats", 0), "repeats must be at least 1, not 0"),
        (("--seconds", 0), "seconds must be a number above 0, not 0.0"),
        (("--seconds", math.nan), "seconds must be a number above 0, not nan"),
        (("auruxxx", "--only", "sprint"), "no mode has 'sprint' in its name; there are auruxxx-"),
        (("--training", "--only", "aec"), "--only chooses among modes of play"),
    ],
)
def test_bad_input_is_one_clear_line(
    arguments: tuple[object, ...],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench(*arguments, "--out", tmp_path) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("goldgriff bench: ")
    assert message in line
    assert not list(tmp_path.iterdir())


def test_without_the_extra_training_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name="torch")

    monkeypatch.setattr("goldgriff.options.import_module", absent)
    assert bench("--training", "--out", tmp_path) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "torch is missing; training needs the extra" in line
    assert bench("auruxxx", "--quick", "--only", "aec", "--out", tmp_path) == 0


def test_watched_calls_inside_others_are_counted_once(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "time", clock)

    class Nested:
        def outer(self) -> str:
            clock.now += 1
            self.inner()
            self.inner()
            clock.now += 2
            return "done"

        def inner(self) -> None:
            clock.now += 10

    watch, nested = training.Stopwatch(), Nested()
    with watch.on(Nested, "inner", "inside"), watch.on(nested, "outer", "outside"):
        assert nested.outer() == "done"
    nested.outer()  # watched no more
    assert watch.seconds == {"inside": 20, "outside": 3}


@pytest.mark.parametrize("game", list(GAMES))
def test_the_tutorials_environment_shows_the_mover(game: str) -> None:
    aec, watched = (importlib.import_module(f"goldgriff.envs.{game}_v0").env() for _ in range(2))
    env = training.TutorialEnv(aec)
    seen, _ = env.reset(seed=5)
    watched.reset(seed=5)
    over, steps = False, 0
    while not over and steps < 300:
        shown = watched.observe(watched.agent_selection)
        mask = env.action_masks()
        np.testing.assert_array_equal(seen, shown["observation"])
        np.testing.assert_array_equal(mask, shown["action_mask"])
        action = int(np.flatnonzero(mask)[steps % mask.sum()])
        watched.step(action)
        seen, _, terminated, truncated, _ = env.step(action)
        over, steps = terminated or truncated, steps + 1
    assert steps > 30


def test_training_is_measured_beside_the_tutorial(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, int]] = []

    def noted(*given: Any, **settings: Any) -> Any:
        recipe = ("n_epochs", "batch_size")
        made.append({name: settings[name] for name in recipe if name in settings})
        return MaskablePPO(*given, **settings)

    monkeypatch.setattr(training, "MaskablePPO", noted)
    done = training.bench_training([get_game("auruxxx")], "smoke", repeats=1, seconds=0.001)
    maskable, ppo, theirs, batches = done.tracks
    assert maskable.mode.unit == ppo.mode.unit == theirs.mode.unit == "samples"
    assert maskable.samples[0].decisions == 16 * 32  # one update of the preset
    assert ppo.samples[0].decisions == 16 * 32
    assert theirs.samples[0].decisions == batches.samples[0].decisions == 2048
    assert [mode.key for mode in (theirs.mode, batches.mode)] == [
        "auruxxx-tutorial", "auruxxx-tutorial-batches",
    ]  # fmt: skip
    assert made == [{}, {"n_epochs": 3, "batch_size": 256}]
    over_tutorial, over_maskable = done.facts
    assert over_tutorial.target == 20
    assert over_tutorial.measured == ratio(maskable, theirs)
    assert over_maskable.target == 3
    assert over_maskable.measured == ratio(ppo, maskable)
    assert list(done.profiles) == ["auruxxx-train-maskable", "auruxxx-train-ppo"]
    for shares in done.profiles.values():
        assert sum(shares.values()) == pytest.approx(1)
        assert set(shares) == {
            "games", "what is seen", "opponents' policy", "learner's policy", "update",
            "rest of the rollout", "everything else",
        }  # fmt: skip
        assert all(share > 0 for share in shares.values())


def test_training_checks_its_request() -> None:
    with pytest.raises(GoldgriffError, match="repeats must be at least 1"):
        training.bench_training([get_game("auruxxx")], "smoke", repeats=0, seconds=1)
