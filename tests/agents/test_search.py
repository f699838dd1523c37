"""The search: blind to what is hidden, bound by its budget, legal, and able to see what is near."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.agents.network import Network
from goldgriff.agents.registry import AGENTS, load_agent, make_search
from goldgriff.agents.search import agent
from goldgriff.agents.search.agent import CHUNK, Search
from goldgriff.agents.search.tree import (
    NO_NODE,
    ROOT,
    SearchSettings,
    Tree,
    new_buffers,
    new_tree,
    search,
)
from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.determinization import uniform_weights
from goldgriff.envs.engine.game import GAMES, Game, get_game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.envs.policy import (
    CompiledPolicy,
    ObservationBatch,
    Policy,
    RandomPolicy,
    observation_batch,
)
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.envs.vector import SingleAgentVectorEnv
from goldgriff.errors import AgentError
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.matches import play_games

from ..envs.test_determinization import VARIANTS, positions, twin_of, variants
from ..players import First

BITS = np.uint64(7)
games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def expert(game: Game) -> Policy:
    return load_agent("expert", game)


def some_views(game: Game, rows: int, decisions: int = 12, **settings: Any) -> ObservationBatch:
    """What the movers of some games in their middle see and may know."""
    batch, rng = Batch(game, game.settings.from_dict(settings), rows), np.random.default_rng(1)
    batch.start(derive_seeds(1, rows))
    for _ in range(decisions):
        _, masks = batch.observe(batch.current_players)
        batch.step((masks * rng.random(masks.shape)).argmax(axis=1))
    return observation_batch(batch, np.arange(rows), derive_seeds(2, rows), information_states=True)


def reversed_rows(observations: ObservationBatch) -> ObservationBatch:
    return observations.take(np.arange(len(observations))[::-1])


def visits_of(policy: Search, observations: ObservationBatch, row: int = 0) -> NDArray[np.int64]:
    assert observations.information_states is not None
    return policy.visits(
        observations.game,
        observations.information_states[row : row + 1],
        observations.random_bits[row],
    )


# --- It knows no more than its seat -------------------------------------------------------------
@variants
def test_games_that_differ_in_what_is_hidden_are_searched_alike(variant: str) -> None:
    """Same action and same visits of every move; the true states differ in each pair."""
    rng, searched, policy = np.random.default_rng(1), 0, None
    for step, (match, _) in enumerate(positions(variant, 120, seed=11)):
        if step % 12 or match.mask.sum() == 1:
            continue
        policy = policy or Search(expert(match.game), iterations=60)
        batch = Batch(match.game, match.settings, 2)
        batch.states[0], batch.states[1] = (
            match._states[0],
            twin_of(match, match.current_player, rng)[0],
        )
        assert batch.states[0].tobytes() != batch.states[1].tobytes()
        observations = observation_batch(
            batch, np.arange(2), np.array([BITS, BITS]), information_states=True
        )
        one, other = policy.act(observations)
        assert one == other
        np.testing.assert_array_equal(
            visits_of(policy, observations, 0), visits_of(policy, observations, 1)
        )
        searched += 1
    assert searched >= 5


class Notebook:
    """Plays the first legal move and keeps what it was given."""

    wants_information_states = True

    def __init__(self) -> None:
        self.seen: list[ObservationBatch] = []

    def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
        self.seen.append(observations)
        return First().act(observations)


class Modest(Notebook):
    """The same without asking for information states."""

    wants_information_states = False


class Slow(Notebook):
    """The same, saying that it takes long."""

    slow = True


@games
def test_in_play_who_asks_is_given_the_hidden_game_and_nobody_else(game: Game) -> None:
    settings, asking, modest = game.settings.from_dict({"num_players": 3}), Notebook(), Modest()
    players = [Player("asking", asking), Player("modest", modest), Player("random", RandomPolicy())]
    seeds = derive_seeds(3, 2)
    outcomes = play_games(game, settings, players, np.array([[2, 0, 1]] * 2), seeds, batch_size=1)
    given = [observations.information_states for observations in asking.seen]
    match = Match(game, settings)
    for number, seed in enumerate(seeds):
        match.start(int(seed))
        for action in outcomes.actions[outcomes.starts[number] : outcomes.starts[number + 1]]:
            if match.current_player == 1:
                record = given.pop(0)
                assert record is not None
                assert (
                    record.tobytes()
                    == match.information_state(1).tobytes()
                    != match._states.tobytes()
                )
            match.act(int(action))
    assert not given
    assert modest.seen
    assert all(observations.information_states is None for observations in modest.seen)


@games
def test_a_slow_agent_is_asked_about_one_game_at_a_time(game: Game) -> None:
    settings, slow, quick = game.settings.from_dict({"num_players": 2}), Slow(), Notebook()
    players = [Player("slow", slow), Player("quick", quick)]
    play_games(game, settings, players, np.array([[0, 1]] * 4), derive_seeds(3, 4))
    assert {len(observations) for observations in slow.seen} == {1}
    assert max(len(observations) for observations in quick.seen) > 1


@games
def test_opponents_of_a_learner_are_given_the_hidden_game(game: Game) -> None:
    asking, modest = Notebook(), Modest()
    env = SingleAgentEnv.make(game, opponents=[asking, modest], num_players=3)
    env.reset(seed=1)
    # Nobody has moved since: the positions that the opponents saw are those of the replayed game.
    for _ in range(12):
        *_, over, _, _ = env.step(int(env.action_masks().argmax()))
        if over:
            break
    given = [observations.information_states for observations in asking.seen]
    match = Match(game, env.match.settings)
    match.start(int(env.match.state.seed))
    for action in env.match.moves:
        if match.current_player == 1:
            record = given.pop(0)
            assert record is not None
            assert (
                record.tobytes() == match.information_state(1).tobytes() != match._states.tobytes()
            )
        match.act(action)
    assert not given
    assert modest.seen
    assert all(observations.information_states is None for observations in modest.seen)


@games
def test_opponents_at_many_tables_are_given_the_hidden_games(game: Game) -> None:
    class Watching(Notebook):
        """Compares what it is given with the games as they stand."""

        def act(self, observations: ObservationBatch) -> NDArray[np.int64]:
            batch = env.games.batches[0]
            rows = np.arange(batch.num_games)
            known = observation_batch(
                batch, rows, np.zeros(len(rows), np.uint64), information_states=True
            ).information_states
            assert known is not None
            assert observations.information_states is not None
            assert {one.tobytes() for one in observations.information_states} <= {
                one.tobytes() for one in known
            }
            assert {one.tobytes() for one in batch.states}.isdisjoint(
                map(bytes, observations.information_states)
            )
            return super().act(observations)

    asking, modest = Watching(), Modest()
    env = SingleAgentVectorEnv.make(game, 3, opponents=[asking, modest], num_players=3)
    _, infos = env.reset(seed=1)
    for _ in range(6):
        *_, infos = env.step(infos["action_mask"].argmax(axis=1))
    assert asking.seen
    assert modest.seen
    assert all(observations.information_states is None for observations in modest.seen)


def test_without_information_states_it_cannot_search() -> None:
    observations = some_views(AURUXXX, 1)
    blind = ObservationBatch(
        observations.game, observations.raw, observations.masks, observations.random_bits
    )
    with pytest.raises(AgentError, match="a search needs information_states"):
        make_search(expert(AURUXXX)).act(blind)


# --- Its play -----------------------------------------------------------------------------------
@games
def test_a_decision_does_not_depend_on_the_batch(game: Game) -> None:
    observations, policy = some_views(game, 12), Search(expert(game), iterations=40)
    actions = policy.act(observations)
    assert observations.masks[np.arange(len(observations)), actions].all()
    assert (policy.act(reversed_rows(observations))[::-1] == actions).all()
    assert (Search(expert(game), iterations=40).act(observations) == actions).all()
    single = [
        int(policy.act(observations.take(np.array([row])))[0]) for row in range(len(observations))
    ]
    assert actions.tolist() == single


@games
def test_one_iteration_follows_the_base_policy(game: Game) -> None:
    """The prior decides while nothing is known; the experts take no chance."""
    observations = some_views(game, 12)
    actions = Search(expert(game), iterations=1).act(observations)
    assert (actions == expert(game).act(observations)).all()


def strange(game: Game) -> Network:
    """A network that likes the last legal action best of all, whatever it sees."""
    weight = np.zeros((len(game.actions), game.observation_spec.size), np.float32)
    return Network([(weight, np.arange(len(game.actions), dtype=np.float32))])


@games
def test_a_prior_policy_is_the_prior_of_the_decision_that_is_searched(game: Game) -> None:
    """The first iteration tries the action of the highest prior."""
    observations = some_views(game, 12)
    last = len(game.actions) - 1 - observations.masks[:, ::-1].argmax(axis=1)
    assert (Search(expert(game), prior=strange(game), iterations=1).act(observations) == last).all()
    assert (expert(game).act(observations) != last).any()
    probabilities = strange(game).action_probabilities(observations)
    assert probabilities.sum(axis=1) == pytest.approx(1)
    assert ((probabilities > 0) <= (observations.masks == 1)).all()


@variants
def test_a_prior_policy_sees_what_the_seat_sees(variant: str) -> None:
    """In a hidden record the network sees what it sees in the true game."""

    class Watched(Network):
        def action_probabilities(self, observations: ObservationBatch) -> NDArray[np.float64]:
            seen.append(observations.raw[0].copy())
            return super().action_probabilities(observations)

    seen: list[NDArray[np.uint8]] = []
    policy = None
    for step, (match, _) in enumerate(positions(variant, 60, seed=12)):
        if step % 12 or match.mask.sum() == 1:
            continue
        policy = policy or Search(
            expert(match.game), prior=Watched(strange(match.game).layers), iterations=1
        )
        policy.visits(match.game, match.information_state(match.current_player), BITS)
        np.testing.assert_array_equal(seen.pop(), match.raw)


@games
def test_other_random_bits_sample_other_states(game: Game) -> None:
    observations, policy = some_views(game, 12), Search(expert(game), iterations=40)
    free = int(np.argmax(observations.masks.sum(axis=1)))
    assert observations.information_states is not None
    record = observations.information_states[free : free + 1]
    tried = {policy.visits(game, record, np.uint64(bits)).tobytes() for bits in range(8)}
    assert len(tried) > 1


@variants
def test_it_plays_legally_to_the_end(variant: str) -> None:
    game, rules = VARIANTS[variant]
    short = {"rounds": 1} if game is AURUXXX else {"point_limit": 20}
    settings = game.settings.from_dict({**rules, **short})
    searches = Search(RandomPolicy(), iterations=3), Search(expert(game), iterations=1)
    players = [Player("one", searches[0]), Player("other", searches[1])]
    seating = np.arange(settings.num_players)[None] % 2
    outcomes = play_games(game, settings, players, seating, derive_seeds(5, 1))  # raises if illegal
    assert outcomes.decisions.min() > 0
    assert outcomes.win_shares.sum() == pytest.approx(1)


@games
def test_forced_moves_cost_no_search(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def search_anyway(*_: Any) -> None:
        raise AssertionError("it searched")

    monkeypatch.setattr(Search, "visits", search_anyway)
    observations = some_views(game, 6)
    forced = np.zeros_like(observations.masks)
    only = observations.masks.argmax(axis=1)
    forced[np.arange(len(observations)), only] = 1
    policy = make_search(expert(game))
    actions = policy.act(
        ObservationBatch(
            game,
            observations.raw,
            forced,
            observations.random_bits,
            observations.information_states,
        )
    )
    assert (actions == only).all()
    with pytest.raises(AssertionError, match="it searched"):
        policy.act(observations)


def ranked(
    game: Game, settings: dict[str, Any], position: dict[str, Any], *moves: str
) -> list[str]:
    """The legal moves after some others, by how often a search tries them; the first is played.

    It plays rounds out at random, so whatever it sees it sees in its tree.
    """
    players = len(position["hands"])
    match = Match(game, game.settings.from_dict({"num_players": players, **settings}))
    match.start(1, position)
    for move in moves:
        match.play(move)
    hidden = match.information_state(match.current_player)
    observations = ObservationBatch(
        game, match.raw[None], match.mask[None], np.array([BITS]), hidden
    )
    policy = Search(RandomPolicy(), iterations=4 * CHUNK)
    visits = policy.visits(game, hidden, BITS)
    order = sorted(np.flatnonzero(match.mask).tolist(), key=lambda action: -int(visits[action]))
    assert policy.act(observations)[0] == order[0]
    return [game.actions[action] for action in order]


BIG = [["r10", "b10", "g11", "y11", "v9"], ["r9", "b9", "g9", "y10", "v10"]]
LAST_ROUND = {AURUXXX: {"rounds": 1}, GLUECKSGRIFF: {"point_limit": 10}}


@pytest.mark.parametrize("others", [BIG[:1], BIG])
def test_it_takes_the_round_in_auruxxx(others: list[list[str]]) -> None:
    position = {"hands": [["gold"], *others], "discard": ["r5"]}
    assert ranked(AURUXXX, LAST_ROUND[AURUXXX], position)[0] == "lay gold"


def test_it_does_not_give_the_round_away_in_auruxxx() -> None:
    """Whoever gets a hand of one Golden 12 has won."""
    position = {"hands": [["gold", "swap"], BIG[0]], "discard": ["r5"]}
    assert ranked(AURUXXX, LAST_ROUND[AURUXXX], position)[-1] == "swap +1"


@pytest.mark.parametrize("others", [[["2"]], [["2"], ["1", "3"]]])
def test_it_takes_the_round_in_gluecksgriff(others: list[list[str]]) -> None:
    """Everybody is so near the limit that this round decides the game."""
    scores = [9, *[10] * len(others)]
    position = {"hands": [["5"], *others], "discard": ["5"], "scores": scores}
    assert ranked(GLUECKSGRIFF, LAST_ROUND[GLUECKSGRIFF], position, "lay 5")[0] == "knock"


def test_it_declines_a_last_turn_that_makes_a_call_wrong_as_it_is_in_gluecksgriff() -> None:
    """The 3 beats the caller's 5; a card drawn or the 9 in its place would seldom do so."""
    position = {"hands": [["3"], ["5"]], "discard": ["9"], "caller": 1, "turns_left": 1}
    assert ranked(GLUECKSGRIFF, LAST_ROUND[GLUECKSGRIFF], position)[0] == "decline"


