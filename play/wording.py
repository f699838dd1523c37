"""Cards, moves and events in words, in one of the languages of `texts`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..envs.engine.settings import GameSettings
from ..envs.gluecksgriff import GLUECKSGRIFF
from ..eval.recorder import PERSON
from .events import Event
from .texts import LANGUAGES, TEXTS


@dataclass(frozen=True)
class Words:
    """Says what belongs to one game; `names` are those of `Session`, `language` one of LANGUAGES.

    An agent that sits there twice is told apart by its seat.
    """

    language: str
    settings: GameSettings
    names: Sequence[str]

    def text(self, key: str, **values: Any) -> str:
        """The text of a key, with its gaps filled."""
        return TEXTS[key][LANGUAGES.index(self.language)].format(**values)

    def player(self, seat: int) -> str:
        """A player's name."""
        name = self.names[seat]
        if name == PERSON:
            return self.text("you")
        return f"{name} {seat + 1}" if list(self.names).count(name) > 1 else name

    def card(self, name: str) -> str:
        """A card by its name in `Game.cards`."""
        if f"card.{name}" in TEXTS:
            return self.text(f"card.{name}")
        if name.startswith("blank"):
            blanks = self.settings.to_dict()["blanks"]
            return str(blanks[int(name[5:]) - 1]["name"])
        if name.isdecimal():
            return name
        colour = self.text(f"colour.{name[0]}")
        if name[1:] == "H":
            return self.text("card.happy", colour=colour)
        return self.text("card.number", colour=colour, number=name[1:])

    def cards(self, names: Sequence[str]) -> str:
        """Some cards; those that are there twice with their number."""
        counted = dict.fromkeys(names)
        return ", ".join(
            self.card(name) + (f" ×{names.count(name)}" if names.count(name) > 1 else "")  # noqa: RUF001
            for name in counted
        )

    def move(self, name: str, seat: int) -> str:
        """A move that a seat may make, as on a button."""
        verb, _, what = name.rpartition(" ")
        if name == "take" and isinstance(self.settings, GLUECKSGRIFF.settings):
            return self.text("move.take.top")
        if f"move.{name}" in TEXTS:
            return self.text(f"move.{name}")
        if not what.startswith("+"):
            return self.text(f"move.{verb}.card", card=self.card(what))
        other = self.player((seat + int(what)) % len(self.names))
        if verb.startswith("blank"):
            return self.text("move.effect.seat", card=self.card(verb), other=other)
        return self.text(f"move.{verb}.seat", other=other)

    def event(self, event: Event) -> str:
        """What happened, without the name of who did it."""
        key = f"event.{event.kind}"
        if event.number == 1 and f"{key}.one" in TEXTS:
            key += ".one"
        if not event.cards and f"{key}.bare" in TEXTS:
            key += ".bare"
        return self.text(
            key,
            cards=self.cards(event.cards),
            other="" if event.other is None else self.player(event.other),
            number=self.figures(event.number),
            total=self.figures(event.total),
        )

    def figures(self, number: float | None) -> str:
        """A number as the language writes it."""
        text = "" if number is None else f"{number:g}"
        return text.replace(".", ",") if self.language == "de" else text

    def line(self, event: Event) -> str:
        """What happened, with who did it and the rules: "You: laid red 7 (A3.1)"."""
        who = "" if event.seat is None else f"{self.player(event.seat)}: "
        rules = f" ({', '.join(event.rules)})" if event.rules else ""
        return f"{who}{self.event(event)}{rules}"
