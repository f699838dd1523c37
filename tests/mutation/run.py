"""Changes the rules a little, one place at a time, and looks whether a test notices.

`python tests/mutation/run.py --seed 2026 --number 50`, with the Python of `.venv`: a random sample
of all small changes that can be made to rules, legal moves, knowledge, observations, sampled states
and chance. Each is made in a copy of the tree and meets the tests that are quick without the
compiler first, then more of them compiled, up to the first failure. Not part of the checks: a
change takes 5 to 20 seconds of a core, one that survives some minutes.

`--same FILE --revision REV` tries the changes again that a file of outcomes of an older revision
holds, where their lines still stand.
"""

import argparse
import ast
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Queue
from typing import Any

from scipy.stats import binomtest

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("auruxxx", "gluecksgriff")
GAME_FILES = (
    *("rules", "legal", "transitions", "rounds", "piles", "plays", "magic"),
    *("observation", "determinization"),
)
ENGINE_FILES = (
    *("chance", "deck", "determinization", "knowledge", "observation", "rewards", "rng"),
)
FIRST_TESTS = (
    "tests/envs/test_rewards.py",
    "tests/envs/engine/test_chance_functions.py",
    "tests/envs/engine/test_rng.py",
    "tests/test_house.py::test_the_table_of_settings_is_the_declared_one",
)
ATTACKS = ("tests/attacks/test_invariants.py", "tests/attacks/test_pairs.py")
MORE_TESTS = (
    "tests/envs/test_golden.py",
    "tests/envs/test_properties.py",
    "tests/envs/test_refusals.py",
    "tests/envs/test_determinization.py",
    "tests/envs/test_environment.py",
    "tests/envs/test_observations.py",
    "tests/envs/test_batch.py",
    "tests/envs/test_history.py",
    "tests/envs/test_score_sheet.py",
    "tests/test_presets.py",
    "tests/eval/game_theory/test_solutions.py",
)
SECONDS = (400, 1200)  # of computing, for uncompiled and compiled tests: many times their need
MEMORY = 12 * 2**20  # KiB of address space

COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<=", ">="),
    ast.LtE: ("<=", "<", ">"),
    ast.Gt: (">", ">=", "<="),
    ast.GtE: (">=", ">", "<"),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.FloorDiv: ("//", "*"),
    ast.Div: ("/", "*"),
    ast.Mod: ("%", "//"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}


@dataclass(frozen=True)
class Change:
    """One small change: the characters start to end of a file become `new`."""

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{old}  ->  {new}"


@dataclass
class Outcome:
    """What became of a change; `caught_by` names a test, or is None."""

    change: Change
    caught_by: str | None


