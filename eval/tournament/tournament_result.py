"""What `play_tournament` returns: the results with all games, as data, tables, chart and files."""

import sqlite3
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...cli.options import import_extra
from ...errors import one_line
from ...files import make_folder, write_whole
from ...naming import counted
from ..report.tables import ReportTable, forfeits_table, headline, ratings_table, standings_table
from .results import Results, Standing
from .statistics import Estimate
from .store import STORE, Store, StoreError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_SHOWN = 5  # agents in the `repr`


@dataclass(frozen=True, repr=False)
class TournamentResult:
    """The results of a tournament; it pickles.

    Attributes:
        results: Standings, differences, ratings and the rest.
        database: The store with all games: the content of its file.
    """

    results: Results
    database: bytes

    def to_dict(self) -> dict[str, Any]:
        """Return the content of `results.json`; a tournament always gives the same."""
        from ..report.report import summary  # noqa: PLC0415

        return summary(self.results)

    def to_pandas(self) -> "pd.DataFrame":
        """Return a row for each agent, the best first, with the ends of its intervals.

        Raises:
            GoldgriffError: The extra `pandas` is missing.
        """
        pandas = import_extra("pandas", "pandas", "to_pandas")
        rated = {one.name: one for one in self.results.ratings.agents}
        rows = []
        for one in self.results.standings:
            rating = rated.get(one.name)
            rows.append(
                {
                    "agent": one.name,
                    **_columns("win_share", one.win_share),
                    **_columns("mean_points", one.points),
                    "games": one.games,
                    "forfeits": one.forfeits,
                    **_columns("rating", rating.rating if rating else None),
                    "alpha_rank": rating and rating.alpha_rank,
                }
            )
        table: pd.DataFrame = pandas.DataFrame(rows).set_index("agent")
        return table

    def plot(self) -> "Figure":
        """Return a figure of Matplotlib: win shares and points with their intervals."""
        from ..report.charts import standings_chart  # noqa: PLC0415

        return standings_chart(self.results)

    def save(self, folder: str | Path) -> list[Path]:
        """Write the files that `goldgriff tournament` writes, and return them.

        Args:
            folder: It is made if it does not exist.

        Raises:
            StoreError: The folder holds other games.
            FileError: A file cannot be written.
        """
        from ..report.report import write_report  # noqa: PLC0415

        folder = Path(folder)
        make_folder(folder)
        path = folder / STORE
        if path.exists() and path.read_bytes() != self.database:
            raise StoreError(
                f"{path} holds other games; give another folder, or play_tournament(..., out=...) "
                "to add to them"
            )
        write_whole(path, self.database)
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.deserialize(self.database)
        with Store(path, connection) as store:
            return [path, *write_report(self.results, store, folder)]

    def __repr__(self) -> str:
        results, config = self.results, self.results.config
        shown = [self._describe(one) for one in results.standings[:_SHOWN]]
        if len(results.standings) > _SHOWN:
            shown.append("...")
        counts = " and ".join(map(str, config.player_counts))
        played = f"{counted(results.deals, 'deal')}, {counted(results.games, 'game')}"
        return (
            f"TournamentResult({config.game.name}, {counts} players, {played}: {', '.join(shown)})"
        )

    def _describe(self, one: Standing) -> str:
        """Return the win share of an agent, and why it forfeited first."""
        share = f"{one.name} {one.win_share.mean:.1%}"
        why = next((each for each in self.results.forfeits if each.agent == one.name), None)
        if why is None:
            return share
        return f"{share} ({counted(one.forfeits, 'forfeit')}, the first: {one_line(why.reason)})"

    def _repr_html_(self) -> str:
        tables = [standings_table(self.results), ratings_table(self.results.ratings)]
        tables.append(forfeits_table(self.results))
        shown = "".join(_as_html(table) for table in tables if table.rows)
        return f"<p>{escape(headline(self.results))}</p>{shown}"


def _columns(name: str, one: Estimate | None) -> dict[str, float | None]:
    ends = (one.mean, one.low, one.high) if one else (None, None, None)
    return dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))


def _as_html(table: ReportTable) -> str:
    """Return a table for a notebook."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in table.headings)
    rows = (f"<td>{'</td><td>'.join(map(escape, row))}</td>" for row in table.rows)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    caption = f"<caption>{escape(table.title)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
