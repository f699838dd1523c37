"""Why a move is not legal: a test for each reason, and random games in which all have one."""

import re
from pathlib import Path
from typing import Any

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.state import state_at
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.reasons import Reason, explain_card, explain_move, explain_table, see
from goldgriff.play.session.session import Session
from goldgriff.play.texts import LANGUAGES, Texts, read_texts

from .tables import BLANKS, CASES, play_by_chance, small_session

Case = tuple[dict[str, Any], str, str, str]


def aur(hand: str, discard: str = "r9", **position: Any) -> dict[str, Any]:
    return {"hands": [hand.split(), ["g1", "g2"]], "discard": discard.split(), **position}


def glu(hand: str, discard: str = "7", **position: Any) -> dict[str, Any]:
    return {"hands": [hand.split(), ["0", "1"]], "discard": discard.split(), **position}


def of(**rules: Any) -> dict[str, Any]:
    return {"settings": rules}


BLANK = of(blanks=BLANKS)
LAID_7: dict[str, Any] = {"phase": "lay", "laid": 1, "laid_kind": "set"}
LAID_77: dict[str, Any] = {"phase": "lay", "laid": 2, "laid_kind": "set"}
RUN_78: dict[str, Any] = {"phase": "lay", "laid": 2, "laid_kind": "run"}
RUN_TO_14: dict[str, Any] = {"phase": "lay", "laid": 3, "laid_kind": "run"}
SPECIAL: dict[str, Any] = {"phase": "lay", "laid": 1, "laid_kind": "special"}
ON_RUN: dict[str, Any] = {"run": True, "last_play": 3}
EXTENDED: dict[str, Any] = {**ON_RUN, "phase": "extend", "laid": 1}
DRAWN_3: dict[str, Any] = {"phase": "drawn", "laid": 1, "laid_kind": "set", "drawn": "3"}
SERVED: dict[str, Any] = {"phase": "hourglass", "front": ["hourglass", None]}
FORCED: dict[str, Any] = {**SERVED, "must_sit_out": [1, 0], **of(penalties=True)}
MAGIC: dict[str, Any] = {"phase": "magic", "magician": 0, "open": [None, "5"]}
PRIZE: dict[str, Any] = {"phase": "prize", "magician": 0, "challenged": 1, "open": [None, "5"]}
BLUFF = of(bluffing=True)
CALLED: dict[str, Any] = {"caller": 1, "turns_left": 1}

