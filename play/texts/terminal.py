"""What the terminal says beside cards, moves, events and the words it shares with the page."""

TEXTS: dict[str, tuple[str, str]] = {
    "terminal.prompt": ("Your move (or help): ", "Dein Zug (oder help): "),
    "terminal.help": (
        """\
3           the move with that number
lay r7      a move by its name, as in docs/rules, or by what the list says; the beginning will do
r7          the move with that card, if there is only one
(nothing)   the table again
hint        what {agent} would play
undo        take back your last move and all that came after it; the same luck comes again
quit        leave; the game is kept""",
        """\
3           der Zug mit dieser Nummer
lay r7      ein Zug mit seinem Namen aus docs/rules oder dem Wortlaut der Liste; der Anfang genügt
r7          der Zug mit dieser Karte, wenn es nur einen gibt
(nichts)    noch einmal der Tisch
hint        was {agent} spielen würde
undo        deinen letzten Zug zurücknehmen und alles danach; das Glück bleibt dasselbe
quit        aufhören; das Spiel wird aufgehoben""",
    ),
    "terminal.unknown": (
        "{entry!r} is none of your moves: type a number from 1 to {last}, the beginning of a move, "
        "or help",
        "{entry!r} ist kein möglicher Zug: eine Nummer von 1 bis {last}, den Anfang eines Zuges "
        "oder help eingeben",
    ),
    "terminal.several": ("{entry!r} may mean: {moves}", "{entry!r} kann heißen: {moves}"),
    "terminal.undone": (
        "Taken back: it is your move again.",
        "Zurückgenommen: wieder dein Zug.",
    ),
    "terminal.nothing": ("There is no move to take back.", "Es gibt keinen Zug zurückzunehmen."),
    "terminal.kept": ("The game is kept. Go on with it:", "Das Spiel ist aufgehoben. Weiter mit:"),
    "terminal.again": ("Look at it again:", "Noch einmal ansehen:"),
}
