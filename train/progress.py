"""The progress bar of a training run."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from ..naming import counted
from .logging import TIMESTEPS, TrainingLog


class _BarWithLine(Progress):
    """A bar with a line of text below it, once there is one."""

    line = ""

    def get_renderables(self) -> Iterable[RenderableType]:
        """Return what is shown."""
        yield from super().get_renderables()
        if self.line:
            yield Text(self.line)


@contextmanager
def training_bar(total: int, done: int) -> Iterator[Callable[[TrainingLog], None]]:
    """Show a progress bar: timesteps and their rate; below it, the newest evaluation.

    Until there is one, the share of recent wins in training. In a file or pipe each evaluation is a
    line. Nothing is shown in a notebook, where rich would need widgets. Yields a function that
    shows the newest figures of a log, which has some.
    """
    console = Console(stderr=True)
    is_bar = console.is_terminal and not console.is_jupyter
    with _BarWithLine(
        TextColumn("training"),
        BarColumn(bar_width=12),
        TextColumn("{task.fields[done]}"),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
        console=console,
        disable=not is_bar,
    ) as progress:
        task = progress.add_task("", total=total, completed=done, done="", speed="")

        def show(log: TrainingLog) -> None:
            timesteps, speed = log.rows[-1][TIMESTEPS], progress.tasks[0].speed
            progress.line = log.describe()
            if log.is_evaluated and not (is_bar or console.is_jupyter):
                line = f"{timesteps:,} of {counted(total, 'timestep')}: {progress.line}"
                console.print(line, soft_wrap=True, markup=False, highlight=False)
            progress.update(
                task,
                completed=timesteps,
                done=f"{timesteps / 1e6:.2f}/{total / 1e6:.2f} M",
                speed=f"{speed:,.0f}/s" if speed else "",
            )

        yield show
