"""The benchmark: a harness that can be checked by hand, modes that count right, honest results."""

import importlib.util
import json
import math
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO

import goldgriff
from goldgriff.agents.search import agent, tree
from goldgriff.benchmarks import __main__ as benchmarks
from goldgriff.benchmarks import (
    algorithms,
    fields,
    measure,
    modes,
    peers,
    training,
    tutorial,
    wrappers,
)
from goldgriff.benchmarks.algorithms import AlgorithmOptions, Job
from goldgriff.benchmarks.measure import Measurement, Mode, Quartiles, Sample, quartiles, ratio
from goldgriff.benchmarks.peers import PEERS
from goldgriff.benchmarks.report import BenchmarkOptions, chosen_games
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.game import GAMES, get_game
from goldgriff.envs.match import Match
from goldgriff.envs.policy import RandomPolicy
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.envs.vector import SingleAgentVectorEnv
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.matches import play_games
from goldgriff.train.opponent_pool import OpponentPool


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


def worker(key: str, clock: Clock, cost: float, turns: list[str]) -> Mode:
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

    return Mode(key, "works", start, count=count)


def measured(key: str, *samples: tuple[int, float], threads: int = 1) -> Measurement:
    """Decisions and CPU seconds of each round; wall time is four times as long."""
    mode = Mode(key, "", lambda: int, threads)
    return Measurement(mode, [Sample(made, 4 * cpu, cpu) for made, cpu in samples])


def test_only_play_is_timed_and_turns_take_about_as_long_as_asked(clock: Clock) -> None:
    both = [worker("slow", clock, 0.25, []), worker("fast", clock, 0.001, [])]
    slow, fast = measure.measure(both, repeats=3, seconds=1.0)
    assert [sample.decisions for sample in slow.samples] == [40, 40, 40]
    assert [sample.decisions for sample in fast.samples] == [10_000] * 3
    assert slow.rates("cpu") == pytest.approx([40] * 3)
    assert slow.rates("wall") == pytest.approx([20] * 3)
    assert fast.rates("cpu") == pytest.approx([10_000] * 3)


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

    (late_one,) = measure.measure([replace(mode, start=start)], repeats=2, seconds=1.0)
    assert [sample.decisions for sample in late_one.samples] == [1000, 1000]


def test_every_mode_has_one_turn_a_round_in_a_shuffled_order_of_the_seed(clock: Clock) -> None:
    names = ["a", "b", "c", "d", "e"]

    def rounds(seed: int) -> list[list[str]]:
        turns: list[str] = []
        workers = [worker(name, clock, 1.0, turns) for name in names]
        done = measure.measure(workers, repeats=6, seconds=1.0, seed=seed)
        assert [each.mode.key for each in done] == names
        played = turns[-30:]
        return [played[place : place + 5] for place in range(0, 30, 5)]

    first = rounds(seed=1)
    assert all(sorted(turns) == names for turns in first)
    assert len({tuple(turns) for turns in first}) > 1
    assert rounds(seed=1) == first
    assert rounds(seed=2) != first


def test_ratios_are_taken_within_a_round() -> None:
    # 10, 40, 90 a second against 5, 4, 3: the machine changed, and with it both
    mine = measured("mine", (10, 1.0), (80, 2.0), (90, 1.0))
    theirs = measured("theirs", (5, 1.0), (4, 1.0), (3, 1.0))
    assert ratio(mine, theirs) == Quartiles(6.0, 10.0, 20.0)
    assert quartiles([3.0, 1.0, 2.0, 10.0, 4.0]) == Quartiles(2.0, 3.0, 4.0)
    assert str(Quartiles(2.0, 3.0, 4000.0)) == "2 to 4,000"


def test_threads_are_compared_by_wall_time_on_both_sides() -> None:
    one = measured("one", (100, 1.0))
    two = Measurement(Mode("two", "", lambda: int, threads=2), [Sample(100, 2.0, 4.0)])
    assert ratio(two, one).median == 2.0  # 50 a second to 25
    assert ratio(one, two).median == 0.5
    assert ratio(one, one).median == 1.0


