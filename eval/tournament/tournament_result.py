"""What `play_tournament` returns: the results with all games, as data, tables, chart and files."""

import sqlite3
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...cli.options import import_extra
from ...files import as_path, make_folder, write_whole
from ...naming import counted
from ..report.charts import standings_chart
from ..report.report import summary, write_report
from ..report.report_table import data_of
from ..report.tables import (
    RATINGS,
    STANDINGS,
    forfeits_table,
    headline,
    ratings_table,
    standings_table,
)
from .results import Results, Standing
from .store import STORE, Store, StoreError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_SHOWN = 5  # agents in the `repr`
_UNRATED = dict.fromkeys(("rating", "rating_low", "rating_high", "alpha_rank"))


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
        return summary(self.results)

    def to_pandas(self) -> "pd.DataFrame":
        """Return a row for each agent, the best first, with the ends of its intervals.

        Raises:
            GoldgriffError: The extra `pandas` is missing.
        """
        pandas = import_extra("pandas", "pandas", "to_pandas")
        ratings = {rating.name: rating for rating in self.results.ratings.agents}
        rows = []
        for standing in self.results.standings:
            rating = ratings.get(standing.name)
            rows.append(
                {
                    "agent": standing.name,
                    **_flat(data_of(STANDINGS, standing)),
                    **(_flat(data_of(RATINGS[:2], rating)) if rating else _UNRATED),
                }
            )
        table: pd.DataFrame = pandas.DataFrame(rows).set_index("agent")
        return table

    def plot(self) -> "Figure":
        """Return a figure of Matplotlib: win shares and points with their intervals."""
        return standings_chart(self.results)

    def save(self, folder: str | Path) -> list[Path]:
        """Write the files that `goldgriff tournament` writes, and return them.

        Args:
            folder: It is made if it does not exist.

        Raises:
            StoreError: The folder holds other games.
            FileError: A file cannot be written.
        """
        folder = as_path(folder)
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
        described = [self._describe(standing) for standing in results.standings[:_SHOWN]]
        if len(results.standings) > _SHOWN:
            described.append("...")
        played = f"{counted(results.deals, 'deal')}, {counted(results.games, 'game')}"
        agents = ", ".join(described)
        return f"TournamentResult({config.game.name}, {config.players}, {played}: {agents})"

    def _describe(self, standing: Standing) -> str:
        """Return the win share of an agent, and why it forfeited first."""
        share = f"{standing.name} {standing.win_share.mean:.1%}"
        reasons = [fault.reason for fault in self.results.forfeits if fault.agent == standing.name]
        if not reasons:
            return share
        return f"{share} ({counted(standing.forfeits, 'forfeit')}, the first: {reasons[0]})"

    def _repr_html_(self) -> str:
        tables = [standings_table(self.results), ratings_table(self.results.ratings)]
        tables.append(forfeits_table(self.results))
        shown = "".join(table.to_html() for table in tables if table.rows)
        return f"<p>{escape(headline(self.results))}</p>{shown}"


def _flat(data: dict[str, Any]) -> dict[str, Any]:
    """Return plain data with the ends of each interval, `KEY_ci`, as `KEY_low` and `KEY_high`."""
    flat = {}
    for key, value in data.items():
        if key.endswith("_ci"):
            name = key.removesuffix("_ci")
            flat[f"{name}_low"], flat[f"{name}_high"] = value or (None, None)
        else:
            flat[key] = value
    return flat
