"""Histories with chance as a player: what they list, what is remembered, what is hidden."""

import pickle
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.engine.game import get_game
from goldgriff.errors import MoveError, SettingsError
from goldgriff.eval.game_theory.information import COLUMNS
from goldgriff.eval.game_theory.node import CHANCE, TERMINAL, Node, root_node
from goldgriff.eval.game_theory.tree import build_tree

GAMES = ("auruxxx", "gluecksgriff")
SHORT: dict[str, dict[str, Any]] = {
    "auruxxx": {"preset": "tiny-a", "max_turns": 2},
    "gluecksgriff": {"preset": "tiny-b", "max_turns": 1},
}


def random_history(root: Node, rng: np.random.Generator, *, sampled: bool = False) -> Node:
    """Return a node at the end of a random game."""
    node = root
    while node.current_player != TERMINAL:
        node = step(node, rng, sampled)
    return node


def step(node: Node, rng: np.random.Generator, sampled: bool = False) -> Node:
    if node.current_player != CHANCE:
        return node.child(int(rng.choice(node.legal_actions())))
    if sampled:
        return node.sample(int(rng.integers(2**63)))
    outcomes, chances = zip(*node.outcomes, strict=True)
    return node.child(int(rng.choice(outcomes, p=chances)))


def all_nodes(node: Node) -> Iterator[Node]:
    yield node
    moves = [outcome for outcome, _ in node.outcomes] or node.legal_actions()
    for move in moves:
        yield from all_nodes(node.child(move))


def tensor(node: Node, seat: int, rows: int = 256) -> bytes:
    out = np.zeros((rows, COLUMNS), np.float32)
    node.workspace.describer.write_rows(node.information(seat), out)
    return out.tobytes()


WALK = """
import numpy as np
from tests.eval.game_theory.test_node import SHORT, random_history
from goldgriff.eval.game_theory.node import root_node
end = random_history(root_node("{game}", SHORT["{game}"]), np.random.default_rng(1), sampled=True)
print([int(end.recall(seat)) for seat in range(2)])
"""


@pytest.mark.parametrize("game", GAMES)
def test_plain_python_has_the_same_information_states(
    game: str, run_fresh: Callable[..., str]
) -> None:
    plain, compiled = (run_fresh(WALK.format(game=game), compiled=jit) for jit in (False, True))
    assert plain == compiled


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("multisets", [True, False])
def test_a_node_walks_the_tree_that_is_built(game: str, multisets: bool) -> None:
    """The same information states, by their hashes; with multisets also the same nodes."""
    tree = build_tree(get_game(game), get_game(game).read_settings(SHORT[game]))
    found: list[set[int]] = [set(), set()]
    nodes = 0
    for node in all_nodes(root_node(game, SHORT[game], multisets=multisets)):
        nodes += 1
        if node.current_player >= 0:
            found[node.current_player].add(node.recall(node.current_player))
    assert [len(each) for each in found] == [len(side.nodes) for side in tree.sides]
    # Each event is a node here; there one for all events of a transition.
    assert nodes >= tree.num_nodes


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_do_not_show(game: str) -> None:
    """Player 0 cannot tell what the other was dealt, nor what it draws and keeps."""
    root = root_node(game, {"preset": "tiny-a"})
    texts = defaultdict(set)

    def deal(node: Node, others: tuple[int, ...]) -> None:
        if node.current_player == CHANCE:
            turn = len(node.history)
            hands = 2 * root.settings.hand_size  # type: ignore[attr-defined]
            for outcome, _ in node.outcomes:
                hidden = turn % 2 == 1 and turn < hands
                deal(node.child(outcome), (*others, outcome) if hidden else others)
        else:
            key = tuple(o for k, (_, o) in enumerate(node.history) if k % 2 == 0 or k >= hands_of())
            texts[key].add(node.information_state(0))
            assert node.current_player == 0

    def hands_of() -> int:
        return 2 * root.settings.hand_size  # type: ignore[attr-defined,no-any-return]

    deal(root, ())
    assert len(texts) > 5
    assert all(len(each) == 1 for each in texts.values())


