"""Agents at fault: whatever they do, they lose a game and the tournament goes on."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import Settings
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.match import Match
from goldgriff.errors import MAX_REASON
from goldgriff.eval.tournament.config import tournament_config
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.matches import Outcomes, play_games
from goldgriff.eval.tournament.results import Results
from goldgriff.eval.tournament.store import STORE, Store
from goldgriff.eval.tournament.tournament import run_tournament
from goldgriff.eval.workers.shard_players import TimeLimit

from ..envs.loops import derive
from ..eval.small import EXPERT, RANDOM
from . import agents

HERE = "tests.attacks.agents:"
EXCEPTIONS = {
    "Cancelled": "failed: CancelledError:",
    "Panicked": "failed: Panic: at the disco",
    "Leaving": "failed: GeneratorExit:",
    "Stopping": "failed: StopIteration:",
    "Speechless": "failed: an exception without a readable text",
    "Garbled": r"failed: RuntimeError: half a pair \ud800, \x1b[2Jcleared\x07 and \u202ebackwards",
    "Endless": "failed: RuntimeError: on and on",
    "Saboteur": "replaced numpy.where",
}
# Those that only a process can hold, and what is said of them.
PROCESSES = {
    "Spawner": "ended its process (exit code 7)",
    "Quitter": "ended its process (exit code 0)",
    "Sleeper": "did not answer within 3 seconds",
}


def play(policy: Any, games: int = 30, forfeits: bool = True) -> Outcomes:
    """Play games of three: two random players and an agent, who sits in seat k % 3 of game k."""
    seating = np.array([np.roll([1, 0, 0], k) for k in range(games)])
    settings, seeds = Settings(num_players=3, rounds=1), derive_seeds(8, games)
    players = [RANDOM, Player("other", policy)]
    return play_games(AURUXXX, settings, players, seating, seeds, forfeits=forfeits)


def compete(*names: str) -> Results:
    """Play four games of two in a worker process; who is moody is so in one of them."""
    settings = Settings(num_players=2, rounds=1, max_decisions=60)
    names = tuple(HERE + name for name in names)
    config = tournament_config(AURUXXX, names, settings, deals=2, seed=6)
    return run_tournament(config, workers=1, limit=TimeLimit(3.0))


def same(one: Outcomes, other: Outcomes) -> bool:
    return one.actions.tobytes() == other.actions.tobytes() and (one.points == other.points).all()


def test_what_an_agent_writes_into_its_observations_reaches_nobody() -> None:
    assert same(play(agents.Eraser()), play(agents.First()))
    assert play(agents.Eraser()).forfeits == ()


@pytest.mark.parametrize("forger", [agents.Forger, agents.CompiledForger])
def test_an_agent_that_writes_into_its_masks_plays_nothing_illegal(forger: type[Any]) -> None:
    outcomes = play(forger(), games=6)
    assert len(outcomes.forfeits) == 6
    assert all("is not legal here; legal are" in one.fault.text for one in outcomes.forfeits)


def unmix(bits: int) -> int:
    """The argument whose `mix` (envs/engine/rng.py) is `bits`."""
    word = 2**64
    undo_2, undo_1 = pow(0x94D049BB133111EB, -1, word), pow(0xBF58476D1CE4E5B9, -1, word)
    bits = (bits ^ bits >> 31 ^ bits >> 62) * undo_2 % word
    bits = (bits ^ bits >> 27 ^ bits >> 54) * undo_1 % word
    return bits ^ bits >> 30 ^ bits >> 60


def test_no_random_bits_of_a_decision_are_a_permutation_of_the_seed() -> None:
    """Undoing the derivation named the seed, and with it every hidden card."""
    gamma, seed = 0x9E3779B97F4A7C15, 12345
    found = set()
    match = Match(AURUXXX, Settings(num_players=2))
    match.start(seed)
    bits = int(match.random_bits[0])
    seat = match.current_player
    for _ in range(4):
        bits = unmix(bits)
        found.add(~(unmix((bits - gamma) % 2**64) - (seat + 1) * gamma) % 2**64)
    assert seed not in found
    derived = derive(derive(~seed % 2**64, seat), 0)  # as it was: the attack finds the seed
    assert ~(unmix((unmix(derived) - gamma) % 2**64) - (seat + 1) * gamma) % 2**64 == seed


def test_the_library_s_own_compiled_agents_need_no_copies() -> None:
    assert EXPERT.is_own
    assert RANDOM.is_own
    assert not Player("forger", agents.CompiledForger()).is_own


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_whatever_an_agent_raises_it_forfeits(name: str) -> None:
    where = np.where
    outcomes = play(getattr(agents, name)())
    assert np.where is where
    assert 0 < len(outcomes.forfeits) <= 30
    for one in outcomes.forfeits:
        assert one.fault.text.startswith(EXCEPTIONS[name])
        assert len(one.fault.text) <= MAX_REASON
        assert one.fault.text.isprintable()


@pytest.mark.parametrize("answer", agents.ANSWERS, ids=range(len(agents.ANSWERS)))
def test_an_answer_that_is_no_action_is_a_forfeit(answer: Any) -> None:
    outcomes = play(agents.Answering(answer), games=3)
    assert len(outcomes.forfeits) == 3
    assert all(one.fault.text.isprintable() for one in outcomes.forfeits)
    assert all(len(one.fault.text) <= MAX_REASON for one in outcomes.forfeits)


def test_numpy_s_error_handling_is_left_as_it_was() -> None:
    before = np.geterr()
    assert play(agents.Raiser()).forfeits == ()
    assert np.geterr() == before


def test_a_person_s_interruption_is_not_the_agent_s() -> None:
    with pytest.raises(KeyboardInterrupt):
        play(agents.Interrupted())


@pytest.mark.parametrize(
    "names",
    [
        ("Spawner", "Quitter"),
        *(pytest.param((name, "First"), marks=pytest.mark.long) for name in PROCESSES),
    ],
    ids="-".join,
)
def test_what_an_agent_does_to_its_process_is_its_own_fault(names: tuple[str, ...]) -> None:
    results = compete(*names)
    faults = {one.agent.removeprefix(HERE): one for one in results.forfeits}
    assert set(faults) == set(names) & set(PROCESSES)
    for name, one in faults.items():
        assert one.reason.startswith(PROCESSES[name])
        assert one.games == 1
    assert results.games == 4


def test_a_child_that_is_forked_ends_and_its_parent_goes_on() -> None:
    results = compete("Forker", "First")
    assert results.forfeits == []
    assert results.games == 4


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    code = "import sys; from goldgriff.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, *arguments, "--out", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    ("command", "name", "said"),
    [
        ("tournament", "Stillborn", "ended its process (exit code 0) while it was made"),
        ("play", "Stillborn", "ended its process (exit code 0) while it was made"),
        ("tournament", "Unmade", "failed: Panic: not today"),
        pytest.param("play", "Departed", "failed: SystemExit:", marks=pytest.mark.long),
    ],
)
def test_an_agent_that_cannot_be_made_ends_the_command_with_one_line(
    command: str, name: str, said: str, tmp_path: Path
) -> None:
    done = run(command, "auruxxx", "--agents", HERE + name, folder=tmp_path / "out")
    assert done.returncode == 1
    assert done.stderr.strip() == f"goldgriff {command}: agent '{HERE}{name}': {said}"
    assert not (tmp_path / "out").exists()


def test_an_agent_that_cannot_be_made_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    options = ["--players", "2", "--deals", "2", "--workers", "1"]
    whole = run("tournament", "auruxxx", "--agents", "random", *options, folder=tmp_path)
    assert whole.returncode == 0, whole.stderr
    before = (tmp_path / STORE).read_bytes()
    options += ["--agents", HERE + "Unmade", "random"]
    assert run("tournament", "auruxxx", *options, folder=tmp_path).returncode == 1
    assert (tmp_path / STORE).read_bytes() == before


def test_a_tournament_runs_no_agent_s_code_in_its_own_process(root: Path, tmp_path: Path) -> None:
    (tmp_path / "spy.py").write_text(
        "import os\nfrom tests.attacks.agents import First\n"
        "open(f'process-{os.getpid()}', 'w').close()\n"
    )
    code = "import os, sys; from goldgriff.cli.main import main; status = main(sys.argv[1:]); "
    code += "print(os.path.exists(f'process-{os.getpid()}')); sys.exit(status)"
    options = ["--players", "2", "--deals", "2", "--workers", "1", "--out", "out"]
    command = ["tournament", "auruxxx", "--agents", "spy:First", "random", *options]
    done = subprocess.run(
        [sys.executable, "-c", code, *command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *filter(None, sys.path)])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("False\n")
    assert len(list(tmp_path.glob("process-*"))) >= 2


def test_a_stored_reason_of_a_stranger_is_shown_as_one_line_that_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(num_players=2, rounds=1)
    config = tournament_config(AURUXXX, ("random",), settings, deals=2, seed=1)
    with Store.create(tmp_path / STORE, AURUXXX, dict(config.rules)) as store:
        run_tournament(config, [Player("random", agents.Answering(None))], store=store)
        with store.writing() as connection:
            details = json.dumps({"error": "\x1b[2J\x07 and " + "on " * 999})
            connection.execute("UPDATE games SET fault = 'failed', details = ?", (details,))
    assert main(["replay", str(tmp_path), "1"]) == 0
    said = capsys.readouterr().out.splitlines()[-2]  # the last one says how to see the game
    assert said.isprintable()
    assert r"\x1b[2J\x07 and on" in said
    assert len(said) < MAX_REASON + 50