def modes_of(game: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Mode]:
    """The modes of a game with few games each, by the part of their keys behind its name."""
    for name, value in {
        "NUM_GAMES": (4, 600),
        "NUM_ENVS": 4,
        "ROLLOUTS": 3,
        "PLAYOUTS": 30,
    }.items():
        monkeypatch.setattr(modes, name, value)
    monkeypatch.setattr(modes, "cores", lambda: 2)
    found = modes.own_modes(get_game(game))
    assert len({mode.key for mode in found}) == len(found)
    return {mode.key.removeprefix(f"{game}-"): mode for mode in found}


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize(
    ("key", "owner", "method"),
    [
        ("step-4", Batch, "step"),
        ("step-600-x2", Batch, "step"),
        ("aec", Match, "act"),
        ("single", SingleAgentEnv, "step"),
        ("vector", SingleAgentVectorEnv, "step"),
    ],
)
def test_modes_count_one_decision_for_each_action(
    game: str, key: str, owner: Any, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = modes_of(game, monkeypatch)[key].start()
    made, original = [], getattr(owner, method)

    def counted(self: Any, action: Any) -> Any:
        made.append(np.size(action))
        return original(self, action)

    monkeypatch.setattr(owner, method, counted)
    assert play(7) == sum(made) >= 7


@pytest.mark.parametrize("name", list(GAMES))
def test_rollouts_count_what_a_random_player_decides(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = modes_of(name, monkeypatch)["rollout-random"].start()(2)
    game, seating, seeds = get_game(name), np.zeros((6, 4), np.int64), derive_seeds(1, 6)
    settings, players = game.settings.from_dict({}), [Player("random", RandomPolicy())]
    assert played == play_games(game, settings, players, seating, seeds).decisions.sum()
    assert modes_of(name, monkeypatch)["rollout-expert"].start()(1) > 0


@pytest.mark.parametrize("name", list(GAMES))
def test_playouts_are_those_that_a_search_makes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(*task: Any) -> bool:
        made.append(task[3])
        return tree.search(*task)

    monkeypatch.setattr(agent, "search", counted)
    assert modes_of(name, monkeypatch)["search-playouts"].start()(9) == sum(made) > 0


@pytest.mark.parametrize("game", list(GAMES))
def test_a_game_takes_little_more_memory_than_its_state(game: str) -> None:
    settings = get_game(game).settings.from_dict({})
    state = get_game(game).new_states(settings, 1).itemsize
    assert state <= modes.bytes_per_game(get_game(game), 4096) <= benchmarks.BYTES


@pytest.mark.filterwarnings("default")  # theirs are theirs
@pytest.mark.parametrize(("needed", "mode"), PEERS, ids=[mode.key for _, mode in PEERS])
def test_peers_play(needed: tuple[str, ...], mode: Mode) -> None:
    if not benchmarks.installed(needed):
        pytest.skip(f"{mode.library} is not installed (benchmarks/requirements.txt)")
    assert mode.count(mode.start()(3)) >= 3


@pytest.mark.filterwarnings("default")  # theirs are theirs
@pytest.mark.parametrize("game", list(GAMES))
def test_wrapped_environments_play(game: str) -> None:
    every = wrappers.modes(game)
    assert {plain for _, plain in every} <= {mode.key for mode, _ in every}
    for mode, _ in every:
        assert mode.count(mode.start()(3)) >= 3, mode.key


@pytest.mark.skipif(not importlib.util.find_spec("pyspiel"), reason="OpenSpiel is not installed")
def test_only_players_decisions_count_in_openspiel() -> None:
    (mode,) = (mode for _, mode in PEERS if mode.key == "openspiel-bots")
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


def test_targets_stand_beside_what_was_measured() -> None:
    measurements = [
        measured("auruxxx-aec", (280, 1.0), (300, 1.0), (260, 1.0)),
        measured("pettingzoo-texas", (10, 1.0), (10, 1.0), (10, 1.0)),
        measured("rlcard-uno", (20, 1.0), (20, 1.0), (20, 1.0)),
        measured("auruxxx-step-1024", (3_000_000, 1.0)),
    ]
    assert benchmarks.compare(["auruxxx"], measurements, {"auruxxx": 1281.5}) == [
        ("auruxxx-aec / pettingzoo-texas", Quartiles(27, 28, 29), "50 times"),
        ("auruxxx-aec / rlcard-uno", Quartiles(13.5, 14, 14.5), ""),
        ("auruxxx-step-1024, a second", Quartiles(3e6, 3e6, 3e6), "4,000,000"),
        ("auruxxx, bytes a game", Quartiles(1281.5, 1281.5, 1281.5), "at most 4,096"),
    ]


QUICK = ("--repeats", 2, "--seconds", 0.001)


def bench(*arguments: object) -> int:
    return benchmarks.main([str(argument) for argument in arguments])


def test_the_comparison_prints_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    present = Mode("rlcard-uno", "", lambda: lambda units: 10 * sum(range(999 * units)), 1, "Peer")
    absent = Mode("absent-mode", "", lambda: int, library="Absent")
    monkeypatch.setattr(benchmarks, "PEERS", (((), present), (("no_such_module",), absent)))
    out = tmp_path / "new" / "peers.json"
    assert bench("auruxxx", "--only", "aec", "uno", *QUICK, "--out", out) == 0
    shown = capsys.readouterr().out
    assert "auruxxx-aec / rlcard-uno" in shown
    assert re.search(r"auruxxx, bytes a game .* 3,\d{3} ", shown)
    assert "not installed: Absent" in shown
    stored = json.loads(out.read_text())
    assert set(stored) == {"machine", "modes", "commit", "comparison"}
    assert stored["machine"]["packages"]["numpy"] == np.__version__
    assert set(stored["modes"]) == {"auruxxx-aec", "rlcard-uno"}
    mode = stored["modes"]["auruxxx-aec"]
    assert (mode["library"], mode["threads"], mode["clock"]) == ("Goldgriff", 1, "cpu")
    assert [set(sample) for sample in mode["samples"]] == [{"decisions", "wall", "cpu"}] * 2
    assert 0 < mode["rate"]["low"] <= mode["rate"]["median"] <= mode["rate"]["high"]
    assert stored["comparison"]["auruxxx, bytes a game"]["target"] == "at most 4,096"


def test_wrappers_stand_beside_the_environment_without_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    only = ("--only", "aec", "order", "rlcard")
    assert wrappers.main(["auruxxx", *only, *map(str, QUICK)]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"pettingzoo-order +│ aec +│ +0\.\d+ ", shown)
    assert re.search(r"rlcard +│ aec +│ +0\.\d+ ", shown)
    assert wrappers.main(["chess"]) == 1
    assert capsys.readouterr().err.startswith("benchmarks: unknown game 'chess'")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "unknown game 'chess'; there are auruxxx, gluecksgriff"),
        (("--repeats", 0), "repeats must be at least 1, not 0"),
        (("--seconds", 0), "seconds must be a number above 0, not 0.0"),
        (("--seconds", math.nan), "seconds must be a number above 0, not nan"),
        (("auruxxx", "--only", "sprint"), "no mode has 'sprint' in its name; there are auruxxx-"),
        (("auruxxx", "--only", "step1024"), " (did you mean 'step-1024'?)"),
        (("--only", "rolout"), " (did you mean 'rollout'?)"),
    ],
)
def test_bad_input_is_one_clear_line(
    arguments: tuple[object, ...],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench(*arguments, "--out", tmp_path / "new" / "bench.json") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("benchmarks: ")
    assert message in line
    assert not list(tmp_path.iterdir())


def test_without_the_extra_training_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name="torch")

    monkeypatch.setattr("goldgriff.cli.options.import_module", absent)
    assert bench("--training") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "torch is missing; training needs the extra" in line


