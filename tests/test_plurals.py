"""One of a thing is told in the singular."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from goldgriff.cli.main import main
from goldgriff.eval.report.tables import headline
from goldgriff.eval.tournament.tournament import run_tournament
from goldgriff.naming import counted
from goldgriff.play.texts import read_texts

from .eval.small import players_of, small_config

NOUNS = (
    "actions|agents|cards|copies|cores|deals|decisions|evaluations|files|games|hands|histories|"
    "iterations|matches|minutes|moves|nodes|numbers|opponents|people|points|policies|processes|"
    "processors|rounds|rows|runs|samples|seats|seconds|settings|shards|states|steps|threads|"
    "timesteps|turns|units|updates|workers"
)
PLURAL = re.compile(rf"^(?: (?!has |holds )[a-z-]+)? (?:{NOUNS})\b")
# Never 1, or no number: constants, what is in the message only where it is too large.
NEVER_ONE = {
    *("DEFAULT_BUDGET sampled states", "MAX_DEPTH decisions"),
    *("NUM_ENVS games", "self.blunder_rate random moves"),
    *("_listed(stored.points) points", "curve.samples[-1] samples", "rate games"),
    *("dealt cards", "dealt + 1 cards", "size cards", "size nodes", "limit nodes", "width numbers"),
    *("decisions decisions", "done timesteps", "known timesteps"),
    *("self.learner.num_timesteps timesteps", "found.num_histories histories"),
    *("found.tree.num_histories histories", "tree.num_histories histories", "tree.num_nodes nodes"),
    *("len(agents) agents", "len(numbers) numbers", "len(people) people", "len(rows) rows"),
    *("len(row) finite numbers", "seats[k] seats", "self.num_players hands"),
    "settings.num_players seats",
}
TEXT = re.compile(
    r"(?<! of )\{\w+\} (points(?! of)|cards|people|games|moves|rounds"
    r"|Punkte(?! Gewinn)|Karten|Personen|Spiele|Züge|Runden)\b"
)
ONE = re.compile(r"(?<![\d.,])1 [a-z]+s\b")


def test_numbers_with_a_noun() -> None:
    assert [counted(number, "deal") for number in (0, 1, 2, 1000)] == [
        "0 deals", "1 deal", "2 deals", "1,000 deals",
    ]  # fmt: skip


def numbers_before_plurals(tree: ast.AST) -> Iterator[str]:
    """Return what stands before a noun in the plural in the texts of a module."""
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for number, noun in pairwise(parts):
            if isinstance(number, ast.FormattedValue) and isinstance(noun, ast.Constant):
                found = PLURAL.match(str(noun.value))
                if found:
                    yield f"{ast.unparse(number.value)}{found[0]}"


def test_no_number_that_may_be_one_stands_before_a_plural(root: Path) -> None:
    """Such a number is written by `counted`."""
    folders = ("agents", "envs", "eval", "play", "train")
    files = [file for each in folders for file in (root / each).rglob("*.py")]
    found = {
        text
        for file in (*files, *root.glob("*.py"))
        for text in numbers_before_plurals(ast.parse(file.read_text()))
        if not text.endswith(" players")  # there are two at least
    }
    assert sorted(found ^ NEVER_ONE) == []


def test_texts_for_people_have_a_singular() -> None:
    for name in ("shared", "auruxxx", "gluecksgriff"):
        texts = read_texts(name)
        for key, pair in texts.items():
            if any(map(TEXT.search, pair)):
                singular = {f"{key}.one", key.removesuffix("s")} - {key}
                many = key.endswith("too-many-points")  # seven or more
                assert many or singular & set(texts), key


def test_commands_with_the_number_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ["--rules", "preset=tiny-a", "max_decisions=1"]
    file = str(tmp_path / "solution")
    assert main(["solve", "auruxxx", *small, "--out", file, "--iterations", "1"]) == 0
    assert main(["exploit", "auruxxx", "random", *small]) == 0
    shown = capsys.readouterr()
    assert "1 iteration, " in shown.out
    assert ONE.findall(shown.out + shown.err) == []


def test_a_tournament_that_was_stopped_after_one_deal() -> None:
    config = small_config("expert", "random")
    results = replace(run_tournament(config, players_of(config)), deals=1)
    assert "1 deal, " in headline(results)
    assert ONE.findall(headline(results)) == []
