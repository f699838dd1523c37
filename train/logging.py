"""The log of a training run: a table, a chart, TensorBoard's files and a progress bar."""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import matplotlib as mpl
from matplotlib.figure import Figure
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from torch.utils.tensorboard import SummaryWriter

from ..files import FileError, write_together

TABLE, CHART, EVENTS = "curve.csv", "curve.png", "tensorboard"
TIMESTEPS, WIN_SHARE = "timesteps", "eval/win_share"
INTERVAL = "eval/win_share_low", "eval/win_share_high"


class TrainingLog:
    """Rows of figures by name, one for each update, with the number of timesteps."""

    def __init__(self) -> None:
        self.rows: list[dict[str, float]] = []
        self._events: SummaryWriter | None = None
        self._folder = Path()

    @contextmanager
    def open(self, folder: Path) -> Iterator[None]:
        """Write events into a folder within this context. Raises FileError."""
        self._folder = folder
        with self._file_errors():
            self._events = SummaryWriter(str(folder / EVENTS))
        try:
            yield
        finally:
            with self._file_errors():
                self._events.close()
            self._events = None

    def add(self, timesteps: int, figures: dict[str, float]) -> None:
        """Add the figures of an update. Raises FileError when events cannot be written."""
        self.rows.append({TIMESTEPS: timesteps, **figures})
        if self._events is not None:
            with self._file_errors():
                for name, value in figures.items():
                    self._events.add_scalar(name, value, timesteps)

    @contextmanager
    def _file_errors(self) -> Iterator[None]:
        """Raise FileError for what TensorBoard's thread could not write; any call may tell."""
        try:
            yield
        except OSError as error:
            raise FileError(f"cannot write to folder {self._folder}: {error.strerror}") from None

    def write(self, folder: Path) -> None:
        """Write the table and the chart, both or none. Raises FileError."""
        if not self.rows:
            return
        text, picture = io.StringIO(), io.BytesIO()
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        table = csv.DictWriter(text, names, lineterminator="\n")
        table.writeheader()
        table.writerows(self.rows)
        self._draw(names).savefig(picture, format="png", dpi=120)
        write_together(
            {folder / TABLE: text.getvalue().encode(), folder / CHART: picture.getvalue()}
        )

    def _draw(self, names: list[str]) -> Figure:
        """Draw a panel for each figure; that of the win share has its interval as a band."""
        shown = [name for name in names if name not in (TIMESTEPS, *INTERVAL)]
        columns = min(3, len(shown))
        lines = math.ceil(len(shown) / columns)
        with mpl.rc_context({"font.size": 8}):
            figure = Figure(figsize=(3.6 * columns, 2.4 * lines), layout="constrained")
            for place, name in enumerate(shown):
                panel = figure.add_subplot(lines, columns, place + 1)
                rows = [row for row in self.rows if name in row]
                millions = [row[TIMESTEPS] / 1e6 for row in rows]
                panel.plot(millions, [row[name] for row in rows], lw=1)
                if name == WIN_SHARE:
                    low, high = ([row[end] for row in rows] for end in INTERVAL)
                    panel.fill_between(millions, low, high, alpha=0.25)
                panel.set(title=name, xlabel="million decisions")
                panel.grid(alpha=0.3)
        return figure


class TrainingBar:
    """A progress bar: timesteps, their rate, and the results of the last games.

    Nothing is shown in a file or pipe, and in a notebook, where rich would need widgets.
    """

    def __init__(self, total: int, done: int) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("training"),
            BarColumn(bar_width=12),
            TextColumn("{task.fields[done]}"),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[games]}"),
            console=console,
            disable=console.is_jupyter or not console.is_terminal,
        )
        self._total = total
        self._task = self._progress.add_task(
            "", total=total, completed=done, done="", speed="", games=""
        )

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def move_to(self, timesteps: int, win_shares: Sequence[float]) -> None:
        """Show the timesteps done, and the mean of the win shares."""
        mean = sum(win_shares) / max(1, len(win_shares))
        speed = self._progress.tasks[0].speed
        self._progress.update(
            self._task,
            completed=timesteps,
            done=f"{timesteps / 1e6:.2f}/{self._total / 1e6:.2f} M",
            games=f"wins {mean:.0%} against the pool" if win_shares else "",
            speed=f"{speed:,.0f}/s" if speed else "",
        )
