"""The rollouts: how moves are tried, what is remembered of it, what the network makes of it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from goldgriff.agents.checkpoints import load_network, save_network
from goldgriff.agents.network import ActionValueNetwork
from goldgriff.agents.registry import load_agent
from goldgriff.agents.value import UNIT, win_probabilities
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.kernels import Masks, RawObservations, Rows
from goldgriff.envs.policy import ObservationBatch
from goldgriff.envs.self_play import LEARNER
from goldgriff.train.buffers import ActionValueBuffer
from goldgriff.train.rollout import Rollout, RolloutSettings, Weighed
from goldgriff.train.tables import Tables

from .small import new_tables, random_moves

EXPERT = load_agent("expert", AURUXXX)
SMALL: dict[str, Any] = {
    "n_envs": 8,
    "n_steps": 12,
    "batch_size": 8,
    "buffer_size": 64,
    "hidden": [24],
    "critic_hidden": [24],
    "base_policy_timesteps": 0,
}


def new_learner(*players: int, **more: Any) -> Rollout:
    """A learner at eight tables of one round, the expert in some seats."""
    tables = new_tables(*players, rounds=1, fixed_opponents=[EXPERT])
    learner = Rollout(tables, RolloutSettings(**(SMALL | more)))
    learner.begin()
    return learner


def first_legal(_: RawObservations, legal: Masks) -> Rows:
    moves: Rows = legal.argmax(axis=1)
    return moves


def choices_at(tables: Tables) -> NDArray[np.bool_]:
    choices: NDArray[np.bool_] = tables.observe()[1] == 1
    return choices


@pytest.mark.parametrize("turns", [1, 3, 1000])
def test_moves_are_tried_in_copies_as_at_the_table(turns: int) -> None:
    """Decision by decision it comes to the same, whether the round or the try ends first."""
    tables = new_tables(2, 3, count=6, rounds=2, fixed_opponents=[EXPERT])
    for number in tables.pool.members:
        tables.pool.members[number] = EXPERT
    rng, ended, went_on, learners = np.random.default_rng(1), 0, 0, 0
    while (tables.column("round_index") == 0).any():  # by now everybody has points
        tables.step(random_moves(tables.observe()[1], rng))
    choices = choices_at(tables)
    before = [group.batch.states.tobytes() for group in tables.groups]
    led = tables.roll_out_rounds(choices, first_legal, turns, lead=10.0)
    assert before == [group.batch.states.tobytes() for group in tables.groups]
    for place, (table, action) in enumerate(zip(*choices.nonzero(), strict=True)):
        group, row = tables.groups[table // 3], table % 3
        game = group.batch.copy(np.array([row]))
        seat, start = int(game.current_players[0]), int(game.games["round_index"][0])
        had, left = game.points()[0, seat], turns
        game.step([action])
        while not game.over[0] and game.games["round_index"][0] == start:
            raw, legal = game.observe(game.current_players)
            left -= int(game.current_players[0] == seat and legal.sum() > 1)
            if not left:
                break
            learns = group.seating[row, game.current_players[0]] == LEARNER
            learners += int(learns)
            observations = ObservationBatch(AURUXXX, raw, legal, np.zeros(1, np.uint64))
            game.step(first_legal(raw, legal) if learns else EXPERT.act(observations))
        assert led.goes_on[place] == (left == 0)
        if left == 0:
            assert (led.raw[went_on] == game.observe([seat])[0][0]).all()
            hands = game.hidden_hands([seat], others=tables.seats - 1)
            assert (led.hands[went_on] == hands[0]).all()
            others = np.delete(group.seating[row], seat)
            assert led.members[went_on] == max(others)
            went_on += 1
            continue
        assert led.points[place] == game.points()[0, seat] - had
        if game.over[0]:
            wanted = game.win_shares()[0, seat]
        else:
            wanted = win_probabilities(game.points(), np.array([1]), 10.0)[0, seat]
        assert led.chance[place] == pytest.approx(wanted)
        ended += 1
    assert (ended > 8) == (turns == 1000)
    assert (went_on > 8) == (turns < 1000)
    assert learners > 8


def test_chances_by_score() -> None:
    points = np.array([[10.0, 20.0, 30.0], [10.0, 20.0, 30.0], [5.0, 5.0, 5.0]])
    probabilities = win_probabilities(points, np.array([1, 4, 2]), lead=10.0)
    assert probabilities.sum(axis=1) == pytest.approx(1.0)
    assert probabilities[0, 0] / probabilities[0, 1] == pytest.approx(
        np.e
    )  # ten points less, a round to go
    assert probabilities[1, 0] / probabilities[1, 2] == pytest.approx(
        np.e
    )  # four rounds: as twice the points
    assert probabilities[2] == pytest.approx(1 / 3)
    far = win_probabilities(np.array([[0.0, 1e6]]), np.array([1]), 1.0)
    assert far.tolist() == [[1.0, 0.0]]
    over = win_probabilities(np.array([[3.5, 9.0, 3.5, np.inf]]), np.array([0]), 10.0)
    assert over.tolist() == [[0.5, 0.0, 0.5, 0.0]]  # the winners share; nobody sits in the last


def test_the_newest_tries_are_remembered() -> None:
    tries = ActionValueBuffer(4, 3, 2, torch.device("cpu"))
    for worth in range(3):  # of each two decisions, the first with three moves, then with one
        decisions, moves = np.array([0, 0, 0, 1]), np.array([0, 1, 2, 0])
        numbers = torch.full((4, 2), worth, dtype=torch.uint8)
        tries.add(decisions, moves, numbers, torch.full((4,), float(worth)))
    assert tries.seen == 6
    assert tries.filled == 4
    assert tries.worths[:, 0].tolist() == [2.0, 2.0, 1.0, 1.0]
    assert tries.numbers[:, 0, 1].tolist() == [2, 2, 1, 1]
    assert tries.tried.sum(dim=1).tolist() == [3, 1, 3, 1]
    again = ActionValueBuffer(4, 3, 2, torch.device("cpu"))
    again.restore(tries.state())
    assert again.seen == 6
    assert (again.worths == tries.worths).all()
    again.add(np.array([0]), np.array([1]), numbers[:1], torch.ones(1))
    assert again.tried[2].tolist() == [False, True, False]  # what was there is gone


def test_the_advised_move_is_always_tried_and_never_too_many() -> None:
    learner, rng = new_learner(3, moves=3), np.random.default_rng(1)
    legal = (rng.random((200, 87)) < 0.1).astype(np.int8)
    legal[:, :2] = 1
    worths = np.where(legal == 1, rng.normal(size=legal.shape), -np.inf).astype(np.float32)
    advised = random_moves(legal, rng)
    picked = learner._pick(Weighed(worths, advised), legal)
    rows = np.arange(200)
    assert (legal[picked] == 1).all()
    assert picked[rows, advised].all()
    assert (picked.sum(axis=1) == np.minimum(3, legal.sum(axis=1))).mean() > 0.95
    best = worths.argmax(axis=1)
    assert picked[rows, best].mean() > 0.9  # but where advised and random are two others
    other = (rows[:, None] * 0 + worths.argsort(axis=1))[:, 60:]
    assert picked[rows[:, None], other].any()


def test_what_is_done_at_random_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the luck is 0, once in so many million numbers."""
    learner = new_learner(3)
    monkeypatch.setattr(learner, "_draw", lambda count: np.zeros(count, np.float32))
    legal = np.eye(5, dtype=np.int8)
    assert (learner._noise(legal).argmax(axis=1) == np.arange(5)).all()


