"""What people read at the table: names, numbers, what is asked of them, words of the books."""

import re
from typing import Any

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.narrators.advice import Advice
from goldgriff.play.narrators.lines import Line
from goldgriff.play.session.session import Session
from goldgriff.play.texts import LANGUAGES, Texts, percent, read_texts
from goldgriff.play.web.data import hint_data, session_data

from .tables import SMALL, small_session

FOUR = AURUXXX.settings(num_players=4)


@pytest.mark.parametrize(("language", "level"), [("en", "medium"), ("de", "mittel")])
def test_agents_have_names_of_their_own_at_a_table_with_people(language: str, level: str) -> None:
    names = [PERSON, "level-3", "level-3", "expert"]
    texts = Texts(language, AURUXXX, FOUR, names)
    assert [texts.player(seat) for seat in (1, 2, 3)] == ["Anna", "Ben", "Clara"]
    assert [texts.titled(seat) for seat in (1, 2, 3)] == [
        f"Anna ({level})", f"Ben ({level})", "Clara (expert)",
    ]  # fmt: skip
    stolen = Line("steal.cards", 0, (), ("b8",), 2)
    assert texts.line(stolen).endswith(("drew blue 8 from Ben", "Blau 8 von Ben gezogen"))
    taken = Texts(language, AURUXXX, FOUR, [PERSON, *names[:3]], 0, {1: "anna"})
    assert [taken.player(seat) for seat in (1, 2, 3)] == ["anna 2", "Anna", "Ben"]
    for alone in (["level-3"] * 4, ["expert", "level-3", "level-3", "random"]):
        watched = Texts(language, AURUXXX, FOUR, alone)
        assert watched.titled(2) == "level-3 3"  # those of a tournament keep their names


def test_a_share_is_the_same_in_words_and_beside_its_bar() -> None:
    shares = [0.245, 0.125, 0.005, 0.015, 0.994, 0.995]
    assert [percent(share, "en") for share in shares] == ["25%", "13%", "1%", "2%", "99%", ">99%"]
    session = small_session(AURUXXX, SMALL["auruxxx"], seed=5)
    hint = session.hint("expert")
    data, texts = hint_data(session, hint, "de"), Texts("de", AURUXXX, FOUR, [PERSON] + ["a"] * 3)
    for move in data["moves"]:
        advice = Advice(
            "even", value=hint.values[move["action"]], other=0, share=move["probability"]
        )
        said = texts.advice(advice, 0)
        assert f"({move['share']})" in said
        assert f"Gewinnchance {move['win']} in" in said


ASKED: list[tuple[Game, dict[str, Any], dict[str, Any], str]] = [
    (
        GLUECKSGRIFF,
        {"hands": [["1", "3"], ["0"]], "discard": ["7"], "phase": "open", "magician": 1,
         "current_player": 0},
        {"bluffing": True},
        "Lege eine Karte offen",  # codespell:ignore offen
    ),
    (
        GLUECKSGRIFF,
        {"hands": [["1", "2"], ["0"]], "discard": ["7"], "caller": 1, "turns_left": 1},
        {},
        "Anna hat gerufen: dein letzter Zug",
    ),
    (
        GLUECKSGRIFF,
        {"hands": [["1", "2"], ["0"]], "discard": ["7"], "phase": "hourglass",
         "front": ["hourglass", None]},
        {},
        "Antworte auf die Karte vor dir",  # codespell:ignore vor
    ),
    (
        AURUXXX,
        {"hands": [["r1", "b2"], ["g1"]], "discard": ["r9", "g9"], "phase": "multiple"},
        {},
        "Lege nach oder beende den Zug",  # codespell:ignore oder
    ),
]  # fmt: skip


@pytest.mark.parametrize(("game", "position", "rules", "asked"), ASKED)
def test_the_status_says_what_is_asked(
    game: Game, position: dict[str, Any], rules: dict[str, Any], asked: str
) -> None:
    settings = game.settings.from_dict({"num_players": 2, **rules})
    session = Session(game, settings, [PERSON, "random"], 1)
    session.match.start(1, position)
    notes = session_data(session, "de")["position"]["notes"]
    assert [note["text"] for note in notes] == [asked]


def test_a_swap_says_how_many_cards_it_brings() -> None:
    session = Session(AURUXXX, AURUXXX.settings(num_players=2), [PERSON, "random"], 1)
    hands = [["swap", "r1"], ["b1", "b2", "b3"]]
    session.match.start(1, {"hands": hands, "discard": ["g7"]})
    moves = {move["name"]: move for move in session_data(session, "en")["legal"]}
    assert moves["swap +1"]["text"] == "Swap hands with Anna (3 cards)"
    assert moves["swap +1"]["other"] == 1
    assert moves["draw"]["other"] is None


def test_words_that_card_players_stumbled_over_are_gone() -> None:
    wrong = re.compile(
        r"Kreuze\b|Nachziehstapel|zu Recht angezweifelt$|nächsten Platz|freiwillig|Chance verloren$"
        r"|^Sieg: |nichts zu schreiben|auf der Hand: |in hand: |laid Swap|Look at it again"
        r"|^Take back|^To my turn|^(Läuft|Beendet)$"
    )
    texts = read_texts("shared")
    for game in GAMES:
        texts = texts | {f"{game}.{key}": pair for key, pair in read_texts(game).items()}
    assert [key for key, pair in texts.items() if any(map(wrong.search, pair))] == []
    german = Texts(LANGUAGES[1], AURUXXX, FOUR, [PERSON, "a", "b", "c"])
    assert german.line(Line("lay", 1, (), ("steal",))) == "Anna: „Karte ziehen“ gelegt"
