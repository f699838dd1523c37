"""The analysis of a stored game as a table, in a language."""

from ...eval.analysis.analysis import CHECKED, ERRORS, MARKS, GameAnalysis
from ...eval.report.report_table import ReportTable
from ..texts import LANGUAGES, percent
from .replay import replay_texts

HEADINGS = ("move", "player", "played", "best", "share", "win", "loss")
TEXT_COLUMNS = 4


def analysis_table(analysis: GameAnalysis, language: str = LANGUAGES[0]) -> ReportTable:
    """Return the decisions as a table: who moved, what was best, what it cost to play another.

    Args:
        analysis: The analysis, as far as it goes.
        language: One of `LANGUAGES`.
    """
    stored = analysis.stored
    texts = replay_texts(stored, language)
    rows = []
    for one in analysis.decisions:
        played, best = (
            texts.move(stored.game.actions[action], one.seat) for action in (one.played, one.best)
        )
        share = percent(one.probabilities[one.played], language)
        win, loss = (percent(each, language, 1) for each in (one.values[one.best], one.loss))
        told = str(one.move), texts.player(one.seat), played, best
        rows.append([*told, share, win, f"{loss} {one.mark:<2}"])
    blunder, mistake = (texts.number(100 * least) for _, least in MARKS)
    note = texts.text(
        "analysis.note",
        agent=analysis.agent,
        checked=CHECKED,
        errors=texts.number(ERRORS),
        blunder=blunder,
        mistake=mistake,
    )
    headings = [texts.text(f"analysis.{key}") for key in HEADINGS]
    title = texts.text("analysis.title", number=stored.number)
    return ReportTable(title, note, headings, rows, TEXT_COLUMNS)
