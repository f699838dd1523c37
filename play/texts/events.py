"""What has happened, said of a player whose name stands before it: "You: laid red 7"."""

TEXTS = {
    # Both games
    "event.deal": (
        "Round {number}. Turned up: {cards}. First turn: {other}.",
        "Runde {number}. Aufgedeckt: {cards}. Es beginnt: {other}.",
    ),
    "event.turned-over": (
        "The discard pile was shuffled and became the pile.",
        "Der Ablagestapel wurde gemischt und ist nun der Nachziehstapel.",
    ),
    "event.lay": ("laid {cards}", "{cards} gelegt"),
    "event.draw.cards": ("drew {cards}", "{cards} gezogen"),
    "event.draw.hidden": ("drew {number} cards", "{number} Karten gezogen"),
    "event.draw.hidden.one": ("drew a card", "eine Karte gezogen"),
    "event.draw.none": ("found no card to draw", "keine Karte mehr zu ziehen"),
    "event.cap": (
        "The round has reached its limit of decisions.",
        "Die Runde hat die Höchstzahl an Entscheidungen erreicht.",
    ),
    "event.points": (
        "{cards} left: {number} points, now {total}",
        "{cards} übrig: {number} Punkte, jetzt {total}",
    ),
    "event.points.bare": ("{number} points, now {total}", "{number} Punkte, jetzt {total}"),
    "event.won": ("won the game with {total} points", "Spiel mit {total} Punkten gewonnen"),
    "event.shared": (
        "shared the win with {total} points",
        "Sieg mit {total} Punkten geteilt",
    ),
    # Auruxxx
    "event.pass": ("passed; crosses: {number}", "gepasst; Kreuze: {number}"),
    "event.end": ("ended the turn without laying", "Zug beendet, ohne zu legen"),
    "event.no-more": ("laid no more of that number", "nichts weiter dazugelegt"),
    "event.figure": ("took the Happy-Man figure", "die Happy-Man-Figur bekommen"),
    "event.demand": (
        "{number} cards are demanded of {other}.",
        "{number} Karten werden gefordert von {other}.",
    ),
    "event.swap": (
        "laid Swap: hands changed with {other}",
        "Kartentausch: Hand getauscht mit {other}",
    ),
    "event.steal.cards": ("drew {cards} from {other}", "{cards} gezogen von {other}"),
    "event.steal.hidden": ("drew a card from {other}", "eine Karte gezogen von {other}"),
    "event.steal.none": ("found the hand of {other} empty", "nichts zu ziehen bei {other}"),
    "event.round-won": ("won the round", "Runde gewonnen"),
    # Glücksgriff
    "event.add": ("added {cards}", "{cards} dazugelegt"),
    "event.run": ("went on with {cards}", "Folge mit {cards} fortgesetzt"),
    "event.low": ("put {cards} at the low end", "{cards} unten angelegt"),
    "event.high": ("put {cards} at the high end", "{cards} oben angelegt"),
    "event.take": ("took {cards} from the discard pile", "{cards} vom Ablagestapel genommen"),
    "event.knock": ("knocked", "geklopft"),
    "event.knock.drawn": (
        "laid {cards}, just drawn, and knocked",
        "{cards} gezogen, gelegt, geklopft",
    ),
    "event.late": ("knocked too late", "zu spät geklopft"),
    "event.keep": ("kept the card", "die Karte behalten"),
    "event.give": ("gave the hourglass to {other}", "die Sanduhr gegeben an {other}"),
    "event.sit-out": ("sat out", "ausgesetzt"),
    "event.fend-off": ("fended the hourglass off", "die Sanduhr abgewehrt"),
    "event.play-on": ("played on, for a penalty card", "weitergespielt, mit Strafkarte"),
    "event.open": ("laid {cards} open", "{cards} offen hingelegt"),
    "event.pick": (
        "took {cards}, the open card of {other}",
        "{cards} genommen, offene Karte von {other}",
    ),
    "event.challenge.right": ("challenged rightly: {other}", "zu Recht angezweifelt: {other}"),
    "event.challenge.wrong": ("challenged wrongly: {other}", "zu Unrecht angezweifelt: {other}"),
    "event.grab.cards": (
        "took {cards} out of the hand of {other}",
        "{cards} genommen aus der Hand von {other}",
    ),
    "event.grab.hidden": (
        "took a card out of the hand of {other}",
        "eine Karte genommen aus der Hand von {other}",
    ),
    "event.call": ("called Glücksgriff!", "„Glücksgriff!“ gerufen"),
    "event.call.right": (
        "called rightly, with {number} points",
        "zu Recht gerufen, mit {number} Punkten",
    ),
    "event.call.wrong": (
        "called wrongly, with {number} points",
        "zu Unrecht gerufen, mit {number} Punkten",
    ),
    "event.out": ("has no card left", "keine Karte mehr"),
    "event.halved": (
        "reached a multiple of 50: halved to {total}",
        "Vielfaches von 50 erreicht: halbiert auf {total}",
    ),
    "event.effect.sit_out": ("laid {cards} in front of {other}", "{cards} hingelegt vor {other}"),
    "event.effect.draw": ("played {cards} on {other}", "{cards} gespielt gegen {other}"),
    "event.effect.look": (
        "looked at the hand of {other} with {cards}",
        "mit {cards} angesehen: die Hand von {other}",
    ),
    "event.effect.swap": (
        "swapped hands with {other} by {cards}",
        "mit {cards} die Hand getauscht mit {other}",
    ),
}
