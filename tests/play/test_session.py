"""Sessions: what a person may see, undo, hints, and records that lose nothing."""

import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import goldgriff as gg
from goldgriff.agents.heuristics.catalog import find_base_policy
from goldgriff.agents.network import Network
from goldgriff.agents.search.agent import Search
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.errors import AgentError, MoveError
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.recorder import PERSON, Recorder
from goldgriff.eval.tournament.store import STORE, Store, StoreError
from goldgriff.play.narrators.lines import Line
from goldgriff.play.session.event_log import EventLog, rule_id_of
from goldgriff.play.session.hints import hint
from goldgriff.play.session.session import Session
from goldgriff.play.terminal.replay import replay_game
from goldgriff.play.texts import LANGUAGES, Texts, read_texts
from goldgriff.play.web.data import session_data

from ..agents.helpers import random_action_value_network
from .players import Slow
from .tables import CASES, SMALL, play_by_chance, small_session


def indistinguishable_state(match: Match, seat: int, seed: int) -> Any:
    """Return a state that a seat cannot tell from that of a match: one record."""
    return match.sample_states(seat, np.array([seed], np.uint64))[0]


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_the_visible_position_holds_nothing_that_its_seat_does_not_know(
    game: Game, rules: dict[str, Any]
) -> None:
    session, differed = small_session(game, rules), 0
    twin = EventLog(game, session.settings, 1, 0)
    for number, _ in enumerate(play_by_chance(session)):
        sampled = indistinguishable_state(session.match, 0, number)
        differed += sampled["hands"].tobytes() != session.match.state.hands.tobytes()
        for name in sampled.dtype.names:
            twin.match.state[name] = sampled[name]
        assert twin.visible_position() == session.log.visible_position()
        if number > 150:
            break
    assert differed > 20


def without_cards(
    events: Sequence[Line],
) -> list[tuple[str, int | None, int | None, float | None]]:
    """Return events without the cards that only some may see."""
    return [
        (event.kind.partition(".")[0], event.seat, event.other, event.total) for event in events
    ]


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_the_log_hides_only_what_the_person_cannot_see(game: Game, rules: dict[str, Any]) -> None:
    session = small_session(game, rules, seed=7)
    everything = EventLog(game, session.settings, 7, None)
    hidden = 0
    for _ in play_by_chance(session, seed=3):
        pass
    for action in session.match.moves:
        everything.play(action)
    for mine, all_of_it in zip(session.log.lines, everything.lines, strict=True):
        assert without_cards(mine) == without_cards(all_of_it)
        for event, whole in zip(mine, all_of_it, strict=True):
            if event.kind in ("draw.cards", "steal.cards", "grab.cards"):
                assert 0 in (event.seat, event.other)
            if event != whole:
                hidden += 1
                assert 0 not in (event.seat, event.other)
                assert event.kind.endswith(".hidden")
                assert event.cards == ()
    assert hidden > 5


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_every_card_that_moves_is_in_the_log(game: Game, rules: dict[str, Any]) -> None:
    """With all hands open, the events of draws and lays account for every hand's size."""
    settings = game.settings.from_dict(rules)
    session = Session(game, settings, ["random"] * settings.num_players, 5)
    gains = ("draw.cards", "take", "steal.cards", "pick", "grab.cards")
    losses = ("lay", "add", "run", "low", "high", "swap", "knock.drawn", "open", "give", "fend-off")
    while not session.over:
        before = session.match.position()
        events = session.step()
        after = session.match.position()
        names = {event.kind for event in events}
        if "deal" in names or "swap" in " ".join(names) or session.over:
            continue
        moved: Counter[int] = Counter()
        for event in events:
            assert event.seat is not None or not event.cards
            if event.seat is None:
                continue
            moved[event.seat] += len(event.cards) * (event.kind in gains)
            moved[event.seat] -= len(event.cards) * (event.kind in losses)
            moved[event.seat] -= len(event.cards) * event.kind.startswith("effect.")
            if event.kind in ("steal.cards", "grab.cards") and event.other is not None:
                moved[event.other] -= len(event.cards)
        if "challenge.wrong" in names:  # the open cards go back to their hands
            for seat, card in enumerate(before["open"]):
                moved[seat] += card is not None
        for seat, hand in enumerate(after["hands"]):
            assert len(hand) - len(before["hands"][seat]) == moved[seat], (events, seat)


