"""Two histories share an information state exactly if its player met the same, in the same order.

Matches are played at random, as environments play them. A record of each player is kept here, of
what the match has handed to it: its observation and mask when it decides and what it did, after
every decision the public events and the cards known in other hands, and the points of each round. A
`Node` follows the match, with its chance chosen so that the same cards come; its information
states must be as different, and as equal, as the records.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.engine.kernels import GOES_ON, ROUND_ENDED
from goldgriff.envs.match import Match
from goldgriff.eval.game_theory.information import COLUMNS
from goldgriff.eval.game_theory.node import CHANCE, Node, root_node

from ...envs.engine.test_listing import keys

ROWS = 256  # of a tensor
AURUXXX: dict[str, Any] = {
    "rounds": 2,
    "hand_size": 1,
    "deck": {"r0": 3, "g0": 1, "r2": 2, "rH": 1, "swap": 1, "steal": 1, "blessing": 1, "gold": 2},
    "max_turns": 3,
}
GLUECKSGRIFF: dict[str, Any] = {
    "max_rounds": 2,
    "hand_size": 2,
    "deck": {"0": 3, "1": 3, "hourglass": 1, "hand": 1},
    "blanks": [
        {"name": name, "points": 1, "effect": name, "amount": 2} for name in ("draw", "look")
    ],
    "bluffing": True,
    "penalties": True,
    "late_knock": 30,
    "max_turns": 3,
}
CASES: dict[str, tuple[str, dict[str, Any], int]] = {  # game, settings, histories
    "auruxxx-tiny-a": ("auruxxx", {"preset": "tiny-a"}, 700),
    "auruxxx-tiny-c": ("auruxxx", {"preset": "tiny-c"}, 700),
    "auruxxx-2": ("auruxxx", {**AURUXXX, "num_players": 2}, 450),
    "auruxxx-3": ("auruxxx", {**AURUXXX, "num_players": 3}, 450),
    "gluecksgriff-tiny-a": ("gluecksgriff", {"preset": "tiny-a"}, 700),
    "gluecksgriff-tiny-c": ("gluecksgriff", {"preset": "tiny-c"}, 700),
    "gluecksgriff-2": ("gluecksgriff", {**GLUECKSGRIFF, "num_players": 2}, 450),
    "gluecksgriff-3": ("gluecksgriff", {**GLUECKSGRIFF, "num_players": 3, "hand_size": 1}, 450),
}


class Records:
    """Number what players met, in order: equal sequences have one number, different ones different.

    Attributes:
        after: The number of the sequence that goes on from another one, by its number and by what
            comes next: its kind and its bytes.
    """

    def __init__(self) -> None:
        self.after: dict[tuple[int, str, bytes], int] = {}

    def add(self, record: int, kind: str, what: Any) -> int:
        """Return the number of a sequence that goes on."""
        key = record, kind, np.ascontiguousarray(what).tobytes()
        return self.after.setdefault(key, len(self.after) + 1)

    def forks(self) -> set[str]:
        """Return the kinds of what sequences that were equal so far went on with differently."""
        following = defaultdict(list)
        for record, kind, _ in self.after:
            following[record].append(kind)
        return {kind for kinds in following.values() for kind in kinds if kinds.count(kind) > 1}


class Player:
    """The record of one player of one match."""

    def __init__(self, records: Records, match: Match, seat: int) -> None:
        self.records, self.match, self.seat = records, match, seat
        self.record = records.add(0, "seat", seat)
        self.known = np.zeros_like(match.known_cards(seat))

    def add(self, kind: str, what: Any) -> None:
        self.record = self.records.add(self.record, kind, what)

    def decide(self) -> None:
        """Observe, if it is to decide."""
        if not self.match.over and self.match.current_player == self.seat:
            raw, mask = self.match.observe(self.seat)
            self.add("observation", raw)
            self.add("mask", mask)

    def follow(self, result: int, events: int) -> int:
        """Learn of a decision; return how many events there are now, after so many before."""
        if result == ROUND_ENDED:
            events = 0  # those of the new round
        seen = self.match.events(self.seat)
        if len(seen) > events:
            self.add("event", seen[events:])
        known = self.match.known_cards(self.seat)
        if (known != self.known).any():
            self.add("known", known)
            self.known = known
        if result != GOES_ON:
            self.add("points", self.match.round_points)
        self.decide()
        return len(seen)


def reach(node: Node, match: Match, dealt: bool, most: int) -> Node | None:
    """Return the node in the state of the match, by outcomes of the chance that is due; or none.

    There are at most `most` events of chance, before a new deal if there was one.
    """
    if node.current_player != CHANCE:
        return node if keys(node.state) == keys(match._states) else None
    if dealt and (found := follow_deal(node, match)):
        return found
    for outcome, _ in node.outcomes if most else []:
        if found := reach(node.child(outcome), match, dealt, most - 1):
            return found
    return None


def follow_deal(node: Node, match: Match) -> Node | None:
    """Return the node after the deal, card by card in turn and the card turned up; or none."""
    hands = match._states["hands"][0, : match.settings.num_players]
    cards = [np.repeat(np.arange(len(hand)), hand).tolist() for hand in hands]
    top = int(match._states["discards"][0, 0])
    for card in [*(hand[place] for place in range(len(cards[0])) for hand in cards), top]:
        if node.current_player != CHANCE or card not in dict(node.outcomes):
            return None
        node = node.child(card)
    return reach(node, match, False, 0)


def follow(node: Node, match: Match, dealt: bool) -> Node:
    found = reach(node, match, dealt, 3 if dealt else 6)
    assert found, "a node cannot follow what a match has played"
    return found


def histories(
    root: Node, records: Records, count: int
) -> Iterator[tuple[Node, list[int], tuple[Any, ...]]]:
    """Yield decisions and ends of random matches: node, records of all seats, all that happened."""
    rng = np.random.default_rng(7)
    for number in range(count):
        match = Match(root.game, root.settings)
        match.start(number)
        node = follow(root, match, True)
        seats = range(root.settings.num_players)
        players = [Player(records, match, seat) for seat in seats]
        players[match.current_player].decide()
        events = 0
        while True:
            yield node, [player.record for player in players], tuple(node.history)
            if match.over:
                break
            action = int(rng.choice(match.mask.nonzero()[0]))
            players[match.current_player].add("action", action)
            result = match.act(action)
            node = follow(node.child(action), match, result == ROUND_ENDED)
            (events,) = {player.follow(result, events) for player in players}


@pytest.mark.parametrize("case", CASES)
def test_information_states_are_equal_exactly_if_the_records_are(case: str) -> None:
    """By their texts, their tensors and their hashes."""
    game, rules, count = CASES[case]
    root, records = root_node(game, rules), Records()
    by_record: dict[int, set[Any]] = defaultdict(set)
    by_state: tuple[dict[Any, set[int]], ...] = (
        defaultdict(set),
        defaultdict(set),
        defaultdict(set),
    )
    shared: dict[int, set[Any]] = defaultdict(set)  # all that happened, chance as well
    tensor = np.zeros((ROWS, COLUMNS), np.float32)
    for node, found, history in histories(root, records, count):
        for seat, record in enumerate(found):
            if len(shared[record]) == 8 and history not in shared[record]:
                continue  # enough histories have this record
            shared[record].add(history)
            node.workspace.describer.write_rows(node.information(seat), tensor)
            text = node.information_state(seat)
            state = text, (seat, tensor.tobytes()), (seat, node.recall(seat))
            by_record[record].add(tuple(map(hash, state)))
            for part, key in zip(by_state, state, strict=True):
                part[hash(key)].add(record)
    assert all(len(states) == 1 for states in by_record.values())
    for part in by_state:
        assert all(len(met) == 1 for met in part.values())
    # Both could have failed: histories share records, and records part by each kind of what is met.
    assert sum(len(met) > 1 for met in shared.values()) > 300
    assert len(by_record) > 3000
    assert records.forks() >= {"observation", "action", "event", "known", "points"}