class Finder(ast.NodeVisitor):
    """Collects the changes that can be made to a file."""

    def __init__(self, file: str, source: str) -> None:
        self.file, self.source, self.found = file, source, list[Change]()
        lines = source.encode().splitlines(keepends=True)
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))
        self._bytes = source.encode()

    def place(self, line: int, column: int) -> int:
        """The place of a character; the tree counts bytes."""
        return len(self._bytes[: self._starts[line - 1] + column].decode())

    def span(self, node: Any) -> tuple[int, int]:
        return (
            self.place(node.lineno, node.col_offset),
            self.place(node.end_lineno, node.end_col_offset),
        )

    def change(self, line: int, start: int, end: int, new: str) -> None:
        old = self.source[start:end]
        self.found.append(Change(self.file, line, start, end, old, new))

    def operator(self, left: ast.expr, right: ast.expr, old: str, *others: str) -> None:
        """Change the operator between two operands, which brackets and lines may surround."""
        start, end = self.span(left)[1], self.span(right)[0]
        where = re.search(rf"(?<![<>=!*/]){re.escape(old)}", self.source[start:end])
        assert where is not None
        for new in others:
            self.change(left.lineno, start + where.start(), start + where.end(), new)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
            if type(op) in COMPARISONS:
                self.operator(left, right, *COMPARISONS[type(op)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.operator(node.left, node.right, *ARITHMETIC[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.operator(left, right, old, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            start, _ = self.span(node)
            self.change(node.lineno, start, start + len("not"), "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if type(node.value) is int:
            for new in (node.value + 1, node.value - 1):
                text = str(new) if new >= 0 else f"({new})"
                self.change(node.lineno, *self.span(node), text)

    def visit_If(self, node: ast.If | ast.IfExp) -> None:
        """Swap the branches."""
        start, end = self.span(node.test)
        self.change(node.lineno, start, end, f"not ({self.source[start:end]})")
        self.generic_visit(node)

    visit_IfExp = visit_If  # noqa: N815

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        old, new = ARITHMETIC[type(node.op)]
        self.operator(node.target, node.value, f"{old}=", f"{new}=")
        self.remove(node)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not any(isinstance(target, ast.Name | ast.Tuple) for target in node.targets):
            self.remove(node)  # without a name that is needed later nothing would run
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.remove(node)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            self.remove(node)
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue | ast.Break) -> None:
        self.remove(node)

    visit_Break = visit_Continue  # noqa: N815

    def remove(self, node: ast.stmt) -> None:
        self.change(node.lineno, *self.span(node), "pass")

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for statement in node.body:  # neither decorators nor annotations
            self.visit(statement)


def changes_of(files: list[str]) -> list[Change]:
    """Every change that can be made to some files, in their order."""
    found = []
    for file in files:
        source = (ROOT / file).read_text()
        finder = Finder(file, source)
        finder.visit(ast.parse(source))
        found += sorted(finder.found, key=lambda change: (change.start, change.end, change.new))
    return found


def files_of(game: str | None) -> list[str]:
    """The files that are changed, for one game or for both and what they share."""
    files = [f"envs/{one}/{name}.py" for one in ([game] if game else GAMES) for name in GAME_FILES]
    files += [] if game else [f"envs/engine/{name}.py" for name in ENGINE_FILES]
    return [file for file in files if (ROOT / file).is_file()]


def key_of(change: Change, source: str) -> tuple[str, int, str, str]:
    """What a change keeps when its line moves: the line, the place in it, the old and new text."""
    line_start = source.rfind("\n", 0, change.start) + 1
    line = source[line_start:].partition("\n")[0]
    indent = len(line) - len(line.lstrip())
    return line.strip(), change.start - line_start - indent, change.old, change.new


def same_changes(out: Path, revision: str) -> list[Change]:
    """The changes that were tried in a revision, as they are now; a line that is gone is named.

    Of several equal lines the one of the same file is taken, and there the one of the same rank.
    """
    places: dict[tuple[str, int, str, str], list[Change]] = {}
    for change in changes_of(files_of(None)):
        places.setdefault(key_of(change, (ROOT / change.file).read_text()), []).append(change)
    sample = []
    for change in (outcome.change for outcome in kept(out)):
        show = ["git", "show", f"{revision}:{change.file}"]
        source = subprocess.run(show, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        key = key_of(change, source)
        folder = Path(change.file).parent.as_posix()
        found = [place for place in places.get(key, ()) if place.file.startswith(folder)]
        if not found:
            print(f"gone: {change.file}:{change.line}  {change}  in  {key[0]}", flush=True)
            continue
        alike = [place for place in found if place.file == change.file] or found
        rank = source[: change.start].count(key[0])
        sample.append(alike[min(rank, len(alike) - 1)])
    return sample


class Copy:
    """A copy of the tree, in which changes are made and undone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        kept = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(kept, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            source, target = ROOT / name, folder / name
            if source.is_symlink() or source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False

    def try_change(self, change: Change, *, quick: bool) -> str | None:
        """Make a change; what catches it, or None. With `quick` only the quick tests run."""
        file = self.folder / change.file
        source = file.read_text()
        assert source[change.start : change.end] == change.old
        games = [game for game in GAMES if f"/{game}/" in change.file] or GAMES
        try:
            self._write(file, source[: change.start] + change.new + source[change.end :])
            for compiled, tests in stages(games):
                if compiled and quick:
                    break
                if caught_by := self.run_tests(tests, compiled=compiled):
                    return caught_by
            return None
        finally:
            self._write(file, source)

    def _write(self, file: Path, source: str) -> None:
        file.write_text(source)
        for stale in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
            stale.unlink()  # Python looks at time and size only

    def run_tests(self, tests: list[str], *, compiled: bool) -> str | None:
        """The first test that fails, or how they ended; None when all pass."""
        cache = self.folder / ".numba"
        environment = os.environ | {"PYTHONPATH": str(self.folder / ".typing")}
        environment |= {"NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": str(int(not compiled))}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "--tb=no"]
        # Computing time, not that of a clock: other work on the machine must not end a test.
        limits = f'ulimit -t {SECONDS[compiled]}; ulimit -v {MEMORY}; exec "$@"'
        self._process = subprocess.Popen(
            ["sh", "-c", limits, "sh", *command, "-p", "no:cacheprovider", *tests],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        output, _ = self._process.communicate()
        shutil.rmtree(cache, ignore_errors=True)  # of rules that are never seen again
        if self._stopped:
            raise KeyboardInterrupt
        code = self._process.returncode
        if code == 0:
            return None
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
        if failed is not None:
            return failed[1]
        return "time limit" if code in (-signal.SIGXCPU, -signal.SIGKILL) else f"exit code {code}"

    def stop(self) -> None:
        """End the tests that run."""
        self._stopped = True
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)


def stages(games: Sequence[str]) -> list[tuple[bool, list[str]]]:
    """The tests of some games, in the order in which they run: whether compiled, and which.

    The first are the rules one by one, then short attacks; then comes all that plays these games.
    """
    rules = [
        path.relative_to(ROOT).as_posix()
        for game in games
        for name in ("test_rules_*.py", "test_observation_*.py", "test_score_sheet.py")
        for path in sorted((ROOT / "tests" / game).glob(name))
    ]
    attacks = ["-m", "not slow and not long", "-k", " or ".join(games), *ATTACKS]
    return [
        (False, [*rules, *FIRST_TESTS]),
        (False, attacks),
        (True, [*(f"tests/{game}" for game in games), *MORE_TESTS]),
    ]


def play(
    sample: list[Change], outcomes: dict[Change, Outcome], options: argparse.Namespace
) -> None:
    """Try each change that has no outcome yet; each outcome is printed and kept at once.

    With `options.survivors` those that survived are tried again.
    """
    jobs = options.jobs
    with tempfile.TemporaryDirectory() as scratch:
        copies = [Copy(Path(scratch) / str(job)) for job in range(jobs)]
        free: Queue[Copy] = Queue()
        lock = threading.Lock()
        for copy in copies:
            free.put(copy)

        def try_one(change: Change) -> None:
            copy = free.get()
            try:
                outcome = Outcome(change, copy.try_change(change, quick=options.quick))
            finally:
                free.put(copy)
            with lock:
                outcomes[change] = outcome
                print(line_of(outcome), flush=True)
                keep(outcomes, options.out)

        pool = ThreadPoolExecutor(jobs)
        tried = [
            pool.submit(try_one, change)
            for change in sample
            if change not in outcomes or (options.survivors and outcomes[change].caught_by is None)
        ]
        try:
            for one in tried:
                one.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for copy in copies:
                copy.stop()
            raise
        finally:
            pool.shutdown()


def line_of(outcome: Outcome) -> str:
    change = outcome.change
    return f"{change.file}:{change.line}  {change}  {outcome.caught_by or 'SURVIVED'}"


def keep(outcomes: dict[Change, Outcome], out: Path) -> None:
    rows = [{**asdict(one.change), "caught_by": one.caught_by} for one in outcomes.values()]
    out.write_text(json.dumps(rows, indent=1) + "\n")


def kept(out: Path) -> Iterator[Outcome]:
    for row in json.loads(out.read_text()) if out.exists() else []:
        caught_by = row.pop("caught_by")
        yield Outcome(Change(**row), caught_by)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default 0)")
    parser.add_argument("--number", type=int, default=20, help="changes to try (default 20)")
    parser.add_argument("--game", choices=GAMES, help="only the files of one game")
    parser.add_argument("--jobs", type=int, default=1, help="changes tried at a time (default 1)")
    parser.add_argument(
        "--out", type=Path, default=Path("mutation.json"),
        help="file of the outcomes; those in it are not tried again (default mutation.json)",
    )  # fmt: skip
    parser.add_argument(
        "--survivors", action="store_true", help="try those that survived once more"
    )
    parser.add_argument(
        "--quick", action="store_true", help="only the tests that are quick without the compiler"
    )
    parser.add_argument(
        "--same", type=Path, metavar="FILE", help="the changes in a file of outcomes of --revision"
    )
    parser.add_argument("--revision", help="what of git the file of --same was made with")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl+C
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background
    named = [test.partition("::")[0] for test in (*FIRST_TESTS, *ATTACKS, *MORE_TESTS)]
    gone = [test for test in named if not (ROOT / test).exists()]
    assert not gone, f"tests that have moved: {gone}"  # else every change would seem caught
    if options.same:
        sample = same_changes(options.same, options.revision)
        print(f"{len(sample)} changes of {options.same} are still there", flush=True)
    else:
        possible = changes_of(files_of(options.game))
        sample = random.Random(options.seed).sample(possible, min(options.number, len(possible)))
        print(f"{len(sample)} of {len(possible)} changes, seed {options.seed}", flush=True)
    outcomes = {outcome.change: outcome for outcome in kept(options.out)}
    try:
        play(sample, outcomes, options)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on")
    tried = [outcomes[change] for change in sample if change in outcomes]
    if tried:
        caught = sum(one.caught_by is not None for one in tried)
        low, high = binomtest(caught, len(tried)).proportion_ci(0.95, "wilson")
        for one in tried:
            if not one.caught_by:
                print(line_of(one))
        print(
            f"{caught} of {len(tried)} caught: {caught / len(tried):.1%} "
            f"(95 % interval {low:.1%} to {high:.1%})"
        )


if __name__ == "__main__":
    main()
