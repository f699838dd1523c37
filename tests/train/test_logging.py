"""The training log as files."""

import csv
import errno
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.image import imread
from torch.utils.tensorboard import SummaryWriter

from goldgriff.files import FileError
from goldgriff.train.logging import INTERVAL, WIN_SHARE, TrainingLog


def some() -> TrainingLog:
    """Return a log of three updates, with an evaluation in the second."""
    log = TrainingLog("expert")
    log.add(100, {"loss": 2.0})
    log.add(200, {"loss": 1.5, WIN_SHARE: 0.3, INTERVAL[0]: 0.2, INTERVAL[1]: 0.4})
    log.add(300, {"loss": 1.0})
    return log


def test_the_table_and_the_chart_hold_all_updates(tmp_path: Path) -> None:
    some().write(tmp_path)
    with (tmp_path / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["timesteps"] for row in rows] == ["100", "200", "300"]
    assert [row["loss"] for row in rows] == ["2.0", "1.5", "1.0"]
    assert [row[WIN_SHARE] for row in rows] == ["", "0.3", ""]
    image = imread(tmp_path / "curve.png")  # fails on half a file
    assert image.shape[0] > 100
    assert image.shape[1] > 300
    assert image.min() < image.max()


def test_the_win_share_is_the_first_panel_and_names_its_opponent() -> None:
    log = some()
    log.add(400, {"loss": 0.5, WIN_SHARE: 0.412, INTERVAL[0]: 0.38, INTERVAL[1]: 0.4449})
    log.add(500, {"loss": 0.4})
    text = "win share against expert 41.2% (38.0% to 44.5%); even is 25.0%"
    assert log.describe() == text
    panels = log.draw().axes
    assert [panel.get_title() for panel in panels] == ["win share against expert", "loss"]
    line, even = panels[0].lines
    assert even.get_ydata() == [0.25, 0.25]
    assert np.asarray(line.get_xdata()).tolist() == [0.0002, 0.0004]
    (band,) = panels[0].collections
    ends = np.asarray(band.get_paths()[0].vertices)[:, 1]
    assert set(ends.tolist()) == {0.2, 0.4, 0.38, 0.4449}


def test_a_name_with_dollars_is_no_formula(tmp_path: Path) -> None:
    log = TrainingLog(r"r/dol$\frac$", (2, 4))
    log.add(100, {"rollout/win_share": 0.5, WIN_SHARE: 0.3, INTERVAL[0]: 0.2, INTERVAL[1]: 0.4})
    log.write(tmp_path)
    assert (tmp_path / "curve.png").exists()
    titles = [r"win share against r/dol$\frac$", "rollout/win_share\nagainst ever newer selves"]
    assert [panel.get_title() for panel in log.draw().axes] == titles
    assert log.describe().endswith("even is 37.5%")


def test_a_single_value_is_seen() -> None:
    """A line or a band of one value would be an empty panel."""
    share, loss = some().draw().axes
    assert share.lines[0].get_marker() == loss.lines[0].get_marker() == "o"
    (interval,) = [one for one in share.collections if isinstance(one, LineCollection)]
    assert np.asarray(interval.get_segments())[0, :, 1].tolist() == [0.2, 0.4]


def test_updates_without_figures_are_written(tmp_path: Path) -> None:
    """As those of `dmc`, which learns from games that have ended, before one has."""
    log = TrainingLog("expert")
    log.add(100, {})
    log.write(tmp_path)
    assert (tmp_path / "curve.csv").read_text() == "timesteps\n100\n"
    assert (tmp_path / "curve.png").exists()


def test_nothing_is_written_before_the_first_update(tmp_path: Path) -> None:
    log = TrainingLog("expert")
    assert log.describe() == ""
    log.write(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_both_files_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = some()
    log.write(tmp_path)
    before = {entry: entry.read_bytes() for entry in tmp_path.iterdir()}
    write = Path.write_bytes

    def fill_up(path: Path, content: bytes) -> int:
        if "png" in path.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", fill_up)
    log.add(400, {"loss": 0.5})
    with pytest.raises(FileError, match="No space left on device"):
        log.write(tmp_path)
    assert {entry: entry.read_bytes() for entry in tmp_path.iterdir()} == before


def test_events_go_where_tensorboard_looks(tmp_path: Path) -> None:
    log = TrainingLog("expert")
    with log.open(tmp_path, 0):
        log.add(100, {"loss": 2.0})
    (events,) = (tmp_path / "tensorboard").iterdir()
    assert b"loss" in events.read_bytes()
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot write to folder"), log.open(tmp_path / "file", 0):
        pass


def log_an_update(folder: Path) -> None:
    log = TrainingLog("expert")
    with log.open(folder, 0):
        log.add(100, {"loss": 2.0})
        log.write(folder)


@pytest.mark.parametrize("call", ["add_scalar", "flush", "close"])
def test_a_disk_too_full_for_events_is_told(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TensorBoard writes from a thread of its own; what failed there is raised by later calls."""

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(SummaryWriter, call, fail)
    with pytest.raises(FileError, match=f"cannot write to folder {tmp_path}: No space left"):
        log_an_update(tmp_path)
