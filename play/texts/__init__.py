"""All that a person reads, in English and German: one table from keys to both."""

from . import cards, events, moves, page, terminal

LANGUAGES = ("en", "de")

TEXTS: dict[str, tuple[str, str]] = {
    **cards.TEXTS,
    **events.TEXTS,
    **moves.TEXTS,
    **page.TEXTS,
    **terminal.TEXTS,
}