def test_only_differences_between_the_moves_of_a_decision_are_learnt() -> None:
    learner = new_learner(2)
    rng = torch.Generator().manual_seed(1)
    numbers = torch.randint(0, 9, (16, 4, learner.tries.numbers.shape[2]), generator=rng)
    numbers = numbers.to(torch.uint8)
    filled = torch.rand(16, 4, generator=rng) < 0.7
    filled[:, 0] = True
    with torch.no_grad():
        worths = learner.net(numbers) + torch.rand(16, 1, generator=rng)
        right = learner._error(numbers, filled, worths)
        worths[3, 0] += 1.0
        filled[3, 1] = True
        wrong = learner._error(numbers, filled, worths)
        unseen = torch.where(filled, worths, 99.0)
        assert torch.equal(learner._error(numbers, filled, unseen), wrong)
    assert float(right) == pytest.approx(0, abs=1e-9)
    assert float(wrong) > 0.001


def test_what_turns_out_well_is_done() -> None:
    """Told that the first number decides, the network learns to go by it."""
    learner = new_learner(2, batch_size=64, learning_rate=0.01)
    width = learner.tries.numbers.shape[2]
    rng = torch.Generator().manual_seed(1)
    for _ in range(8):
        numbers = torch.randint(0, 2, (32, width), generator=rng).to(torch.uint8)
        decisions, moves = np.arange(32) // 4, np.arange(32) % 4
        noise = torch.randn(8, generator=rng).repeat_interleave(4)
        learner.tries.add(decisions, moves, numbers, numbers[:, 0].float() + noise)
    losses = [learner._learn(64 * 20) for _ in range(5)]
    assert losses[-1] < 0.1 * losses[0]
    wish = learner.tries.numbers[0, 0].clone()
    with torch.no_grad():
        wish[0] = 0
        low = float(learner.net(wish))
        wish[0] = 1
        assert float(learner.net(wish)) - low == pytest.approx(1.0, abs=0.4)


