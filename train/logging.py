"""The log of a training run: a table, a chart and TensorBoard's files."""

import csv
import io
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from torch.utils.tensorboard import SummaryWriter

from ..agents.pretrained import Evaluation
from ..eval.tournament.statistics import Estimate
from ..files import FileError, write_together
from .episodes import WIN_SHARE as POOL_SHARE

TABLE, CHART, EVENTS = "curve.csv", "curve.png", "tensorboard"
TIMESTEPS, WIN_SHARE = "timesteps", "eval/win_share"
FPS = "time/fps"  # timesteps a second since the run began or went on; in TensorBoard alone
INTERVAL = "eval/win_share_low", "eval/win_share_high"
OPPONENT_SHARE, EVEN_SHARE = "eval/opponent_win_share", "eval/even_win_share"
_NO_PANELS = TIMESTEPS, *INTERVAL, OPPONENT_SHARE, EVEN_SHARE
_FEW = 20  # values of a panel that are marked


class TrainingLog:
    """Rows of figures by name, one for each update, with the number of timesteps.

    Args:
        opponent: Agent that win shares are measured against.
        player_counts: The numbers of players of these games, each of which counts alike.
        deals: Deals of an evaluation for each of them.
        pool: Whom learners meet in training, for people.

    Attributes:
        rows: The figures of each update.
        first: Timesteps at which the run began or went on.
    """

    def __init__(
        self,
        opponent: str,
        player_counts: Sequence[int] = (4,),
        deals: int = 200,
        pool: str = "ever newer selves",
    ) -> None:
        self._unknown = Evaluation(opponent, player_counts, deals, 0.0, 0.0, 0.0)
        self.pool = pool
        self.rows: list[dict[str, float]] = []
        self._events: SummaryWriter | None = None
        self.first, self._folder, self._began = 0, Path(), 0.0  # see `open`

    @contextmanager
    def open(self, folder: Path, timesteps: int) -> Iterator[None]:
        """Write events into a folder within this context.

        Args:
            folder: The folder of the run.
            timesteps: Those of its last saved state; TensorBoard drops later events, which a
                process wrote that was killed, since the run goes on from there.

        Raises:
            FileError: It cannot be written to.
        """
        self.first, self._folder, self._began = timesteps, folder, time.monotonic()
        with self._file_errors():
            self._events = SummaryWriter(str(folder / EVENTS), purge_step=timesteps + 1)
        try:
            yield
        finally:
            with self._file_errors():
                self._events.close()
            self._events = None

    def add(self, timesteps: int, figures: dict[str, float]) -> None:
        """Add the figures of an update. Raises FileError when events cannot be written."""
        self.rows.append({TIMESTEPS: timesteps, **figures})
        seconds = max(time.monotonic() - self._began, 1e-9)
        self._add_events(timesteps, {**figures, FPS: (timesteps - self.first) / seconds})

    def _add_events(self, timesteps: int, figures: dict[str, float]) -> None:
        """Give figures to TensorBoard. Raises FileError when events cannot be written."""
        if self._events is not None:
            with self._file_errors():
                for name, value in figures.items():
                    self._events.add_scalar(name, value, timesteps)

    def evaluation(self, share: Estimate) -> Evaluation:
        """Return an evaluation with this win share."""
        return replace(self._unknown, win_share=share.mean, low=share.low, high=share.high)

    def evaluation_figures(self, share: Estimate) -> dict[str, float]:
        """Return a win share and its interval, and what it compares to, as figures."""
        evaluation = self.evaluation(share)
        figures = {WIN_SHARE: share.mean, EVEN_SHARE: evaluation.even_share}
        figures |= zip(INTERVAL, (share.low, share.high), strict=True)
        if evaluation.opponent_share is not None:
            figures[OPPONENT_SHARE] = evaluation.opponent_share
        return figures

    @property
    def is_evaluated(self) -> bool:
        """Return whether the newest update has an evaluation."""
        return WIN_SHARE in self.rows[-1]

    def add_evaluation_at_end(self, share: Estimate) -> None:
        """Add a win share to the newest update, whose row is replaced by another."""
        figures = self.evaluation_figures(share)
        self.rows[-1] = {**self.rows[-1], **figures}
        self._add_events(int(self.rows[-1][TIMESTEPS]), figures)

    def describe(self, *, kept: bool = False) -> str:
        """Return the newest evaluation or, before the first, the win share in training.

        "" where there is none yet.

        Args:
            kept: Whether to return the evaluation of the run's agent instead: the newest one that
                reaches the interval of the best.
        """
        evaluations = [
            self.evaluation(Estimate(*(row[name] for name in (WIN_SHARE, *INTERVAL))))
            for row in self.rows
            if WIN_SHARE in row
        ]
        if kept and evaluations:
            floor = max(evaluations, key=lambda evaluation: evaluation.win_share).low
            evaluations = [each for each in evaluations if each.win_share >= floor]
        if evaluations:
            return evaluations[-1].describe()
        share = self.rows[-1].get(POOL_SHARE) if self.rows else None
        return "" if share is None else f"in training, against {self.pool}, it wins {share:.0%}"

    @property
    def _titles(self) -> dict[str, str]:
        """The titles of the win shares, whose names do not say against whom they are."""
        return {
            WIN_SHARE: f"win share {self._unknown.table}",
            POOL_SHARE: f"{POOL_SHARE}\nagainst {self.pool}",
        }

    @contextmanager
    def _file_errors(self) -> Iterator[None]:
        """Raise FileError for what TensorBoard's thread could not write; any call may tell."""
        try:
            yield
        except OSError as error:
            raise FileError(f"cannot write to folder {self._folder}: {error.strerror}") from None

    def write(self, folder: Path) -> None:
        """Write the table and the chart, both or none, and all events. Raises FileError."""
        if not self.rows:
            return
        if self._events is not None:
            with self._file_errors():
                self._events.flush()
        write_curves(folder / TABLE, self.rows, folder / CHART, self.draw)

    def draw(self) -> Figure:
        """Draw a panel for each figure, that of the win share first."""
        shown = [name for name in _names(self.rows) if name not in _NO_PANELS]
        shown.sort(key=lambda name: name != WIN_SHARE)
        columns = min(3, max(1, len(shown)))
        lines = max(1, math.ceil(len(shown) / columns))
        with mpl.rc_context({"font.size": 8}):
            figure = Figure(figsize=(3.6 * columns, 2.4 * lines), layout="constrained")
            for place, name in enumerate(shown):
                panel = figure.add_subplot(lines, columns, place + 1)
                self._draw_panel(panel, name)
        return figure

    def _draw_panel(self, panel: Axes, name: str) -> None:
        """Draw one figure; the win share has its interval as a band."""
        rows = [row for row in self.rows if name in row]
        millions = [row[TIMESTEPS] / 1e6 for row in rows]
        marker = "o" if len(rows) <= _FEW else ""  # a single one is no line
        line, *_ = panel.plot(millions, [row[name] for row in rows], lw=1, marker=marker, ms=3)
        panel.set(title=self._titles.get(name, name), xlabel="million decisions")
        panel.set_xlim(0, self.rows[-1][TIMESTEPS] / 1e6 * 1.02)  # the same in every panel
        panel.grid(alpha=0.3)
        if name == WIN_SHARE:
            line.set_label("agent, 95 % interval")
            low, high = ([row[end] for row in rows] for end in INTERVAL)
            panel.fill_between(millions, low, high, alpha=0.25)
            if len(rows) == 1:  # a single one is no band
                panel.vlines(millions, low, high, alpha=0.5)
            if OPPONENT_SHARE in rows[0]:
                others = [row[OPPONENT_SHARE] for row in rows]
                label = f"each {self._unknown.opponent}"
                panel.plot(millions, others, "C1", lw=1, marker=marker, ms=3, label=label)
        if name in self._titles:
            panel.axhline(self._unknown.even_share, color="gray", lw=1, ls="--", label="even")
            panel.legend(fontsize=7)
            panel.yaxis.set_major_formatter(PercentFormatter(1))


def write_curves(
    table: Path, rows: Sequence[Mapping[str, Any]], chart: Path, draw: Callable[[], Figure]
) -> None:
    """Write rows of figures by name as CSV, and a chart of them, both or none.

    Names of agents may hold `$`: texts of the chart are shown as they are.

    Raises:
        FileError: They cannot be written.
    """
    text, picture = io.StringIO(), io.BytesIO()
    writer = csv.DictWriter(text, _names(rows), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with mpl.rc_context({"text.parse_math": False}):
        draw().savefig(picture, format="png", dpi=120)
    write_together({table: text.getvalue().encode(), chart: picture.getvalue()})


def _names(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of all figures, in the order in which they came."""
    return list(dict.fromkeys(name for row in rows for name in row))
