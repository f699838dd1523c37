"""Tables of results: each column is described once, for text and for data."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal, Self

from rich.console import Console
from rich.table import Table
from rich.text import Text

_INTERVAL = "95%"  # heading of the column of intervals
_UNBROKEN = 30  # characters of a name that is never broken on the terminal


@dataclass(frozen=True)
class Column:
    """A column of results.

    Attributes:
        key: Its name in data.
        heading: Its heading in tables; an empty one keeps it out of them.
        value: Returns the value of a row: a text, a number (NaN where it is unknown) or, where the
            column is an estimate, an `Estimate` or None.
        form: How numbers are written, as in `format`.
        is_estimate: Whether tables show the 95 % interval in a second column.
    """

    key: str
    heading: str
    value: Callable[[Any], Any]
    form: str = ""
    is_estimate: bool = False

    @property
    def headings(self) -> list[str]:
        """The headings of its one or two columns in tables."""
        return [self.heading, _INTERVAL] if self.is_estimate else [self.heading]

    def cells(self, row: object) -> list[str]:
        """Return what tables show of a row, "-" for what is unknown."""
        value = self.value(row)
        if not self.is_estimate:
            return ["-" if _is_nan(value) else format(value, self.form)]
        if value is None:
            return ["-", "-"]
        mean, low, high = (format(end, self.form) for end in (value.mean, value.low, value.high))
        return [mean, f"{low} to {high}"]

    def data(self, row: object) -> dict[str, Any]:
        """Return a row as plain data, an interval under `KEY_ci`; None for what is unknown."""
        value = self.value(row)
        if not self.is_estimate:
            return {self.key: None if _is_nan(value) else value}
        return {self.key: value and value.mean, f"{self.key}_ci": value and [value.low, value.high]}


def data_of(columns: Iterable[Column], row: object) -> dict[str, Any]:
    """Return a row as plain data."""
    return {key: value for column in columns for key, value in column.data(row).items()}


@dataclass(frozen=True)
class ReportTable:
    """A table of a report.

    Attributes:
        title: Its title.
        note: What its numbers mean.
        headings: A heading for each column.
        rows: Rows with a cell for each heading.
        text_columns: Number of columns at the left that hold text; the others hold numbers.
    """

    title: str
    note: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    text_columns: int = 1

    @classmethod
    def of(
        cls,
        title: str,
        note: str,
        columns: Iterable[Column],
        rows: Iterable[object],
        text_columns: int = 1,
    ) -> Self:
        """Return a table of rows that its columns describe."""
        shown = [column for column in columns if column.heading]
        headings = [heading for column in shown for heading in column.headings]
        cells = [[cell for column in shown for cell in column.cells(row)] for row in rows]
        return cls(title, note, headings, cells, text_columns)

    def to_markdown(self) -> str:
        """Return headings and rows in Markdown."""
        lines = [[escape_markdown(cell) for cell in row] for row in (self.headings, *self.rows)]
        numbers = len(self.headings) - self.text_columns
        lines.insert(1, ["---"] * self.text_columns + ["---:"] * numbers)
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def to_latex(self, caption: str) -> str:
        """Return the table for a paper in LaTeX, with the package booktabs, and a caption."""
        names = list(self.headings)
        for place, heading in enumerate(names):
            if heading == _INTERVAL:
                names[place] = f"{names[place - 1]}, {_INTERVAL}"
        columns = "l" * self.text_columns + "r" * (len(self.headings) - self.text_columns)
        headings, *rows = [
            " & ".join(map(_escape_latex, row)) + r" \\" for row in (names, *self.rows)
        ]
        lines = [
            r"\begin{table}",
            r"\centering",
            rf"\begin{{tabular}}{{{columns}}}",
            *(r"\toprule", headings, r"\midrule", *rows, r"\bottomrule"),
            r"\end{tabular}",
            rf"\caption{{{_escape_latex(caption)}}}",
            r"\label{tab:standings}",
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def to_html(self) -> str:
        """Return the table for a notebook."""
        head = "".join(f"<th>{escape(heading)}</th>" for heading in self.headings)
        rows = (f"<td>{'</td><td>'.join(map(escape, row))}</td>" for row in self.rows)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def to_terminal(self, title: str | None = None) -> Table:
        """Return the table for the terminal, under another title if one is given."""
        table = Table(title=Text(title or self.title), caption=Text(self.note))
        is_short = max((len(row[0]) for row in self.rows), default=0) <= _UNBROKEN
        for number, heading in enumerate(self.headings):
            justify: Literal["left", "right"] = "right" if number >= self.text_columns else "left"
            table.add_column(
                Text(heading), justify=justify, overflow="fold", no_wrap=is_short and not number
            )
        for row in self.rows:
            table.add_row(*map(Text, row))
        return table


def escape_markdown(text: str) -> str:
    """Return text that Markdown shows unchanged; backquotes keep their meaning."""
    return re.sub(r"[\\|*_\[\]<>#$]", r"\\\g<0>", text)


def _escape_latex(text: str) -> str:
    """Return text that LaTeX shows as it is."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return re.sub(r"[\\~^&%$#_{}]", lambda match: special.get(match[0], "\\" + match[0]), text)


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def print_table(table: ReportTable, title: str | None = None) -> None:
    """Print a table on the terminal."""
    Console().print(table.to_terminal(title))
