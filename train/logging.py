"""Learning curves: a table, a chart and TensorBoard's files, all of the same figures."""

import csv
import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure
from torch.utils.tensorboard import SummaryWriter

from ..files import FileError, write_together

TABLE, CHART, EVENTS = "curve.csv", "curve.png", "tensorboard"
STEPS = "steps"


class TrainingLog:
    """Rows of figures by name, one for each update; `steps` says after how many decisions."""

    def __init__(self) -> None:
        self.rows: list[dict[str, float]] = []
        self._events: SummaryWriter | None = None
        self._folder = Path()

    @contextmanager
    def open(self, folder: Path) -> Iterator[None]:
        """Write events into a folder for as long as this is entered. Raises FileError."""
        self._folder = folder
        with self._telling():
            self._events = SummaryWriter(str(folder / EVENTS))
        try:
            yield
        finally:
            with self._telling():
                self._events.close()
            self._events = None

    def add(self, steps: int, figures: dict[str, float]) -> None:
        """Note the figures of an update. Raises FileError when events cannot be written."""
        self.rows.append({STEPS: steps, **figures})
        if self._events is not None:
            with self._telling():
                for name, value in figures.items():
                    self._events.add_scalar(name, value, steps)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Raise FileError for what TensorBoard's thread could not write, which any call tells."""
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
        """One panel for each figure; the yardstick's interval is the band around its share."""
        shown = [name for name in names if name not in (STEPS, "yardstick/low", "yardstick/high")]
        columns = min(3, len(shown))
        lines = math.ceil(len(shown) / columns)
        with mpl.rc_context({"font.size": 8}):
            figure = Figure(figsize=(3.6 * columns, 2.4 * lines), layout="constrained")
            for place, name in enumerate(shown):
                panel = figure.add_subplot(lines, columns, place + 1)
                rows = [row for row in self.rows if name in row]
                steps = [row[STEPS] / 1e6 for row in rows]
                panel.plot(steps, [row[name] for row in rows], lw=1)
                if name == "yardstick/share":
                    low, high = (
                        [row[f"yardstick/{end}"] for row in rows] for end in ("low", "high")
                    )
                    panel.fill_between(steps, low, high, alpha=0.25)
                panel.set(title=name, xlabel="million decisions")
                panel.grid(alpha=0.3)
        return figure
