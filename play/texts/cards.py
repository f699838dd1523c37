"""Names of cards, and players."""

TEXTS = {
    "you": ("You", "Du"),
    "game.auruxxx": ("Auruxxx", "Auruxxx"),
    "game.gluecksgriff": ("Glücksgriff", "Glücksgriff"),
    "colour.r": ("red", "Rot"),
    "colour.y": ("yellow", "Gelb"),
    "colour.g": ("green", "Grün"),
    "colour.b": ("blue", "Blau"),
    "colour.v": ("violet", "Violett"),
    "card.happy": ("{colour} Happy Man", "Happy-Man {colour}"),
    "card.number": ("{colour} {number}", "{colour} {number}"),
    "card.gold": ("Golden 12", "Goldene 12"),
    "card.blessing": ("Blessing", "Kartensegen"),
    "card.steal": ("Steal", "Karte ziehen"),
    "card.swap": ("Swap", "Kartentausch"),
    "card.joker": ("joker", "Gaukler"),
    "card.hourglass": ("hourglass", "Sanduhr"),
    "card.hand": ("Magic Hand", "Magische Hand"),
}