def test_commands_in_the_docs_are_understood(root: Path) -> None:
    names = ("README", "docs/agents/champions", "docs/guides/benchmark", "benchmarks/README")
    pages = [(root / f"{name}.md").read_text() for name in names]
    shown = [line for page in pages for line in page.splitlines()]
    commands = [shlex.split(line) for line in shown if line.startswith("python -m benchmarks")]
    assert len(commands) >= 4
    for _, _, module, *arguments in commands:
        if module == "benchmarks.algorithms":
            namespace = algorithms.parser().parse_args(arguments)
            assert algorithms.AlgorithmOptions.read(namespace).jobs()
        elif module == "benchmarks.fields":
            namespace = fields.parser().parse_args(arguments)
            assert fields.FieldOptions.read(namespace).game in GAMES
        else:
            namespace = benchmarks.parser().parse_args(arguments)
            assert chosen_games(BenchmarkOptions.read(namespace))


@pytest.mark.parametrize("game", list(GAMES))
def test_the_tutorials_environment_shows_the_current_player(game: str) -> None:
    aec, watched = (goldgriff.make(get_game(game)) for _ in range(2))
    env = tutorial.TutorialEnv(aec)
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


def test_training_is_measured_in_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, int]] = []

    def noted(*given: Any, **settings: Any) -> Any:
        recipe = ("n_epochs", "batch_size")
        made.append({name: settings[name] for name in recipe if name in settings})
        return MaskablePPO(*given, **settings)

    monkeypatch.setattr(tutorial, "MaskablePPO", noted)
    game = get_game("auruxxx")
    every = [*training.training_modes(game, "smoke"), *tutorial.tutorial_modes(game, "smoke")]
    assert {mode.key.removeprefix("auruxxx-"): mode.start()(1) for mode in every} == {
        "train-maskable": 16 * 32,  # one update of the preset
        "train-ppo": 16 * 32,
        "tutorial": 2048,
        "tutorial-batches": 2048,
    }
    assert made == [{}, {"n_epochs": 3, "batch_size": 256}]