AURUXXX_CASES: list[Case] = [
    (aur("r1 b2"), "lay y1", "not in your hand: yellow 1.", "A2.3"),
    (aur("r1 b4"), "card b4", "Does not fit: blue 4 on red 9.", "A3.1 A3.2"),
    (aur("r1 b50"), "card b50", "Does not fit: blue 50 on red 9.", "A3.6"),
    (aur("r1 bH"), "card bH", "Does not fit: blue Happy Man on red 9.", "A3.8"),
    (aur("r1 b4", "r50"), "card b4", "Does not fit: blue 4 on red 50.", "A3.7"),
    (aur("r1 b4", "rH"), "card b4", "on red Happy Man.", "A3.8"),
    (aur("r1"), "card r1", "only be a Golden 12", "A3.11"),
    (aur("swap"), "card swap", "only be a Golden 12", "A3.11"),
    (aur("gold r1"), "card gold", "holds nothing else", "A6.1"),
    (aur("swap r1"), "swap +3", "no player that many seats further on", "A5.4"),
    (aur("r1 b2", "r9 r2", phase="demand", demand=2), "card b2", "take them, or pass", "A4.3"),
    (
        aur("r1 b2", "r9 r2", phase="demand", demand=2, crosses=[3, 0]),
        "draw", "demanded of you: first take them.", "A4.3",
    ),
    (
        aur("r1 b2", "r9 r2", phase="demand", demand=2, crosses=[3, 0]),
        "pass", "You have no pass left", "A2.1 A4.2",
    ),
    (aur("r1 b2"), "take", "No cards are demanded", "A4.1"),
    (aur("r1 b2"), "discard top", "only for laying", "A2.2"),
    (aur("r1 b2", crosses=[3, 0]), "pass", "You have no pass left", "A2.1"),
    (aur("r1 b2", drawn=1), "pass", "the very first thing", "A2.1"),
    (aur("r1 b2", "r9 steal", acted=1), "pass", "the very first thing", "A2.1 A5.2"),
    (aur("r1 b2", "r9 g9", phase="multiple"), "card b2", "of the number 9 may follow", "A3.3"),
    (aur("r1 b2", "r9 g9", phase="multiple"), "draw", "lay more of its number, or end", "A2.4"),
    (aur("r1 b2", "r9 g9", phase="multiple"), "pass", "the very first thing", "A2.1"),
    (aur("r1 b3", drawn=2), "draw", "all the draws of this turn", "A2.2"),
    (aur("r1 b3", drawn=1), "end", "only after all its draws", "A2.4"),
    (aur("r1 b3", drawn=1, **of(edition="web")), "draw", "so you have to", "A2.6"),
    (aur("r1 b3", drawn=2, **of(edition="web")), "end", "so you have to", "A2.6"),
    (
        aur("r1 b3", "r9 steal", drawn=2, acted=1, **of(after_action="lay")),
        "end", "so you have to", "A5.2",
    ),
    (aur("r1 b2", current_player=1), "card r1", "not your turn: Anna has to move.", "A1.3"),
]  # fmt: skip
GLUECKSGRIFF_CASES: list[Case] = [
    (glu("1 2"), "lay 5", "not in your hand: 5.", "G2.1"),
    (glu("1 2"), "add 2", "First lay a card; a set or a run", "G3.1"),
    (glu("1 2"), "pile", "First lay a card, then take one.", "G4.1"),
    (glu("1 2"), "discard top", "First lay a card, then take one.", "G4.1"),
    (glu("1 2"), "knock", "First lay what is to be knocked.", "G5.1"),
    (glu("1 2"), "keep", "No card has just been drawn.", "G5.5"),
    (glu("1 2"), "sit out", "no hourglass that you have to answer", "G6.3"),
    (glu("1 2"), "fend off", "no hourglass that you have to answer", "G6.4"),
    (glu("1 2"), "play on", "no hourglass that you have to answer", "G6.6"),
    (glu("1 2"), "pick +1", "no Magic Hand", "G7.2"),
    (glu("1 2"), "challenge +1", "no Magic Hand", "G7.4"),
    (glu("1 2"), "open 2", "not asked to lay a card open", "G7.4"),
    (glu("1 2"), "grab 2", "Nobody was rightly challenged", "G7.5"),
    (glu("hourglass 2"), "hourglass +3", "no player that many seats further on", "G6.1"),
    (glu("9 4"), "call", "You hold 13 points; a call needs fewer than seven.", "G8.2"),
    (glu("1 2", **CALLED), "call", "one call in a round", "G8.2"),
    (glu("1 2"), "decline", "Nobody has called", "G8.2"),
    (glu("1 2", **CALLED, **of(last_turn="forced")), "decline", "has to be made", "G8.2"),
    (glu("hand 2"), "lay hand", "only after a call", "G7.7"),
    (glu("hand 2", **CALLED), "hand", "After a call the Magic Hand", "G7.7"),
    (glu("hourglass 2"), "lay hourglass", "can be given to a player", "G6.7"),
    (glu("hourglass 2", sat_out=[0, 1]), "hourglass +1", "made to sit out", "G6.2"),
    (glu("blank3 2", sat_out=[0, 1], **BLANK), "blank3 +1", "made to sit out", "G9.8"),
    (glu("blank1 2", **BLANK), "blank1 +1", "no effect on a player: Plain.", "G9.6"),
    (glu("blank2 2", **BLANK), "blank2 +1", "no effect on a player: Joker.", "G9.7"),
    (glu("blank6", **BLANK), "blank6 +1", "cannot swap hands", "G9.11"),
    (glu("1 2", "9 7", **LAID_7), "lay 2", "The first card is laid", "G3.1"),
    (glu("1 2", "9 7", **LAID_7), "card 2", "After 7 comes the same value", "G3.1"),
    (glu("1 8", "9 7", **LAID_7), "card 8", "could not go on after this one: 8.", "G3.1"),
    (glu("1 8", "9 14", **LAID_7), "run joker", "not in your hand: joker.", "G2.1"),
    (glu("joker 8", "9 14", **LAID_7), "run joker", "Runs end at 0 and at 14.", "G3.1"),
    (glu("joker 8", "9 7", **LAID_7), "add 8", "Only the value 7 makes a set", "G3.1"),
    (glu("joker 0", "9 joker", **LAID_7), "run 0", "could not go on after", "G3.1"),
    (glu("joker 0", "9 joker", **LAID_7), "card joker", "Two jokers never lie", "G3.2"),
    (glu("hand 0", "9 7", **LAID_7), "card hand", "no set and no run: Magic Hand.", "G2.3"),
    (glu("blank1 0", "9 7", **LAID_7, **BLANK), "card blank1", "no set and no run: Plain", "G9.4"),
    (glu("1 8", "9 7 7", **LAID_77), "card 8", "a set of the value 7", "G3.1"),
    (glu("1 9", "9 7 8", **RUN_78), "card 1", "next value of the run is 9", "G3.1"),
    (glu("8 9", "9 7 8", **RUN_78), "add 8", "You are laying a run, not a set.", "G3.1"),
    (glu("8 9", "9 7 8", **RUN_78), "pile", "at least three cards", "G3.1"),
    (glu("8 9", "9 7 8", **RUN_78), "discard top", "at least three cards", "G3.1"),
    (glu("1 8", "9 12 13 14", **RUN_TO_14), "card 8", "Runs end at 0 and at 14.", "G3.1"),
    (glu("8 9", "9 7 8", **RUN_78), "knock", "A run cannot be knocked", "G5.1"),
    (glu("1 8", "9 hourglass", **SPECIAL), "card 8", "is laid alone: hourglass.", "G6.7"),
    (glu("1 8", "9 hand", **SPECIAL), "card 8", "is laid alone: Magic Hand.", "G7.7"),
    (glu("1 8", "9 blank1", **SPECIAL, **BLANK), "card 8", "is laid alone: Plain.", "G9.4"),
    (glu("1 2", "9 7", **LAID_7), "low", "from the beginning of a turn, before", "G5.2"),
    (glu("1 2", "9 7", **LAID_7), "call", "This is a whole turn", "G8.2"),
    (glu("1 2", "9 7", **LAID_7), "knock low", "Only a card just drawn", "G5.4"),
    (glu("1 2", "9 7", **LAID_7), "knock", "the value of the card on top: 9.", "G5.1"),
    (glu("1 2", "joker 7", **LAID_7), "knock", "knocks on a special card: joker.", "G5.3"),
    (glu("1 2", "4 5 6 7", **LAID_7, **ON_RUN), "knock", "has to extend it", "G5.2"),
    (glu("1 2", "7", **LAID_7, last_play=0), "knock", "Nothing of the last play", "G4.6"),
    (glu("1 2", "7", **LAID_7, last_play=0), "discard top", "Nothing of the last play", "G4.6"),
    (glu("1 2", "joker 7", **LAID_7), "discard top", "never taken", "G4.3"),
    (glu("1 2", "hourglass 7", **LAID_7), "discard top", "never taken", "G6.5"),
    (glu("1 2", "hand 7", **LAID_7), "discard top", "never taken", "G4.5"),
    (glu("1 2", "blank1 7", **LAID_7, **BLANK), "discard top", "never taken", "G9.3"),
    (glu("1 2", "9 7", layers=[0, 0], **LAID_7), "discard top", "have laid: 9.", "G4.4"),
    (glu("1 2", "9 7", **LAID_7), "take low", "No run lies", "G4.2"),
    (glu("1 2", "4 5 6 7", **LAID_7, **ON_RUN), "take", "its low or its high end", "G4.2"),
    (glu("1 2", "joker 5 6 7", **LAID_7, **ON_RUN), "discard low", "taken from the", "G4.3"),
    (glu("1 2"), "low", "No run lies", "G5.2"),
    (glu("1 9", "4 5 6", **ON_RUN), "high", "not in your hand: 7.", "G5.2"),
    (glu("1 7", "4 5 6", **ON_RUN), "high", "by at least two cards", "G5.2"),
    (glu("1 joker", "4 5 joker", **ON_RUN), "high joker", "Two jokers", "G3.2 G5.2"),
    (glu("1 blank1", "4 5 6", **ON_RUN, **BLANK), "low blank1", "no set and no run", "G9.4"),
    (glu("1 3", "0 1 2", **ON_RUN), "low", "Runs end at 0 and at 14.", "G3.1 G5.2"),
    (glu("3 8", "4 5 6 7", laid_kind="high", **EXTENDED), "card 3", "before the high end", "G5.2"),
    (glu("3 8", "4 5 6 7", laid_kind="high", **EXTENDED), "low", "before the high end", "G5.2"),
    (glu("1 8", "4 5 6 7", laid_kind="high", **EXTENDED), "card 1", "neither end of the", "G5.2"),
    (
        glu("joker 8", "4 5 6 joker", laid_kind="high", **EXTENDED),
        "card joker", "neither end of the run: joker", "G3.2 G5.2",
    ),
    (glu("hand 8", "4 5 6 7", laid_kind="high", **EXTENDED), "card hand", "no set and", "G2.3"),
    (glu("1 8", "4 5 6 7", laid_kind="high", **EXTENDED), "pile", "at its ends, or knock", "G5.2"),
    (glu("1 8", "4 5 6 7", laid_kind="high", **EXTENDED), "knock", "by at least two cards", "G5.2"),
    (glu("1 3", "9 7", **DRAWN_3), "card 3", "does not fit what you have laid: 3", "G5.4"),
    (glu("1 3", "9 7", **DRAWN_3), "knock", "does not fit what you have laid: 3", "G5.4"),
    (glu("1 3", "9 7", **DRAWN_3), "card 1", "only the card just drawn counts", "G5.4"),
    (glu("1 3", "9 7", **DRAWN_3), "pile", "only the card just drawn counts", "G5.4"),
    (glu("1 3", **SERVED), "card 1", "what lies in front of you: hourglass.", "G2.5"),
    (glu("1 3", **SERVED), "fend off", "not in your hand: hourglass.", "G6.4"),
    (glu("1 3", **SERVED), "play on", "played without that", "G6.6"),
    (glu("hourglass 3", **FORCED), "fend off", "so you sit out now", "G6.6"),
    (glu("1 3", phase="giving"), "card 1", "Now you only take a card.", "G4.1"),
    (
        glu("1 3", phase="open", magician=1, **BLUFF, current_player=0),
        "pile", "First lay a card open.", "G7.4",
    ),
    (glu("1 3", **MAGIC), "card 1", "what the Magic Hand brings you", "G7.2"),
    (glu("1 3", **MAGIC), "challenge +1", "played without that", "G7.4"),
    (glu("1 3", **PRIZE, **BLUFF), "card 1", "what the Magic Hand brings you", "G7.5"),
    (glu("1 3", **PRIZE, **BLUFF), "challenge +1", "one challenge for each", "G7.5"),
    (glu("1 3", **PRIZE, **BLUFF), "grab 9", "does not hold this card", "G7.5"),
    (
        glu("1 3", **PRIZE, **of(bluffing=True, challenge_prize="both")),
        "grab 1", "First take one of the open cards", "G7.5",
    ),
    (
        {**glu("1 3", phase="grab", magician=0, challenged=1),
         **of(bluffing=True, challenge_prize="both")},
        "pick +1", "out of the hand that you have seen", "G7.5",
    ),
    (
        {**glu("1 3", phase="grab", magician=0, challenged=1),
         **of(bluffing=True, challenge_prize="both")},
        "card 1", "out of the hand that you have seen", "G7.5",
    ),
    (glu("1 2", current_player=1), "card 1", "not your turn: Anna has to move.", "G1.2"),
]  # fmt: skip
ALL_CASES = [(AURUXXX, *case) for case in AURUXXX_CASES] + [
    (GLUECKSGRIFF, *case) for case in GLUECKSGRIFF_CASES
]