def test_it_does_not_call_against_a_hand_that_it_knows_in_gluecksgriff() -> None:
    """With penalties a call is possible with any hand, and wrong against a better one."""
    hands = [["9", "12", "14"], ["0", "1"]]
    position = {"hands": hands, "discard": ["7"], "known": [[[], hands[1]], [[], []]]}
    settings = {"penalties": True, **LAST_ROUND[GLUECKSGRIFF]}
    assert ranked(GLUECKSGRIFF, settings, position)[-1] == "call"


# --- Its tree -----------------------------------------------------------------------------------
def grown(
    policy: Search,
    base_policy: CompiledPolicy,
    observations: ObservationBatch,
    row: int,
    count: int,
) -> Tree:
    """The tree of a search that is never stopped."""
    assert observations.information_states is not None
    game, hidden = observations.game, observations.information_states[row : row + 1]
    tree = new_tree(count, int(hidden["num_players"][0]))
    buffers = new_buffers(game, hidden)
    seat = int(hidden["current_player"][0])
    task = (hidden, seat, 0, count, observations.random_bits[row], uniform_weights(len(game.cards)))
    assert search(*task, tree, buffers, policy.settings, base_policy.policy_function)
    return tree


def children(tree: Tree, node: int) -> list[int]:
    found, child = [], int(tree.child[node])
    while child != NO_NODE:
        found.append(child)
        child = int(tree.sibling[child])
    return found


