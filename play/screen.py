"""Draws a game in the terminal: table, moves, hints, the score sheet. Nothing is read here."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from rich.bar import Bar
from rich.columns import Columns
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .hints import Hint
from .session import Session
from .view import view
from .wording import Words

HINTS = 6  # moves that a hint shows, the likeliest first
_PAINTS = {"r": "red", "y": "yellow", "g": "green", "b": "blue", "v": "magenta"}
_COLOURED = re.compile(r"[rygbv](\d+|H)")


class Screen:
    """What a person at the table reads, line by line; colours only where there is a terminal."""

    def __init__(self, session: Session, words: Words, console: Console) -> None:
        self._session = session
        self._words = words
        self._console = console
        self._told = session.chronicle.this_round()

    def say(self, line: str | Text) -> None:
        """Print a line, as it stands."""
        self._console.print(Text(line) if isinstance(line, str) else line, soft_wrap=True)

    def tell(self) -> None:
        """What has happened since the last time, with the ids of the rules."""
        for events in self._session.journal[self._told :]:
            for event in events:
                line = Text(self._words.line(event))
                if event.seat == self._session.seat:
                    line.stylize("bold")
                self.say(line)
        self.forget()

    def forget(self) -> None:
        """Take what has happened so far as told."""
        self._told = len(self._session.journal)

    def table(self) -> None:
        """The players, the piles and the person's hand."""
        seen, words = view(self._session.chronicle), self._words
        self._console.rule(words.text("page.round", number=seen["round"]), style="dim")
        players = Table.grid(padding=(0, 2))
        for seat, player in enumerate(seen["seats"]):
            arrow = ">" if seat == seen["current_player"] and not seen["over"] else " "
            name = Text(f"{arrow} {words.player(seat)}", "bold" if arrow == ">" else "")
            players.add_row(name, *self._seat(player))
        self._console.print(players)
        laid = seen.get("laid", 0) if seen["phase"] != "extend" else 0
        below = len(seen["discard"]) - laid  # what lay there when the turn began
        parts = [self._cards(part) for part in (seen["discard"][:below], seen["discard"][below:])]
        discard = Text(words.text("page.discard") + ": ") + Text(" + ").join(filter(None, parts))
        if seen["run"]:
            discard.append(f" ({words.text('page.run')})")
        self.say(f"{words.text('page.pile')}: {seen['pile']}")
        self.say(discard)
        self._turn(seen)
        for seat, player in enumerate(seen["seats"]):
            if player["hand"] is not None:
                mine = seat == self._session.seat
                title = words.text("page.hand") if mine else words.player(seat)
                worth = words.text("page.worth", number=player["worth"])
                self.say(Text(f"{title}: ") + self._cards(player["hand"]) + f"  ({worth})")

    def moves(self) -> None:
        """The person's legal moves, numbered from 1, those of a kind together."""
        names = [self._session.game.actions[action] for action in self._session.legal]
        numbered = list(enumerate(names, start=1))
        self.say(self._words.text("page.moves") + ":")
        for _, kind in groupby(numbered, lambda each: each[1].split(" ")[0]):
            entries = [
                Text.assemble((f"{number:>3}) ", "dim"), self._move(name)) for number, name in kind
            ]
            self._console.print(Columns(entries, padding=(0, 2), equal=True))

    def hint(self, hint: Hint) -> None:
        """An agent's share for each move, as bars."""
        self.say(self._words.text("page.advice", name=hint.agent) + ":")
        shares = Table.grid(padding=(0, 2))
        for action, share in list(hint.shares.items())[:HINTS]:
            if share < 0.005:
                break
            name = self._session.game.actions[action]
            shares.add_row(f"{share:4.0%}", Bar(1, 0, share, width=20), self._move(name))
        self._console.print(shares)

    def sheet(self) -> None:
        """What each player wrote in each round, and the totals."""
        rounds, words = self._session.chronicle.rounds(), self._words
        sheet = Table(*["", *(words.player(seat) for seat in range(len(words.names)))])
        for number, points in enumerate(rounds, start=1):
            sheet.add_row(words.text("page.round", number=number), *_figures(points))
        sheet.add_section()
        sheet.add_row(words.text("page.total"), *_figures(self._session.match.scores))
        self._console.print(sheet)

    def _seat(self, player: dict[str, Any]) -> list[str]:
        """What everybody sees of a player: cards, points, what else is to be known."""
        text, size = self._words.text, player["size"]
        notes = []
        if player.get("crosses"):
            notes.append(text("page.crosses", number=player["crosses"]))
        notes += [text(f"page.{m}") for m in ("figure", "caller", "magician") if player.get(m)]
        for place in ("front", "open"):
            if player.get(place):
                notes.append(text(f"page.{place}", card=self._words.card(player[place])))
        if player["known"]:
            notes.append(text("page.known", cards=self._words.cards(player["known"])))
        cards = text("page.card") if size == 1 else text("page.cards", number=size)
        return [cards, text("page.points", number=f"{player['score']:g}"), ", ".join(notes)]

    def _turn(self, seen: dict[str, Any]) -> None:
        """What is special about the turn that is being played."""
        mine = seen["current_player"] == self._session.seat
        if seen.get("demand") and mine:
            self.say(self._words.text("page.demand", number=seen["demand"]))
        if seen.get("last_turns"):
            self.say(self._words.text("page.last", number=seen["last_turns"]))
        if isinstance(seen["drawn"], str):
            self.say(self._words.text("page.drawn", card=self._words.card(seen["drawn"])))

    def _cards(self, names: Sequence[str]) -> Text:
        return Text(", ").join(_painted(self._words.card(name), name) for name in names)

    def _move(self, name: str) -> Text:
        seat = self._session.match.current_player
        return _painted(self._words.move(name, seat), name.rsplit(" ", maxsplit=1)[-1])


def _painted(words: str, card: str) -> Text:
    """Words in the colour of a card, if it has one."""
    return Text(words, _PAINTS[card[0]] if _COLOURED.fullmatch(card) else "")


def _figures(points: Iterable[float]) -> list[str]:
    return [f"{number:g}" for number in points]