def reason_of(session: Session, what: str) -> Reason | None:
    """Return the reason for a move by its name, `card NAME`, `pile` or `discard END`."""
    seen, table = see(session), explain_table(see(session))
    if what == "pile":
        return table["pile"]
    kind, _, name = what.partition(" ")
    if kind == "discard":
        return table[name]
    return explain_card(seen, name) if kind == "card" else explain_move(seen, what)


def session_at(game: Game, position: dict[str, Any]) -> Session:
    """Return a session of a person and Ann whose match stands at a position."""
    position = dict(position)
    settings = game.settings.from_dict({"num_players": 2, **position.pop("settings", {})})
    session = Session(game, settings, [PERSON, "random"], 1)
    session.match.start(1, position)
    return session


def rules_in(root: Path, game: Game) -> set[str]:
    return set(re.findall(r"\*\*(\w+\.\d+)\*\*", (root / f"docs/rules/{game.name}.md").read_text()))


@pytest.mark.parametrize(("game", "position", "what", "words", "rules"), ALL_CASES)
def test_a_reason_is_given_in_words_with_its_rules(
    game: Game, position: dict[str, Any], what: str, words: str, rules: str, root: Path
) -> None:
    session = session_at(game, position)
    reason = reason_of(session, what)
    assert reason is not None
    text = Texts("en", game, session.settings, [PERSON, "Ann"]).note(reason)
    assert words in text
    assert " ".join(reason.rules) == rules
    assert set(reason.rules) <= rules_in(root, game)