def answers(session: Session) -> list[int]:
    """Let the agents answer until the person is asked again; the names of their moves."""
    passed = []
    while not session.your_turn and not session.over:
        session.step()
        passed.append(session.match.moves[-1])
    return passed


@pytest.mark.parametrize("game", GAMES.values())
def test_what_is_taken_back_and_played_again_comes_out_the_same(game: Game, tmp_path: Path) -> None:
    session = small_session(game, SMALL[game.name], folder=tmp_path)
    with pytest.raises(MoveError, match="no move to take back"):
        session.undo()
    for _ in range(4):
        before, events = list(session.match.moves), list(session.log.lines)
        action = session.legal[0]
        session.play(action)
        after = answers(session)
        session.undo()
        assert (session.match.moves, session.log.lines) == (before, events)
        assert Session.resume(tmp_path, 1).match.moves == before
        session.play(action)
        assert answers(session) == after


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_a_record_loses_nothing_whenever_the_game_is_cut_off(
    game: Game, rules: dict[str, Any], tmp_path: Path
) -> None:
    session = small_session(game, rules, folder=tmp_path)
    for number, _ in enumerate(play_by_chance(session)):
        if number % 40 == 0:
            again = Session.resume(tmp_path, session.number)
            assert (again.match.moves, again.log.lines) == (
                session.match.moves,
                session.log.lines,
            )
            now = session_data(session, "en")
            assert {**session_data(again, "en"), "version": now["version"]} == now
            with Store.open(tmp_path) as store:
                assert (
                    str(list(replay_game(store, session.number))[-1]) == "The game was not finished"
                )
    with Store.open(tmp_path) as store:
        assert "As stored. Shares" in list(replay_game(store, session.number))[-1]
        assert [name for name, _ in store.agents()] == [PERSON, "random"]


def test_games_of_one_folder_have_numbers_of_their_own(tmp_path: Path) -> None:
    games = [small_session(AURUXXX, SMALL["auruxxx"], seed, folder=tmp_path) for seed in (1, 2)]
    games[1].play(games[1].legal[0])
    assert [game.number for game in games] == [1, 2]
    assert Session.resume(tmp_path, 1).match.moves == []
    assert Session.resume(tmp_path, 2).match.moves == games[1].match.moves


@pytest.mark.parametrize(
    ("agent", "fault"),
    [("Cheat", "there is no action"), ("Stubborn", "failed: RuntimeError: no more")],
)
def test_an_agent_at_fault_is_named_in_one_line(tmp_path: Path, agent: str, fault: str) -> None:
    settings = AURUXXX.settings.from_dict({"num_players": 2})
    name = f"tests.play.players:{agent}" if agent == "Stubborn" else f"tests.players:{agent}"
    session = Session(AURUXXX, settings, [name, PERSON], 1, tmp_path)
    assert session.step() == []
    assert session.over
    assert session.progress.failed == name
    assert session.legal == []
    with Store.open(tmp_path) as store:
        assert f"forfeits the game: {fault}" in list(replay_game(store, 1))[-1]