@games
@pytest.mark.parametrize("players", [2, 4])
def test_the_sums_of_a_tree_are_right(game: Game, players: int) -> None:
    observations = some_views(game, 4, num_players=players)
    for row in range(4):
        base_policy = RandomPolicy()
        tree = grown(Search(base_policy, iterations=1), base_policy, observations, row, 150)
        nodes = range(int(tree.used[0]))
        assert tree.visits[ROOT] == 150
        assert sum(tree.visits[child] for child in children(tree, ROOT)) == 150
        for node in nodes:
            below = children(tree, node)
            assert len({int(tree.action[child]) for child in below}) == len(below)
            assert sum(int(tree.visits[child]) for child in below) <= tree.visits[node]
            values = tree.value[node] / tree.visits[node]
            assert (values >= 0).all()
            assert values.sum() == pytest.approx(1)
            if node != ROOT:
                assert 1 <= tree.visits[node] <= tree.available[node]
        legal = set(np.flatnonzero(observations.masks[row]).tolist())
        assert {int(tree.action[child]) for child in children(tree, ROOT)} <= legal


@games
def test_it_stops_early_only_when_nothing_can_change(game: Game) -> None:
    observations, base_policy, stopped = some_views(game, 12), expert(game), 0
    assert isinstance(base_policy, CompiledPolicy)
    policy = Search(base_policy, iterations=3 * CHUNK)
    for row in np.flatnonzero(observations.masks.sum(axis=1) > 1):
        visits = visits_of(policy, observations, int(row))
        tree = grown(policy, base_policy, observations, int(row), 3 * CHUNK)
        whole = np.zeros_like(visits)
        for child in children(tree, ROOT):
            whole[tree.action[child]] = tree.visits[child]
        assert visits.argmax() == whole.argmax()
        stopped += int(visits.sum() < whole.sum())
        assert (visits == whole).all() or visits.sum() in (CHUNK, 2 * CHUNK)
    assert stopped > 0


