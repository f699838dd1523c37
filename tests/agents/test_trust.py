"""The gate for what files name: code and downloads that nobody has asked for."""

from pathlib import Path
from typing import Any

import pytest

from goldgriff.agents.trust import check_trust
from goldgriff.errors import AgentError

HIDDEN: list[Any] = [
    "evil:f",
    ["expert", "evil:f"],
    {"reward": "evil:f"},
    {"vary": {"reward": ["points", "evil:f"]}},
    {"evil:f": 0.5},
    {"initial_policy": "search+hf://evil/f@100"},
]


@pytest.mark.parametrize("data", HIDDEN, ids=str)
def test_a_name_of_code_is_found_wherever_a_file_has_it(data: Any) -> None:
    with pytest.raises(AgentError, match=r"the file names (code|models).*evil"):
        check_trust(data, "the file")
    check_trust(data, "the file", trust=True)
    check_trust(data, "the file", typed=["evil:f", "search+hf://evil/f@100"])


def test_a_file_of_that_name_hides_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("evil:f").touch()
    with pytest.raises(AgentError, match="names code to run: 'evil:f'"):
        check_trust({"reward": "evil:f"}, "the file")
    Path("a:b").mkdir()
    Path("a:b/policy.safetensors").touch()
    check_trust({"seed": 1, "agents": ["expert", "a:b/policy.safetensors"]}, "the file")