def test_the_time_of_a_move_does_not_tell_that_it_was_the_only_one() -> None:
    settings = AURUXXX.settings.from_dict(SMALL["auruxxx"])
    names = [PERSON, *["tests.play.players:Slow"] * 2]
    forced = list[float]()
    for seed in range(3):
        session, chance = Session(AURUXXX, settings, names, seed), np.random.default_rng(seed)
        decisions = 0
        while not session.over and len(forced) < 2:
            if session.your_turn:
                session.play(int(chance.choice(session.legal)))
                continue
            choices, begun = int(session.match.mask.sum()), time.perf_counter()
            session.step()
            if choices == 1 and decisions > 1:
                forced.append(time.perf_counter() - begun)
            decisions += choices > 1
    assert len(forced) == 2
    assert min(forced) >= Slow.SECONDS


def test_who_waits_for_the_only_move_of_an_agent_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = AURUXXX.settings.from_dict(SMALL["auruxxx"])
    session = Session(AURUXXX, settings, [PERSON, "random", "random"], 1)
    session._seconds["random"] = 9.0
    waits = list[tuple[float, bool]]()
    monkeypatch.setattr(
        "goldgriff.play.session.session.sleep",
        lambda seconds: waits.append((seconds, session.lock.locked())),
    )
    for _ in play_by_chance(session):
        if not session.your_turn and session.match.mask.sum() == 1:
            session._seconds["random"] = 9.0
            session.step()
            break
    ((seconds, held),) = waits
    assert 8 < seconds < 9
    assert not held


def test_a_program_does_not_overwrite_what_another_has_played(tmp_path: Path) -> None:
    older = small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    newer = Session.resume(tmp_path, 1)
    newer.play(newer.legal[0])
    newer.step()
    with pytest.raises(StoreError, match=r"game 1 in .* was played on by another program"):
        older.play(older.legal[-1])
    assert not older.is_current
    assert Session.resume(tmp_path, 1).match.moves == newer.match.moves
    newer.undo()  # what is taken back is no move of another program
    newer.play(newer.legal[-1])
    assert Session.resume(tmp_path, 1).match.moves == newer.match.moves


def test_a_program_does_not_overwrite_that_another_has_resigned(tmp_path: Path) -> None:
    older = small_session(AURUXXX, SMALL["auruxxx"], folder=tmp_path)
    Session.resume(tmp_path, 1).resign()
    assert not older.is_current
    with pytest.raises(StoreError, match="was played on by another program"):
        older.play(older.legal[-1])
    assert Session.resume(tmp_path, 1).over


def test_a_game_of_a_tournament_is_not_deleted(tmp_path: Path) -> None:
    names = ["random", "expert"]
    played = gg.play_tournament("auruxxx", names, num_players=2, deals=2, out=tmp_path)
    with pytest.raises(StoreError):
        Recorder(tmp_path / STORE, 1, AURUXXX).delete()
    again = gg.play_tournament("auruxxx", names, num_players=2, deals=2, out=tmp_path)
    assert again.to_dict() == played.to_dict()


def test_only_the_person_s_own_legal_moves_are_played() -> None:
    session = small_session(AURUXXX, SMALL["auruxxx"])
    illegal = next(a for a in range(len(AURUXXX.actions)) if a not in session.legal)
    for wrong in (illegal, -1, 10**6, None, True, "draw"):
        with pytest.raises(MoveError):
            session.play(wrong)  # type: ignore[arg-type]
    session.play(session.legal[0])
    while session.your_turn:
        session.play(session.legal[0])
    with pytest.raises(MoveError, match="not your turn"):
        session.play(0)
    with pytest.raises(MoveError, match="your turn"):
        session.hint("expert")


def test_an_agent_has_to_be_there() -> None:
    settings = AURUXXX.settings.from_dict({"num_players": 3})
    with pytest.raises(AgentError, match="unknown agent"):
        Session(AURUXXX, settings, [PERSON, "nobody", "random"], 1)


@pytest.mark.parametrize("game", GAMES.values())
def test_hints_are_probabilities_of_the_legal_moves(game: Game) -> None:
    session = small_session(game, SMALL[game.name])
    for agent in ("random", "expert", "search@200", "tests.players:First"):
        probabilities = session.hint(agent).probabilities
        assert sorted(probabilities) == session.legal
        assert sum(probabilities.values()) == pytest.approx(1)
        assert list(probabilities.values()) == sorted(probabilities.values(), reverse=True)
    assert max(session.hint("tests.players:First").probabilities.values()) == 1
    assert max(session.hint("random").probabilities.values()) < 0.9