@pytest.mark.parametrize("game", GAMES)
def test_nodes_never_change(game: str) -> None:
    node, rng = root_node(game, {"preset": "tiny-a"}), np.random.default_rng(2)
    shown = []
    while node.current_player != TERMINAL:
        shown.append((node.describe(), node.information_state(1), node.legal_actions()))
        after = step(node, rng)
        assert (node.describe(), node.information_state(1), node.legal_actions()) == shown[-1]
        assert after.parent is node
        node = after
    assert sum(node.returns) == 0
    path = [(n.describe(), n.information_state(1), n.legal_actions()) for n in node.path()[:-1]]
    assert path == shown


def test_sampled_chance_agrees_with_its_probabilities() -> None:
    """The first card of a deal, chi-square with four degrees of freedom."""
    root, rng = root_node("auruxxx", {"preset": "tiny-a"}), np.random.default_rng(3)
    chances = dict(root.outcomes)
    counts = dict.fromkeys(chances, 0)
    for _ in range(4000):
        node = root.sample(int(rng.integers(2**63)))
        counts[node.history[0][1][0]] += 1  # type: ignore[index]
    squares = sum((counts[c] - 4000 * p) ** 2 / (4000 * p) for c, p in chances.items())
    assert squares < 23  # 1 in 10,000


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("sampled", [True, False])
def test_pickled_histories_go_on(game: str, sampled: bool) -> None:
    node = random_history(
        root_node(game, {"preset": "tiny-b"}), np.random.default_rng(4), sampled=sampled
    )
    copied = pickle.loads(pickle.dumps(node))
    for before, twin in zip(node.path(), copied.path(), strict=True):
        assert twin.describe() == before.describe()
        assert twin.information_state(0) == before.information_state(0)


@pytest.mark.parametrize("game", GAMES)
def test_a_resampled_state_looks_the_same_and_can_be_played_on(game: str) -> None:
    node, rng = root_node(game, {"num_players": 3, "max_turns": 12}), np.random.default_rng(5)
    hands = set()
    for _ in range(80):
        while node.current_player == CHANCE:
            node = node.sample(int(rng.integers(2**63)))
        seat = node.current_player
        if seat == TERMINAL:
            break
        other = node.resample(seat, int(rng.integers(2**63)))
        assert other.current_player == seat
        assert other.information_state(seat) == node.information_state(seat)
        assert tensor(other, seat, 9000) == tensor(node, seat, 9000)
        assert other.legal_actions() == node.legal_actions()
        assert (other.observation(seat) == node.observation(seat)).all()
        hands.add((other.state["hands"] != node.state["hands"]).any())
        copied = pickle.loads(pickle.dumps(other))
        assert copied.information_state(1) == other.information_state(1)
        other = other.child(other.legal_actions()[0])
        assert other.information_state(seat).startswith(node.information_state(seat))
        node = step(node, rng)
    assert True in hands


def test_bad_moves_and_settings_are_refused() -> None:
    node = root_node("auruxxx", {"preset": "tiny-a"})
    with pytest.raises(MoveError, match="5 is no outcome of chance here; there are 0, 2, 75, 78"):
        node.child(5)
    node = node.sample(1)
    with pytest.raises(MoveError, match="seat 0 decides"):
        node.sample(1)
    with pytest.raises(MoveError, match="is not legal here; legal are: draw"):
        node.child(80)
    with pytest.raises(MoveError, match="there is no seat 2; there are 2"):
        node.information_state(2)
    with pytest.raises(SettingsError, match="12 numbers, more than the 3 rows"):
        node.workspace.describer.write_rows(node.information(0), np.zeros((3, COLUMNS), np.float32))
    with pytest.raises(SettingsError, match="points, win or rank"):
        root_node("auruxxx", reward=lambda points: points)  # type: ignore[arg-type]
