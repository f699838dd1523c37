"""Learning curves as files."""

import csv
import errno
from pathlib import Path

import pytest
from matplotlib.image import imread
from torch.utils.tensorboard import SummaryWriter

from goldgriff.files import FileError
from goldgriff.train.logging import TrainingLog


def some() -> TrainingLog:
    """Three updates, the second of which was measured."""
    curves = TrainingLog()
    curves.add(100, {"loss": 2.0})
    curves.add(200, {"loss": 1.5, "yardstick/share": 0.3, "yardstick/low": 0.2,
                     "yardstick/high": 0.4})  # fmt: skip
    curves.add(300, {"loss": 1.0})
    return curves


def test_the_table_and_the_chart_hold_all_updates(tmp_path: Path) -> None:
    some().write(tmp_path)
    with (tmp_path / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["steps"] for row in rows] == ["100", "200", "300"]
    assert [row["loss"] for row in rows] == ["2.0", "1.5", "1.0"]
    assert [row["yardstick/share"] for row in rows] == ["", "0.3", ""]
    image = imread(tmp_path / "curve.png")  # fails on half a file
    assert image.shape[0] > 100
    assert image.shape[1] > 300
    assert image.min() < image.max()


def test_nothing_is_written_before_the_first_update(tmp_path: Path) -> None:
    TrainingLog().write(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_both_files_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    curves = some()
    curves.write(tmp_path)
    before = {entry: entry.read_bytes() for entry in tmp_path.iterdir()}
    write = Path.write_bytes

    def fill_up(path: Path, content: bytes) -> int:
        if "png" in path.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", fill_up)
    curves.add(400, {"loss": 0.5})
    with pytest.raises(FileError, match="No space left on device"):
        curves.write(tmp_path)
    assert {entry: entry.read_bytes() for entry in tmp_path.iterdir()} == before


def test_events_go_where_tensorboard_looks(tmp_path: Path) -> None:
    curves = TrainingLog()
    with curves.open(tmp_path):
        curves.add(100, {"loss": 2.0})
    (events,) = (tmp_path / "tensorboard").iterdir()
    assert b"loss" in events.read_bytes()
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot write to folder"), curves.open(tmp_path / "file"):
        pass


@pytest.mark.parametrize("call", ["add_scalar", "close"])
def test_a_disk_too_full_for_events_is_told(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TensorBoard writes from a thread of its own; what failed there is raised by later calls."""

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(SummaryWriter, call, fail)
    curves = TrainingLog()
    with (
        pytest.raises(FileError, match=f"cannot write to folder {tmp_path}: No space left"),
        curves.open(tmp_path),
    ):
        curves.add(100, {"loss": 2.0})
