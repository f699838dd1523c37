"""The training log as files."""

import csv
import errno
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.image import imread
from torch.utils.tensorboard import SummaryWriter

from goldgriff.eval.tournament.statistics import Estimate
from goldgriff.files import FileError
from goldgriff.train.logging import WIN_SHARE, TrainingLog


def some() -> TrainingLog:
    """Return a log of three updates, with an evaluation in the second."""
    log = TrainingLog("expert")
    log.add(100, {"loss": 2.0})
    log.add(200, evaluated(log, 0.3, 0.2, 0.4, loss=1.5))
    log.add(300, {"loss": 1.0})
    return log


def evaluated(
    log: TrainingLog, share: float, low: float, high: float, **figures: float
) -> dict[str, float]:
    """Return figures of an update with an evaluation."""
    figures |= log.evaluation_figures(Estimate(share, low, high))
    return figures


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
    log.add(400, evaluated(log, 0.412, 0.38, 0.4449, loss=0.5))
    log.add(500, {"loss": 0.4})
    text = "among 3 experts it wins 41.2 % (38.0 - 44.5), each expert 19.6 %; even is 25 %"
    assert log.describe() == text
    log.add(600, {})
    log.add_evaluation_at_end(Estimate(0.37, 0.35, 0.45))
    assert "it wins 37.0 %" in log.describe()
    assert log.describe(kept=True) == text
    log.rows.pop()
    panels = log.draw().axes
    assert [panel.get_title() for panel in panels] == ["win share among 3 experts", "loss"]
    line, others, even = panels[0].lines
    assert even.get_ydata() == [0.25, 0.25]
    assert others.get_ydata() == pytest.approx([0.7 / 3, 0.588 / 3])
    legend = panels[0].get_legend()
    assert legend
    assert [text.get_text() for text in legend.get_texts()] == [
        "agent, 95 % interval",
        "each expert",
        "even",
    ]
    assert np.asarray(line.get_xdata()).tolist() == [0.0002, 0.0004]
    (band,) = panels[0].collections
    ends = np.asarray(band.get_paths()[0].vertices)[:, 1]
    assert set(ends.tolist()) == {0.2, 0.4, 0.38, 0.4449}


def test_a_name_with_dollars_is_no_formula(tmp_path: Path) -> None:
    log = TrainingLog(r"r/dol$\frac$", (2, 4))
    log.add(100, {"rollout/win_share": 0.5} | evaluated(log, 0.3, 0.2, 0.4))
    log.write(tmp_path)
    assert (tmp_path / "curve.png").exists()
    titles = [
        r"win share among copies of r/dol$\frac$",
        "rollout/win_share\nagainst ever newer selves",
    ]
    assert [panel.get_title() for panel in log.draw().axes] == titles
    text = "it wins on average 30.0 % (20.0 - 40.0); even is 37.5 %"  # of 2 and 4 players
    assert log.describe() == rf"among copies of r/dol$\frac$ {text}"


@pytest.mark.parametrize(
    ("opponent", "players", "text"),
    [
        ("expert", 2, "against expert it wins 30.0 % (20.0 - 40.0), expert 70.0 %; even is 50 %"),
        (
            "runs/old",
            3,
            "among 2 copies of runs/old it wins 30.0 % (20.0 - 40.0), each of them 35.0 %; even is "
            "33.3 %",
        ),
    ],
)
def test_the_opponents_stand_where_their_number_says(
    opponent: str, players: int, text: str
) -> None:
    log = TrainingLog(opponent, (players,))
    log.add(100, evaluated(log, 0.3, 0.2, 0.4))
    assert log.describe() == text


def test_figures_say_what_is_even_and_where_each_opponent_stands() -> None:
    figures = some().rows[1]
    assert figures["eval/even_win_share"] == 0.25
    assert figures["eval/opponent_win_share"] == pytest.approx(0.7 / 3)
    mixed = evaluated(TrainingLog("expert", (2, 3)), 0.3, 0.2, 0.4)
    assert mixed["eval/even_win_share"] == pytest.approx(5 / 12)
    assert "eval/opponent_win_share" not in mixed


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