def test_every_reason_has_a_case() -> None:
    for game in (AURUXXX, GLUECKSGRIFF):
        given = {
            reason.key
            for of_game, position, what, _, _ in ALL_CASES
            if of_game is game and (reason := reason_of(session_at(game, position), what))
        }
        texts = read_texts("shared") | read_texts(game.name)
        known = {key[7:] for key in texts if key.startswith("reason.")}
        assert known - given == {"over"}, game.name  # below, at the end of random games


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("game", "rules"), CASES)
def test_in_random_games_all_that_cannot_be_done_has_a_reason(
    game: Game, rules: dict[str, Any], seed: int, root: Path
) -> None:
    session, ids = small_session(game, rules, seed), rules_in(root, game)
    both = [Texts(language, game, session.settings, session.names) for language in LANGUAGES]
    for _ in play_by_chance(session, seed):
        check(session, both, ids)
    check(session, both, ids)
    reasons = [explain_move(see(session), name) for name in game.actions]
    assert {reason.key for reason in reasons if reason} == {"over"}


def check(session: Session, both: list[Texts], ids: set[str]) -> None:
    seen, narrator = see(session), session.log.narrator
    position = session.match.position()
    assert [hand is None for hand in seen.position["hands"]][1:] == [True] * (
        len(both[0].names) - 1
    )
    legal = {session.game.actions[action] for action in session.legal}
    moves = {name: explain_move(seen, name) for name in session.game.actions}
    assert {name for name, reason in moves.items() if reason is None} == legal
    usable = {narrator.card_of(position, name) for name in legal} & set(seen.hand)
    cards = {card: explain_card(seen, card) for card in session.game.cards}
    assert {card for card in seen.hand if cards[card] is None} == usable
    table = explain_table(seen)
    assert (table["pile"] is None) == ("draw" in legal)
    assert (table["top"] is None) == bool({"take", "take high"} & legal)
    for reason in (*moves.values(), *cards.values(), *table.values()):
        if reason:
            assert reason.rules
            assert set(reason.rules) <= ids
            assert all("None" not in texts.note(reason) for texts in both)


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_a_reason_follows_from_what_the_person_knows(game: Game, rules: dict[str, Any]) -> None:
    """It is the same in every state that the person cannot tell from the real one."""
    session = small_session(game, rules)
    other = small_session(game, rules)
    differ = 0
    for number, _ in enumerate(play_by_chance(session)):
        if number % 5 or not session.your_turn:
            continue
        sampled = session.match.sample_states(0, derive_seeds(number, 1))
        position = game.write_position(state_at(sampled, 0))
        differ += position["hands"] != session.match.position()["hands"]
        other.match.start(1, position)
        for name in game.actions:
            assert explain_move(see(session), name) == explain_move(see(other), name)
    assert differ > 2