def test_the_adviser_plays_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until its steps are over, and nothing is tried so long."""
    learner = new_learner(2, 4, base_policy_timesteps=1, explore=0.0)
    tables, differs = learner.envs, [0]
    step = tables.step

    def stepped(actions: Rows) -> Any:
        observations = ObservationBatch(AURUXXX, *tables.observe(), np.zeros(8, np.uint64))
        differs[0] += int((actions != EXPERT.act(observations)).sum())
        return step(actions)

    monkeypatch.setattr(tables, "step", stepped)
    learner.update()
    assert (differs[0], learner.tries.seen) == (0, 0)
    learner.update()
    assert differs[0] > 0
    assert learner.tries.seen > 8


def test_what_a_round_brings() -> None:
    """Every seat is paid when a round ends: what the win by the scores is worth, less points."""
    tables = new_tables(2, 3, count=6, rounds=2, fixed_opponents=[EXPERT])
    learner = Rollout(tables, RolloutSettings(**SMALL, win_bonus=100.0, lead=10.0))
    rng, rounds, games = np.random.default_rng(1), 0, 0
    for _ in range(900):
        before = tables.column("round_index")
        _, over = tables.step(random_moves(tables.observe()[1], rng))
        brought, ended = learner.rounds.scored()
        assert (ended == (over | (tables.column("round_index") != before))).all()
        assert (brought[~ended] == 0).all()
        for row in np.flatnonzero(ended & ~over):
            group, seats = tables.groups[row // 3], 2 + row // 3
            totals = group.batch.points()[row % 3]
            chance = win_probabilities(totals[None], np.array([1]), 10.0)[0]
            assert brought[row, :seats] * UNIT == pytest.approx(100 * chance - totals, abs=1e-3)
            rounds += 1
        for place, row in enumerate(tables.scored.tables):
            if over[row]:
                totals = tables.scored.totals[place]
                shares = (totals == totals.min()) / (totals == totals.min()).sum()
                seats = 2 + row // 3
                wanted = 100 * shares[:seats] - tables.scored.points[place, :seats]
                assert brought[row, :seats] * UNIT == pytest.approx(wanted, abs=1e-3)
                games += 1
    assert rounds > 8
    assert games > 8


def test_a_try_is_worth_what_the_scores_say_or_else_the_critic() -> None:
    """Judged by a critic that always says 3."""
    tables = new_tables(3, count=6, rounds=2, fixed_opponents=[EXPERT])
    learner = Rollout(tables, RolloutSettings(**SMALL, win_bonus=100.0))
    with torch.no_grad():
        learner.rounds.critic.head.weight.zero_()
        learner.rounds.critic.head.bias.fill_(3.0)
    rng = np.random.default_rng(1)
    for _ in range(40):
        tables.step(random_moves(tables.observe()[1], rng))
    led = tables.roll_out_rounds(choices_at(tables), first_legal, 40, lead=11.0)
    worths = learner.rounds.worths_of(led)
    assert led.goes_on.any()
    assert not led.goes_on.all()
    assert (worths[led.goes_on] == 3.0).all()
    scored = 100 * led.chance - led.points
    assert worths[~led.goes_on] * UNIT == pytest.approx(scored[~led.goes_on], rel=1e-5)


def test_the_critic_is_told_whom_the_learner_meets() -> None:
    """One-hot: a self of now or then, or which of the rivals."""
    rivals = [EXPERT, load_agent("hoarder", AURUXXX), EXPERT]
    tables = new_tables(2, 4, count=40, self_play=0.3, fixed_opponents=rivals)
    learner = Rollout(tables, RolloutSettings(**SMALL | {"n_envs": 40}))
    told = learner.rounds.tell(*tables.observe()[:1], tables.hidden_hands(), tables.members())
    met = told[:, learner.description.state_spec.size :].numpy()
    assert met.shape == (40, 3)
    for row in range(40):
        seating = tables.groups[row // 20].seating[row % 20]
        sits = [tables.pool.members.get(int(number)) for number in seating]
        names = [rival in sits for rival in rivals[:2]]
        assert met[row].tolist() == [not any(names), *names]
    assert (met.sum(axis=0) > 3).all()
    assert learner.critic.scale.shape == told.shape[1:]


def test_judgements_are_told_whom_the_learner_meets() -> None:
    """Tries and seats, judged by a critic that says nothing but the kind that it is told."""
    rivals = [EXPERT, load_agent("hoarder", AURUXXX)]
    tables = new_tables(3, count=24, self_play=0.3, fixed_opponents=rivals)
    learner = Rollout(tables, RolloutSettings(**SMALL | {"n_envs": 24}))
    critic = learner.rounds.critic
    with torch.no_grad():
        for layer in critic.layers:
            layer.weight.zero_()
            layer.bias.zero_()
        critic.layers[0].weight[0, -3:] = torch.arange(3.0)
        critic.head.weight[0, 0] = 1.0
    kinds = tables.pool.kinds_of(tables.members())
    assert set(kinds) == {0, 1, 2}
    for seat in range(3):
        assert (learner.rounds.judge_seat(seat) == kinds).all()
    choices = choices_at(tables)
    led = tables.roll_out_rounds(choices, first_legal, 1, lead=11.0)
    wanted = kinds[choices.nonzero()[0]][led.goes_on]
    assert (learner.rounds.worths_of(led)[led.goes_on] == wanted).all()
    assert len(wanted) > 24


def test_a_player_keeps_the_critic_as_among_the_first_rival(tmp_path: Path) -> None:
    """In a file, too; a search asks it."""
    rivals = [EXPERT, load_agent("hoarder", AURUXXX)]
    tables = new_tables(3, count=24, fixed_opponents=rivals)
    learner, path = Rollout(tables, RolloutSettings(**SMALL | {"n_envs": 24})), tmp_path / "one"
    raw, hands = tables.observe()[0], tables.hidden_hands()
    judge, member = learner.rounds.judge, np.zeros(24, np.int64)
    wanted = judge(learner.rounds.tell(raw, hands, member))
    assert (wanted != judge(learner.rounds.tell(raw, hands, member + 1))).all()
    save_network(path, learner.export(), AURUXXX, {})
    player = load_network(path, AURUXXX)
    assert isinstance(player, ActionValueNetwork)
    assert player.critic
    assert player.critic.judge(raw, hands) == pytest.approx(wanted, abs=1e-5)
    assert player.critic.stakes == (learner.settings.win_bonus, learner.settings.lead)


def test_the_critic_learns_what_it_is_told() -> None:
    """Told that its cards are what a round costs, it says so of tables it has not seen, too."""
    learner = new_learner(2, n_steps=100, critic_learning_rate=3e-3, batch_size=32)
    size = learner.description.state_spec.start("sizes")
    seen, unseen = (learner._roll_out()[0] for _ in range(2))
    for _ in range(20):
        learner._learn_to_judge(seen, -seen[:, size].float())
    with torch.no_grad():
        wrong = learner.critic(unseen) + unseen[:, size]
    assert float(wrong.square().mean()) < 0.1 * float(unseen[:, size].float().var())


def test_tries_are_judged_by_a_moving_average_of_the_critic() -> None:
    learner, seen = new_learner(2, base_policy_timesteps=10_000, critic_ema_decay=0.75), []
    for _ in range(3):
        learner.update()
        seen.append(learner.critic.head.weight.detach().clone())
    wanted = 0.75 * (0.75 * seen[0] + 0.25 * seen[1]) + 0.25 * seen[2]
    assert torch.allclose(learner.rounds.critic.head.weight, wanted)
    assert not torch.allclose(learner.critic.head.weight, wanted)


def test_the_player_takes_what_the_network_likes_best(tmp_path: Path) -> None:
    learner = new_learner(3, 4)
    learner.update()
    raw, legal = learner.envs.observe()
    observations = ObservationBatch(AURUXXX, raw, legal, np.zeros(8, np.uint64))
    player, best = learner.export(), learner._decide(raw, legal)
    liked = np.where(legal == 1, player.logits(observations), -np.inf)
    assert (liked.argmax(axis=1) == best).all()
    path = tmp_path / "policy.safetensors"
    save_network(path, player, AURUXXX, {})
    again = load_agent(str(path), AURUXXX)
    assert (again.act(observations) == player.act(observations)).all()
    assert learner.state()["tries"]["seen"] == learner.tries.seen > 0
