"""Recorded games: every stored game replays, and counts agree with counts by hand."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.kernels import ROUND_ENDED
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.errors import RecordError
from goldgriff.eval.tournament.config import MIN_SHARDS, tournament_config
from goldgriff.eval.tournament.replay import check_game, read_game
from goldgriff.eval.tournament.shards import PlayerCountResults, count_statistics, play_shard
from goldgriff.eval.tournament.store import Store, StoreError
from goldgriff.eval.tournament.tournament import run_tournament

from .small import players_of, small_config

EXPERT_AND_RANDOM = ("expert", "random", "random")
CASES: list[tuple[Game, dict[str, Any], tuple[str, ...]]] = [
    (AURUXXX, {"num_players": 3, "rounds": 2, "max_decisions": 250}, EXPERT_AND_RANDOM),
    (AURUXXX, {"num_players": 3, "rounds": 2, "max_turns": 30}, EXPERT_AND_RANDOM),
    (GLUECKSGRIFF, {"num_players": 3, "point_limit": 60, "penalties": True}, EXPERT_AND_RANDOM),
    (GLUECKSGRIFF, {"num_players": 3, "point_limit": 60, "bluffing": True}, ("random",)),
    (GLUECKSGRIFF, {"num_players": 3, "point_limit": 60, "max_decisions": 25}, EXPERT_AND_RANDOM),
    (GLUECKSGRIFF, {"num_players": 3, "point_limit": 60, "max_turns": 6}, EXPERT_AND_RANDOM),
]


def first_shard(
    game: Game, rules: dict[str, Any], agents: tuple[str, ...] = ("random",), deals: int = 5
) -> PlayerCountResults:
    # The first shard has `deals` deals.
    config = tournament_config(
        game, agents, game.settings.from_dict(rules), deals=deals * MIN_SHARDS, seed=5
    )
    (results,) = play_shard(config, 0, players_of(config)).results
    return results


class ByHand:
    """The statistics of a game, from its moves by name and its positions as plain data."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.counts: Counter[tuple[int, str]] = Counter()
        self.endings: Counter[str] = Counter()
        self.caller, self.high = -1, False

    def hands(self) -> list[list[str]]:
        hands: list[list[str]] = self.match.position()["hands"]
        return hands

    def auruxxx(self, move: str) -> None:
        seat, counts, golden = self.match.current_player, self.counts, [0]
        counts[seat, "passes"] += move == "pass"
        if move == "take":
            counts[seat, "cards_taken"] += int(self.match.state.demand)
        if move.startswith(("swap", "lay gold")):
            golden = [hand.count("gold") for hand in self.hands()]
        if move.startswith("swap"):
            other = (seat + int(move[-1])) % len(golden)
            counts[seat, "swaps"] += 1
            counts[seat, "golden_swaps"] += golden[other] > golden[seat]
        if move == "lay gold":
            counts[seat, "golden_laid"] += golden[seat]
        decisions = self.match.state.decisions + 1
        if self.match.play(move) >= ROUND_ENDED:
            capped = decisions == self.match.settings.to_dict()["max_decisions"]
            without = "cap" if capped else "turns"
            self.endings["golden_12" if move == "lay gold" else without] += 1
            counts[seat, "rounds_won"] += move == "lay gold"

    def gluecksgriff(self, move: str) -> None:
        match, seat, counts, scores = (
            self.match,
            self.match.current_player,
            self.counts,
            self.match.scores,
        )
        counts[seat, "knocks"] += move.startswith("knock")
        counts[seat, "fended_off"] += move == "fend off"
        counts[seat, "sat_out"] += move == "sit out"
        counts[seat, "magic_hands"] += move == "hand"
        counts[seat, "declined"] += move == "decline"
        capped, last_turn = match.state.capped_rounds, match.state.turns_left == 1
        self.last_allowed = match.state.turns + 1 == match.settings.to_dict()["max_turns"]
        if move == "call":
            self.caller, self.high = seat, hand_points(self.hands()[seat]) >= 7
        ended = match.play(move) >= ROUND_ENDED
        if move.startswith("challenge"):
            right = match.position()["phase"] == "prize"
            counts[seat, "bluffs_caught" if right else "challenges_wrong"] += 1
        if ended:
            rises = [after - before for before, after in zip(scores, match.scores, strict=True)]
            self.judge(rises, match.state.capped_rounds > capped, last_turn)

    def judge(self, rises: list[float], capped: bool, last_turn: bool) -> None:
        if not capped and rises.count(min(rises)) == 1:
            self.counts[rises.index(min(rises)), "rounds_won"] += 1
        if self.caller >= 0:
            right = rises[self.caller] == 0 and not self.high
            self.counts[self.caller, "calls_right" if right else "calls_wrong"] += 1
        if capped:
            self.endings["cap"] += 1
        elif self.high:
            self.endings["high_call"] += 1
        elif self.caller < 0 and self.last_allowed:
            self.endings["turns"] += 1
        else:
            self.endings["call" if self.caller >= 0 and last_turn else "empty_hand"] += 1
        self.caller, self.high = -1, False


