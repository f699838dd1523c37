"""The notebooks: each runs from top to bottom, and what is stored of it is such a run."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
MAX_BYTES = 150_000
A_PATH = re.compile(r"""(?:^|[\s'"(=])(?:/(?:home|root|tmp|usr|opt|var|Users)/|[A-Z]:\\)""")
A_LINK = re.compile(r"\]\((?!https?:)([^)#]+)")

notebooks = pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda p: p.stem)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def kinds(cell: Any) -> set[tuple[str, ...]]:
    """What a cell has shown: streams by name, data by its types. Compiling may announce itself."""
    shown = {
        (output.output_type, output.get("name", ""), *sorted(output.get("data", ())))
        for output in cell.get("outputs", ())
    }
    return shown - {("stream", "stderr")}


def test_there_are_seven() -> None:
    assert [path.stem[0] for path in sorted(FOLDER.glob("*.ipynb"))] == list("1234567")


@notebooks
def test_it_runs_and_shows_what_is_stored(path: Path, tmp_path: Path) -> None:
    """In an empty folder, so that nothing it needs lies about and nothing is left behind."""
    stored = read(path)
    fresh = NotebookClient(
        read(path), timeout=600, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    for before, after in zip(stored.cells, fresh.cells, strict=True):
        assert kinds(before) == kinds(after), before.source


@notebooks
def test_what_is_stored_is_one_run_without_dead_cells(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert all(cell.source.strip() for cell in notebook.cells)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert not [output for output in outputs if output.output_type == "error"]


@notebooks
def test_it_is_small_and_names_no_path_of_a_machine(path: Path) -> None:
    assert path.stat().st_size < MAX_BYTES
    for cell in read(path).cells:
        for output in cell.get("outputs", ()):
            texts = [output.get("text", ""), *output.get("data", {}).values()]
            assert not [text for text in texts if A_PATH.search(text)], cell.source


@notebooks
def test_its_links_lead_somewhere(path: Path) -> None:
    text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    assert [link for link in A_LINK.findall(text) if not (FOLDER / link).exists()] == []
