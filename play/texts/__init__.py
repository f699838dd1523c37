"""All that a person reads, in English and German.

`shared.toml` holds the texts of all games, `GAME.toml` those of one: cards, moves, events, notes.
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...eval.tournament.recorder import PERSON
from ..narrators.advice import Advice
from ..narrators.lines import Line, Note
from ..narrators.narrator import get_narrator
from ..narrators.round_end import Part

LANGUAGES = ("en", "de")
NAMES = ("Anna", "Ben", "Clara", "David", "Emma")  # of the agents at a table with people


@cache
def read_texts(name: str) -> dict[str, list[str]]:
    """Return the texts of `NAME.toml` by key, one for each of LANGUAGES; none without that file."""
    path = Path(__file__).parent / f"{name}.toml"
    tables = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    return {
        f"{table}.{key}": translations
        for table, texts in tables.items()
        for key, translations in texts.items()
    }


def shared_text(key: str, language: str, **values: Any) -> str:
    """Return the text of a key of `shared.toml` in a language, with its gaps filled."""
    return read_texts("shared")[key][LANGUAGES.index(language)].format(**values)


def texts_in(language: str, *names: str) -> dict[str, str]:
    """Return the texts of some files in a language by key; those of later files go first."""
    place = LANGUAGES.index(language)
    return {key: pair[place] for name in names for key, pair in read_texts(name).items()}


class Texts:
    """The texts of one match in one language.

    Args:
        language: One of LANGUAGES.
        names: The players, as in `Session`. At a table with people agents have NAMES; elsewhere an
            agent that plays two seats gets their numbers.
        seat: The reader's, where several people play; the others get the numbers of their seats.
        called: What people want to be called, by seat; who takes a name twice gets a number, too.
    """

    def __init__(
        self,
        language: str,
        game: Game,
        settings: GameSettings,
        names: Sequence[str],
        seat: int | None = None,
        called: Mapping[int, str] | None = None,
    ) -> None:
        self.language = language
        self.names = names
        self._called = {other: name for other, name in (called or {}).items() if name}
        people = [other for other, name in enumerate(names) if name == PERSON]
        self._you = seat if len(people) > 1 else next(iter(people), None)
        agents = [other for other in range(len(names)) if people and other not in people]
        self._given = dict(zip(agents, NAMES, strict=False))
        self._actions = game.actions
        self._texts = texts_in(language, "shared", game.name)
        self._texts |= get_narrator(game).card_texts(settings, self._texts)

    def text(self, key: str, **values: Any) -> str:
        """Return the text of a key, with its gaps filled."""
        return self._texts[key].format(**values)

    def player(self, seat: int) -> str:
        """Return the name of the player on a seat."""
        if seat == self._you:
            return self.text("player.you")
        if self.names[seat] == PERSON and seat not in self._called:
            return self.text("player.person", number=seat + 1)
        if seat in self._given:
            return self._given[seat]
        shown = [
            self._called.get(other) or self._given.get(other, name)
            for other, name in enumerate(self.names)
        ]
        taken = [name.casefold() for name in (*shown, *read_texts("shared")["player.you"])]
        is_taken = taken.count(shown[seat].casefold()) > 1
        return f"{shown[seat]} {seat + 1}" if is_taken else shown[seat]

    def resigned(self, seat: int | None) -> str:
        """Return that the person on a seat has given the game up, "" for nobody."""
        key = "page.resigned-you" if seat == self._you else "page.resigned"
        return "" if seat is None else self.text(key, name=self.player(seat))

    def about(self, seat: int) -> str:
        """Return how strong the agent of a seat is, or its name; "" where `player` says it."""
        name = self.names[seat]
        return self._texts.get(f"level.{name}", name) if seat in self._given else ""

    def titled(self, seat: int) -> str:
        """Return the name of the player on a seat and what it is: "Anna (medium)"."""
        about = self.about(seat)
        return f"{self.player(seat)} ({about})" if about else self.player(seat)

    def card(self, name: str) -> str:
        """Return the text of a card, given by its name in `Game.cards`."""
        return self._texts.get(f"card.{name}", name)

    def cards(self, names: Sequence[str]) -> str:
        """Return the texts of some cards; equal cards are counted."""
        return ", ".join(
            self.card(name) + (f" ×{names.count(name)}" if names.count(name) > 1 else "")  # noqa: RUF001
            for name in dict.fromkeys(names)
        )

    def move(self, name: str, seat: int, sizes: Sequence[int] = ()) -> str:
        """Return the text of a move of a seat, as on a button; its name where it has no text.

        With the `sizes` of all hands, a swap says how many cards it brings.

        `lay r7` has the text `move.lay.card`, `swap +2` the text `move.swap.seat`, and a card that
        is played on another player, as `blank1 +2`, the text `move.effect.seat`.
        """
        if f"move.{name}" in self._texts:
            return self.text(f"move.{name}")
        verb, _, what = name.rpartition(" ")
        key, card, other = f"move.{verb}.card", self.card(what), ""
        if what.startswith("+") and what[1:].isdecimal():
            key, card = f"move.{verb}.seat", self.card(verb)
            target = (seat + int(what)) % len(self.names)
            other = self.player(target)
            if verb == "swap" and sizes:
                other += f" ({self.count('card', sizes[target])})"
            if key not in self._texts:
                key = "move.effect.seat"
        return self.text(key, card=card, other=other) if key in self._texts else name

    def event(self, line: Line) -> str:
        """Return what happened, without the name of the player who did it."""
        if line.name:
            return line.name
        key = f"event.{line.kind}"
        if line.number == 1 and f"{key}.one" in self._texts:
            key += ".one"
        if not line.cards and f"{key}.bare" in self._texts:
            key += ".bare"
        if line.seat == self._you and f"{key}.you" in self._texts:
            key += ".you"
        text = self.text(
            key,
            cards=self.cards(line.cards),
            number=self.number(line.number),
            points=self.count("point", line.number or 0),
            total=self.number(line.total),
            total_points=self.count("point", line.total or 0),
            **({} if line.other is None else self._forms(line.other)),
        )
        written = ", ".join(f"{self._entry(name)} {self.number(n)}" for name, n in line.entries)
        return f"{text} [{written}]" if len(line.entries) > 1 else text

    def line(self, line: Line) -> str:
        """Return what happened, the player and the rules: "You: laid red 7 (A3.1)"."""
        player = "" if line.seat is None else f"{self.player(line.seat)}: "
        rules = f" ({', '.join(line.rules)})" if line.rules else ""
        return f"{player}{self.event(line)}{rules}"

    def legend(self, game: Game) -> str:
        """Return what the names of the cards mean, "" where the game does not say so."""
        return self._texts.get("replay.legend", game.legend)

    def count(self, unit: str, number: float) -> str:
        """Return a number of units, `point` or `card`: "1 point", "2 points"."""
        if number == 1:
            return self.text(f"page.{unit}")
        return self.text(f"page.{unit}s", number=self.number(number))

    def note(self, note: Note) -> str:
        """Return the text of a note, or of a reason without the rules."""
        return self.text(
            f"{note.table}.{note.key}",
            card=self.card(note.card),
            on=self.card(note.on),
            number=note.number,
            other="" if note.other is None else self.player(note.other),
        )

    def part(self, part: Part) -> str:
        """Return a part of the points of a round, without its sum: "3 cards: 4 + 7 + 2"."""
        if not part.values:
            return self._entry(part.entry)
        key = "part.card" if len(part.values) == 1 else "part.cards"
        values = " + ".join(str(value) for value in part.values)
        return self.text(key, number=len(part.values), values=values)

    def advice(self, advice: Advice, seat: int) -> str:
        """Return what speaks for or against a move of a seat, as a sentence."""
        other = "" if advice.other is None else self._actions[advice.other]
        return self.text(
            f"advice.{advice.key}",
            value=percent(advice.value, self.language),
            other=self.move(other, seat),
            other_value=percent(advice.other_value, self.language),
            states=self.number(advice.states),
            error=percent(advice.error, self.language),
            agent=advice.agent,
            share=percent(advice.share, self.language),
            points=self.count("point", advice.points),
            left=self.number(advice.left),
        )

    def _forms(self, seat: int) -> dict[str, str]:
        """Return what a player is called in a text, by the name of the gap."""
        name, whom = self.player(seat), ".you" if seat == self._you else ""
        return {
            "other": name,
            "other_dative": self.text(f"player.dative{whom}", name=name),
            "other_accusative": self.text(f"player.accusative{whom}", name=name),
            "other_hand": self.text(f"player.hand{whom}", name=name),
        }

    def _entry(self, name: str) -> str:
        """Return the text of an entry of the score sheet; its name where it has no text."""
        return self._texts.get(f"entry.{name}", name.replace("_", " "))

    def number(self, number: float | None) -> str:
        """Return a number as the language writes it."""
        text = "" if number is None else f"{number:g}"
        return text.replace(".", ",") if self.language == "de" else text


def percent(share: float, language: str, digits: int = 0) -> str:
    """Return a share of 1 in percent, as a language writes it: "34%", "34 %".

    Halves are rounded up. In whole percent, what is not quite none or all is "<1%" or ">99%".

    Args:
        share: The share.
        language: One of LANGUAGES.
        digits: Digits behind the point, or the comma.
    """
    number = f"{math.floor(100 * share * 10**digits + 0.5) / 10**digits:.{digits}f}"  # half up
    if digits == 0 and 0 < share < 1 and number in ("0", "100"):
        number = "<1" if number == "0" else ">99"
    if language == "en":
        return f"{number}%"
    return f"{number.replace('.', ',')}\N{NO-BREAK SPACE}%"