SHORT = ("--minutes", "0.002", "--deals", "2", "--seeds", "1")


def algorithm_jobs(out: Path, *arguments: str) -> list[Job]:
    """The runs of a short comparison in Auruxxx, the full game first."""
    words = ["auruxxx", *SHORT, *arguments, "--out", str(out)]
    return AlgorithmOptions.read(algorithms.parser().parse_args(words)).jobs()


def test_algorithms_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON, chart and tables; a second call takes what was measured from the folder."""
    arguments = ["auruxxx", *SHORT, "--algorithms", "maskable", "dmc", "--out", str(tmp_path)]
    assert algorithms.main(arguments) == 0
    assert (
        len(re.findall(r"^auruxxx-.*: (?:win_share|nash_conv) ", capsys.readouterr().out, re.M))
        == 4
    )
    assert (tmp_path / "algorithms.png").stat().st_size > 50_000
    results = json.loads((tmp_path / "algorithms.json").read_text())
    assert {(run["algorithm"], run["small"]) for run in results["runs"]} == set(
        product(("maskable", "dmc"), (False, True))
    )
    for run in results["runs"]:
        points = run["points"]
        assert len(points) == len(algorithms.PARTS)
        assert points[0]["seconds"] > 0
        assert points[0]["samples"] <= points[-1]["samples"]
        assert 0 <= points[-1]["nash_conv" if run["small"] else "win_share"] < 2
    kept = tmp_path / "auruxxx-tiny-a-dmc-1" / "measured.json"
    content = json.loads(kept.read_text())
    content["points"][-1]["nash_conv"] = 1.2345
    kept.write_text(json.dumps(content))
    assert algorithms.main(arguments) == 0
    table = capsys.readouterr().out
    assert table == (tmp_path / "algorithms.md").read_text()
    assert re.search(r"^\| `dmc` \| [\d,]+ \| \d+\.\d % \| \d+\.\d % \| 1\.23[45] \|$", table, re.M)


def test_a_comparison_goes_on_with_what_is_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, job = algorithm_jobs(tmp_path, "--algorithms", "dmc")
    algorithms.finish(job)
    points = job.read(algorithms.MEASURED)
    (job.folder / algorithms.MEASURED).unlink()
    monkeypatch.setattr(algorithms, "train", lambda _: pytest.fail("trained again"))
    algorithms.finish(job)
    assert job.read(algorithms.MEASURED) == points
    assert replace(job, seconds=9.0).read(algorithms.TRAINED) == []


@pytest.mark.parametrize("name", list(algorithms.ENTRANTS))
def test_every_algorithm_meets_the_expert_in_half_of_the_games(name: str, tmp_path: Path) -> None:
    bits = derive_seeds(7, 4000)
    for job in algorithm_jobs(tmp_path, "--algorithms", name):
        settings = job.settings()
        assert settings.fixed_opponents == ["expert"]
        pool = OpponentPool([RandomPolicy()], settings.pool_size, settings.self_play)
        pool.add(RandomPolicy())
        met = pool.draw(bits, newest=9)[:, 0] == 0
        assert met.mean() == pytest.approx(0.5, abs=0.03)
        assert not getattr(settings, "teacher", "")
        assert getattr(settings, "no_advice", 1.0) == (0.5 if name == "rollout-advice" else 1.0)


def test_intervals_are_over_seeds() -> None:
    values = np.array([[0.3, 0.2, 0.0], [0.4, 0.2, 0.1], [0.5, 0.2, 0.2]])
    curve = algorithms.Curve(values, values, values)
    estimate = curve.at(0)
    half = 4.30265 * 0.1 / math.sqrt(3)  # the quantile of Student's t with 2 degrees of freedom
    assert (estimate.low, estimate.high) == pytest.approx((0.4 - half, 0.4 + half), abs=1e-5)
    assert algorithms.shown(curve.at(1), "{:.1%}") == "20.0 % (20.0 - 20.0)"
    assert curve.at(2).low == 0
    alone = algorithms.Curve(*(values[None, 0] for _ in range(3)))
    assert algorithms.shown(alone.at(0), "{:.3f}") == "0.300"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "unknown game 'chess'"),
        (("--minutes", "0"), "minutes must be a number above 0, not 0.0"),
        (("--deals", "1"), "deals must be at least 2, not 1"),
        (("--processes", "0"), "processes must be at least 1, not 0"),
        (("--algorithms", "rolout"), "(did you mean 'rollout'?)"),
        (("--seeds", "-1"), "seed must be"),
    ],
)
def test_a_comparison_refuses_bad_input(
    arguments: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert algorithms.main([*arguments, "--out", str(tmp_path / "new")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("benchmarks: ")
    assert message in line