def counted_by_hand(
    game: Game, rules: dict[str, Any], seed: int, actions: list[int]
) -> tuple[Counter[tuple[int, str]], Counter[str]]:
    match = Match(game, game.settings.from_dict(rules))
    match.start(seed)
    by_hand = ByHand(match)
    count = by_hand.auruxxx if game is AURUXXX else by_hand.gluecksgriff
    for action in actions:
        count(game.actions[action])
    return +by_hand.counts, +by_hand.endings


def hand_points(hand: list[str]) -> int:
    """What a hand of Glücksgriff without blanks counts."""
    special = {"joker": 15, "hourglass": 15, "hand": 20}
    return sum(special[card] if card in special else int(card) for card in hand)


@pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF])
def test_counts_agree_with_plain_counting(game: Game) -> None:
    seen: Counter[str] = Counter()
    for rules, agents in [case[1:] for case in CASES if case[0] is game]:
        results = first_shard(game, rules, agents, deals=120 if agents == ("random",) else 30)
        for number in range(len(results.seeds)):
            actions = results.outcomes.actions[slice(*results.outcomes.starts[number : number + 2])]
            seed = int(results.seeds[number])
            counts, endings = counted_by_hand(game, rules, seed, actions.tolist())
            found = {
                (int(seat), name): int(results.counts[number, seat, which])
                for which, name in enumerate(game.statistics)
                for seat in np.flatnonzero(results.counts[number, :, which])
            }
            assert found == counts
            ways = dict(zip(game.endings, results.endings[number].tolist(), strict=True))
            assert +Counter(ways) == endings
            seen += Counter(name for _, name in counts) + endings
    assert set(seen) == {*game.statistics, *game.endings}


@pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF])
def test_every_stored_game_replays_to_its_result(game: Game) -> None:
    config = small_config("expert", "random", game=game, deals=4)
    with Store.create(None, game, dict(config.rules)) as store:
        results = run_tournament(config, players_of(config), store=store)
        for number in range(1, results.games + 1):
            check_game(read_game(store, number))
        with pytest.raises(StoreError, match=f"has no game 99; it has games 1 to {number}"):
            read_game(store, 99)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            "UPDATE games SET actions = cast(x'56' || actions AS blob)",
            "game 2 does not replay: move 1: 'swap",
        ),
        (
            "UPDATE games SET actions = cast(x'ff' || actions AS blob)",
            "move 1: there is no action 255",
        ),
        ("UPDATE games SET actions = x''", "does not replay to its result: stored are"),
        ("UPDATE seats SET points = points + 1", "does not replay to its result"),
    ],
)
def test_a_record_that_does_not_replay_is_one_clear_line(change: str, message: str) -> None:
    config = small_config("expert", "random", deals=2)
    with Store.create(None, AURUXXX, dict(config.rules)) as store:
        run_tournament(config, players_of(config), store=store)
        store.connection.execute(change)
        with pytest.raises(RecordError, match=message) as caught:
            check_game(read_game(store, 2))
    assert "\n" not in str(caught.value)


def test_a_shard_whose_games_do_not_replay_is_never_stored() -> None:
    rules = {"num_players": 3, "rounds": 1}
    results, settings = first_shard(AURUXXX, rules), AURUXXX.settings.from_dict(rules)
    outcomes = results.outcomes
    outcomes.win_shares[4] = outcomes.win_shares[4][::-1] + 0.25
    with pytest.raises(RecordError, match="game 4 does not replay to its result"):
        count_statistics(AURUXXX, settings, results.seeds, outcomes)
    outcomes.points[3] += 1
    with pytest.raises(RecordError, match="game 3 does not replay to its result"):
        count_statistics(AURUXXX, settings, results.seeds, outcomes)
