"""Every rule of the document is played by a test that names it."""

import re
from pathlib import Path

# How many rules each chapter of the document has.
CHAPTERS = {
    "G0": 4,
    "G1": 4,
    "G2": 6,
    "G3": 4,
    "G4": 6,
    "G5": 7,
    "G6": 7,
    "G7": 7,
    "G8": 9,
    "G9": 12,
}


def marked_rules() -> set[str]:
    texts = [file.read_text("utf-8") for file in Path(__file__).parent.glob("test_rules_*.py")]
    markers = re.findall(r"@pytest\.mark\.rule\(([^)]*)\)", "".join(texts))
    return set(re.findall(r'"([^"]+)"', "".join(markers)))


def test_every_rule_has_a_test_and_no_other_is_cited() -> None:
    rules = {f"{chapter}.{n}" for chapter, count in CHAPTERS.items() for n in range(1, count + 1)}
    assert marked_rules() == rules