def test_a_hint_of_a_search_is_the_move_that_it_plays() -> None:
    match = Match(AURUXXX, AURUXXX.settings(num_players=4))
    match.start(5)
    network = random_action_value_network()  # with a critic, so no tree is grown
    search = Search(find_base_policy("expert", AURUXXX).policy, prior=network, iterations=20)
    random_bits = derive_seeds(0, 1)  # those of a hint before the first move
    player = Player("search", search)
    observed = match.observation_batch(information_states=player.wants_information_states)
    wanted = search.act(replace(observed, random_bits=random_bits))[0]
    probabilities = hint(match, player).probabilities
    assert probabilities[int(wanted)] == 1
    assert sum(probabilities.values()) == 1


def test_a_network_s_hint_is_its_softmax() -> None:
    session = small_session(AURUXXX, SMALL["auruxxx"])
    bias = np.zeros(len(AURUXXX.actions), np.float32)
    best = session.legal[-1]
    bias[best] = np.log(3)
    flat = np.zeros((len(bias), AURUXXX.observation_spec.size), np.float32)
    probabilities = hint(session.match, Player("net", Network([(flat, bias)]))).probabilities
    assert probabilities[best] == pytest.approx(3 / (len(session.legal) + 2))


def test_a_hint_from_an_agent_that_fails_is_one_line() -> None:
    session = small_session(AURUXXX, SMALL["auruxxx"])
    with pytest.raises(AgentError, match="gives no hint: failed: RuntimeError: no more"):
        session.hint("tests.play.players:Stubborn")
    with pytest.raises(AgentError, match=r"gives no hint: .* is not legal here"):
        session.hint("tests.play.players:Astray")


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_all_moves_and_events_can_be_said(game: Game, rules: dict[str, Any], root: Path) -> None:
    session = small_session(game, rules, seed=11)
    both = [Texts(each, game, session.settings, session.names) for each in LANGUAGES]
    ids = set(re.findall(r"\*\*(\w+\.\d+)\*\*", (root / f"docs/rules/{game.name}.md").read_text()))
    for _ in play_by_chance(session):
        moves = [session.game.actions[action] for action in session.legal]
        assert {rule_id_of(session.match, action) for action in session.legal} <= ids
        for texts in both:
            assert len({texts.move(move, 0) for move in moves}) == len(moves)
    for events in session.log.lines:
        for event in events:
            assert not any("{" in texts.line(event) for texts in both)
            assert set(event.rules) <= ids
            assert event.rules


@pytest.mark.parametrize("game", GAMES)
def test_both_languages_have_every_text_with_the_same_gaps(game: str) -> None:
    for key, texts in (read_texts("shared") | read_texts(game)).items():
        english, german = (sorted(re.findall(r"\{\w+\}", text)) for text in texts)
        assert english == german, key
        assert all(texts), key


def lines_of(
    game: Game, position: dict[str, Any], *moves: str, viewer: int | None = None, seed: int = 1
) -> list[str]:
    """Return the lines of some moves, played from a position."""
    players = len(position["hands"])
    settings = game.settings.from_dict({"num_players": players, **position.pop("settings", {})})
    log = EventLog(game, settings, 1, viewer)
    log.match.start(seed, position)
    texts = Texts("en", game, settings, [f"p{seat}" for seat in range(players)])
    events = [event for move in moves for event in log.play(game.actions.index(move))]
    return [texts.line(event) for event in events if event.kind != "deal"]