class Ticking:
    """A clock that is a tenth of a second later whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        self.now += 0.1
        return self.now


@games
def test_a_budget_of_seconds_ends_the_search(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    observations = some_views(game, 4)
    for seconds, most in ((0.15, CHUNK), (1.0, 9 * CHUNK)):
        monkeypatch.setattr(agent, "time", Ticking())
        tried = visits_of(Search(RandomPolicy(), seconds=seconds), observations).sum()
        assert CHUNK <= tried <= most


@games
def test_a_full_tree_is_searched_on(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent, "MAX_NODES", 60)
    visits = visits_of(Search(RandomPolicy(), iterations=200), some_views(game, 1))
    assert visits.sum() > 100


def _out_of_range(raw: Any, mask: NDArray[np.int8], bits: np.uint64) -> int:  # noqa: ARG001
    return len(mask)


def _illegal(raw: Any, mask: NDArray[np.int8], bits: np.uint64) -> int:  # noqa: ARG001
    action = 0
    while mask[action] == 1:
        action += 1
    return action


@games
@pytest.mark.parametrize("decide", [_out_of_range, _illegal])
def test_an_illegal_base_policy_raises(game: Game, decide: Any) -> None:
    with pytest.raises(AgentError, match="base policy of the search chose an illegal action"):
        Search(CompiledPolicy(decide), iterations=5).act(some_views(game, 4))


# --- By name ------------------------------------------------------------------------------------
@games
def test_budgets_are_read_from_names(game: Game) -> None:
    for name, iterations, seconds in (
        ("search", 2000, 0.0),
        ("search@1", 1, 0.0),
        ("search@500", 500, 0.0),
        ("search@1s", 0, 1.0),
        ("search@0.25s", 0, 0.25),
    ):
        policy = load_agent(name, game)
        assert isinstance(policy, Search)
        assert (policy.iterations, policy.seconds) == (iterations, seconds)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        *(
            (f"search@{budget}", "unknown budget '.*'; give iterations, as in search@2000, or sec")
            for budget in (
                "",
                "x",
                "1.5",
                "-5",
                "1e3",
                "s",
                "1ss",
                "1 s",
                ".5s",
                "12345678",
                "nans",
            )
        ),
        ("search@0", "the budget of a search must be more than 0"),
        ("search@0.0s", "the budget of a search must be more than 0"),
        ("think@100", "unknown agent 'think@100'; give random, .*, search@BUDGET, the path"),
    ],
)
def test_a_name_that_is_no_budget_is_refused(name: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as refused:
        load_agent(name, AURUXXX)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "budget",
    [{}, {"iterations": 5, "seconds": 1.0}, {"iterations": -1}, {"seconds": -0.5},
     {"seconds": float("nan")}, {"iterations": "5"}, {"iterations": 5.0}, {"iterations": True}],
)  # fmt: skip
def test_it_wants_one_budget(budget: dict[str, Any]) -> None:
    with pytest.raises(AgentError, match="a budget above 0, either of iterations or of seconds"):
        Search(RandomPolicy(), **budget)


def test_its_numbers_may_be_numpys_and_are_numbers() -> None:
    settings = SearchSettings(c_puct=np.float64(0.5), score_temperature=40)
    budgets: list[dict[str, Any]] = [{"iterations": np.int64(5)}, {"seconds": np.float32(0.5)}]
    for budget in budgets:
        policy = Search(RandomPolicy(), **budget, settings=settings)
        read = policy.iterations, policy.seconds, *policy.settings
        assert [*map(type, read)] == [int, float, float, float, float]
    with pytest.raises(AgentError, match="the parameters of a search are numbers, not"):
        Search(RandomPolicy(), iterations=5, settings=SearchSettings._make("123"))


def test_only_compiled_policies_are_base_policies() -> None:
    with pytest.raises(AgentError, match="must be a CompiledPolicy"):
        Search(First(), iterations=5)


def test_the_command_line_knows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents"]) == 0
    shown = [line for line in capsys.readouterr().out.splitlines() if "search@" in line]
    assert len(shown) == sum(entry.name == "search" for entry in AGENTS) == len(GAMES)
    command = ["tournament", "auruxxx", "--agents", "search@soon", "random", "--players", "2"]
    assert main([*command, "--deals", "2"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "unknown budget 'soon'" in line


# --- Compiled or not ----------------------------------------------------------------------------
def tried(name: str) -> list[int]:
    """Visits of a small search."""
    observations = some_views(get_game(name), 1, decisions=30, num_players=2)
    visits: list[int] = visits_of(Search(RandomPolicy(), iterations=4), observations).tolist()
    return visits


def test_a_search_is_the_same_compiled_or_not(run_fresh: Callable[..., str]) -> None:
    code = "import tests.agents.test_search as t; print([t.tried(name) for name in t.GAMES])"
    assert run_fresh(code) == str([tried(name) for name in GAMES])
