"""Moves that can be made, as on a button.

A move is found by its name, or by its first word with what it names: `move.lay.card` for
`lay r7`, `move.swap.seat` for `swap +2`.
"""

TEXTS = {
    # Auruxxx
    "move.draw": ("Draw a card", "Karte ziehen"),
    "move.pass": ("Pass", "Passen"),
    "move.take": ("Take the cards", "Karten nehmen"),
    "move.end": ("End the turn", "Zug beenden"),
    "move.lay.card": ("Lay {card}", "{card} legen"),
    "move.blessing": ("Lay Blessing", "Kartensegen legen"),
    "move.steal": ("Lay Steal", "„Karte ziehen“ legen"),
    "move.swap.seat": ("Swap hands with {other}", "Karten tauschen mit {other}"),
    # Glücksgriff
    "move.add.card": ("Add {card} to the set", "{card} zum Satz legen"),
    "move.run.card": ("Go on with {card}", "Folge mit {card} fortsetzen"),
    "move.low": ("Extend the run at its low end", "Folge unten anlegen"),
    "move.high": ("Extend the run at its high end", "Folge oben anlegen"),
    "move.low.card": ("Extend the low end with {card}", "Unten {card} anlegen"),
    "move.high.card": ("Extend the high end with {card}", "Oben {card} anlegen"),
    "move.take.top": ("Take the top card", "Oberste Karte nehmen"),
    "move.take low": ("Take the low end of the run", "Unteres Ende der Folge nehmen"),
    "move.take high": ("Take the high end of the run", "Oberes Ende der Folge nehmen"),
    "move.knock": ("Knock", "Klopfen"),
    "move.knock low": ("Add it at the low end and knock", "Unten anlegen und klopfen"),
    "move.knock high": ("Add it at the high end and knock", "Oben anlegen und klopfen"),
    "move.keep": ("Keep the card", "Karte behalten"),
    "move.sit out": ("Sit out", "Aussetzen"),
    "move.fend off": ("Fend it off", "Abwehren"),
    "move.play on": ("Play on, for a penalty card", "Weiterspielen, mit Strafkarte"),
    "move.call": ("Call Glücksgriff!", "Glücksgriff rufen!"),
    "move.hand": ("Play the Magic Hand", "Magische Hand spielen"),
    "move.hourglass.seat": ("Hourglass for {other}", "Sanduhr für {other}"),
    "move.pick.seat": ("Take the open card of {other}", "Offene Karte von {other} nehmen"),
    "move.challenge.seat": ("Challenge {other}", "{other} anzweifeln"),
    "move.open.card": ("Lay {card} open", "{card} offen hinlegen"),
    "move.grab.card": ("Take {card} from that hand", "{card} aus der Hand nehmen"),
    "move.effect.seat": ("Play {card} on {other}", "{card} gegen {other} spielen"),
}