def test_a_theft_is_seen_by_thief_and_victim_only() -> None:
    def position() -> dict[str, Any]:
        return {"hands": [["steal", "r1"], ["g7"], ["b1", "b2"]], "discard": ["y9"]}

    for viewer in (None, 0, 1):
        assert lines_of(AURUXXX, position(), "steal", viewer=viewer) == [
            "p0: laid Steal (A5.5, A3.9)",
            "p0: drew green 7 from p1 (A5.5)",
        ]
    assert lines_of(AURUXXX, position(), "steal", viewer=2)[1] == "p0: drew a card from p1 (A5.5)"


@pytest.mark.parametrize(
    ("position", "move", "laid"),
    [
        (
            {"hands": [["0"], ["1", "0"]], "discard": ["1", "1"], "phase": "drawn", "drawn": "1",
             "laid": 1, "laid_kind": "set"},
            "knock", "1",
        ),
        (
            {"hands": [["0"], ["hourglass", "0"]], "discard": ["1"], "phase": "hourglass",
             "front": [None, "hourglass"]},
            "fend off", "hourglass",
        ),
    ],
)  # fmt: skip
def test_a_penalty_card_of_the_type_just_laid_is_told_as_any_other(
    position: dict[str, Any], move: str, laid: str
) -> None:
    """A late knock costs a card, which only its player sees (G5.7)."""
    rules = {"late_knock": 100, "copies": 5, "highest_value": 1, "hand_size": 2}
    drawn, told = set(), set()
    for seed in range(30):
        given = {**position, "current_player": 1, "settings": rules}
        drawn.add(lines_of(GLUECKSGRIFF, dict(given), move, viewer=1, seed=seed)[-1])
        told.add(tuple(lines_of(GLUECKSGRIFF, dict(given), move, viewer=0, seed=seed)))
    assert {f"p1: drew {laid} (G5.7)", "p1: drew 0 (G5.7)"} <= drawn
    assert len(told) == 1
    assert told.pop()[-1] == "p1: drew a card (G5.7)"


def test_the_end_of_a_round_shows_the_hands_that_were_counted() -> None:
    position = {
        "hands": [["gold", "gold"], ["r50"], ["b1", "b2"]],
        "discard": ["y9"],
        "crosses": [0, 1, 0],
        "figure": 2,
    }
    assert lines_of(AURUXXX, position, "lay gold", viewer=1) == [
        "p0: laid Golden 12 ×2 (A6.1, A6.2)",  # noqa: RUF001
        "p0: won the round (A6.2)",
        "p0: -10 points, now -10 points (A7.3)",
        "p1: red 50 left: 55 points, now 55 points [hand 50, crosses 5] (A7.1, A7.2)",
        "p2: blue 1, blue 2 left: 1.5 points, now 1.5 points [hand 3, figure -1.5] (A7.1, A7.4)",
    ]


def test_a_call_is_judged_in_words() -> None:
    position: dict[str, Any] = {
        "hands": [["2"], ["1", "hourglass"]],
        "discard": ["1"],
        "scores": [20, 30],
        "settings": {"point_limit": 40},
    }
    wrong = lines_of(GLUECKSGRIFF, position, "call", "lay hourglass", "take")
    assert wrong[0] == "p0: called Glücksgriff! (G8.2)"
    assert wrong[-4:] == [
        "p0: called wrongly, with 2 points (G8.4)",
        "p0: 2 left: 30 points, now 50 points (G8.4)",
        "p0: reached a multiple of 50: halved to 25 points (G8.7)",
        "p1: 1 ×2 left: 2 points, now 32 points (G8.1)",  # noqa: RUF001
    ]
    position = {"hands": [["2"], ["9", "9"]], "discard": ["1"]}
    right = lines_of(GLUECKSGRIFF, position, "call", "lay 9", "take")
    assert right[-3:] == [
        "p0: called rightly, with 2 points (G8.3)",
        "p0: 2 left: 0 points, now 0 points (G8.3)",
        "p1: 1, 9 left: 10 points, now 10 points (G8.1)",
    ]
