"""The look ahead: what actions are worth, whom the policy begins as, where its chances go."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from goldgriff.agents.checkpoints import save_network
from goldgriff.agents.ensemble import PlayerCountEnsemble
from goldgriff.agents.registry import load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch
from goldgriff.envs.engine.kernels import draw_random_bits
from goldgriff.envs.policy import CompiledPolicy, ObservationBatch
from goldgriff.errors import SettingsError
from goldgriff.train.lookahead import Lookahead, LookaheadSettings, Samples, _pull
from goldgriff.train.tables import Tables

from .small import new_tables, random_moves

EXPERT = load_agent("expert", AURUXXX)
SMALL: dict[str, Any] = {
    "tables": 8,
    "steps_per_table": 16,
    "batch_size": 64,
    "hidden": [24],
    "critic_hidden": [24],
}


def new_learner(*players: int, **more: Any) -> Lookahead:
    """A learner at eight tables of one round."""
    learner = Lookahead(new_tables(*players, rounds=1), LookaheadSettings(**(SMALL | more)))
    learner.begin()
    return learner


def choices_at(tables: Tables) -> NDArray[np.bool_]:
    _, masks = tables.observe()
    choices: NDArray[np.bool_] = (masks == 1) & (masks.sum(axis=1, keepdims=True) > 1)
    return choices


def tried_by_hand(batch: Batch, row: int, action: int, turns: int) -> tuple[float, Batch]:
    """The same, decision by decision in a copy of one game."""
    game = batch.copy(np.array([row]))
    seat, turn, earned = int(game.current_players[0]), 0, 0.0
    asked = np.zeros((1, game.settings.num_players), np.int64)
    game.step([action])
    while True:
        earned += float(game.rewards[0, seat])
        turn += int(game.current_players[0] == seat)
        if game.over[0] or turn == turns:
            return earned, game
        bits = np.empty(1, np.uint64)
        draw_random_bits(game.states, np.array([0]), asked, bits)
        game.step(EXPERT.act(ObservationBatch(AURUXXX, *game.observe(game.current_players), bits)))


@pytest.mark.parametrize("turns", [1, 4, 1000])
def test_actions_are_tried_in_copies_that_the_adviser_plays_on(turns: int) -> None:
    tables = new_tables(2, 3, count=6, rounds=1)
    rng = np.random.default_rng(1)
    assert isinstance(EXPERT, CompiledPolicy)
    checked = ended = 0
    for _ in range(12):
        choices = choices_at(tables)
        before = [group.batch.states.tobytes() for group in tables.groups]
        tried = tables.roll_out_turns(choices, turns, EXPERT.policy_function)
        assert before == [group.batch.states.tobytes() for group in tables.groups]
        for place, (table, action) in enumerate(zip(*choices.nonzero(), strict=True)):
            group = tables.groups[table // 3]
            earned, game = tried_by_hand(group.batch, table % 3, int(action), turns)
            seat = group.batch.current_players[table % 3]
            assert tried.earned[place] == pytest.approx(earned, abs=1e-6)
            assert tried.over[place] == game.over[0]
            raw, _ = game.observe([seat])
            np.testing.assert_array_equal(tried.raw[place], raw[0])
            hands = game.hidden_hands([seat], others=tables.seats - 1)
            np.testing.assert_array_equal(tried.hands[place], hands[0])
            checked, ended = checked + 1, ended + int(game.over[0])
        _, masks = tables.observe()
        tables.step(random_moves(masks, rng))
    assert checked > 100
    assert (ended == checked) if turns == 1000 else (0 <= ended < checked)


def test_nothing_is_pulled_where_nothing_is_to_choose() -> None:
    samples = new_learner(2, 4)._roll_out(imitating=False)
    pull, masks = samples.pull, samples.masks
    free = masks.sum(dim=1) > 1
    assert free.any()
    assert not free.all()
    assert (pull[~masks] == 0).all()
    assert (pull[~free] == 0).all()
    assert pull.sum(dim=1).abs().max() < 1e-5
    assert (pull[free].abs().sum(dim=1) > 0).float().mean() > 0.9


def test_a_step_in_which_nobody_has_a_choice_teaches_nothing() -> None:
    learner = new_learner(2)
    _, legal = learner.tables.observe()
    forced = np.zeros_like(legal)
    forced[:, 0] = 1
    assert (learner._weigh(forced, torch.zeros(forced.shape)) == 0).all()


def test_a_policy_that_begins_as_a_player_waits_for_its_critic(tmp_path: Path) -> None:
    first = new_learner(2)
    first.update()
    path = tmp_path / "policy.safetensors"
    save_network(path, first.player(), AURUXXX, {})
    second = new_learner(2, start=str(path), imitation_steps=128)
    critic = second.critic.head.bias.clone()
    for learnt in (False, True):
        second.update()
        for mine, given in zip(second.player().layers, first.player().layers, strict=True):
            if learnt:
                assert (mine[0] != given[0]).any()
            else:
                np.testing.assert_allclose(mine[0], given[0], rtol=1e-5)
        assert (second.critic.head.bias != critic).all()


def test_who_to_begin_as_must_fit(tmp_path: Path) -> None:
    path = tmp_path / "policy.safetensors"
    save_network(path, new_learner(2).player(), AURUXXX, {})
    with pytest.raises(SettingsError, match="must have layers of the shapes"):
        new_learner(2, start=str(path), hidden=[25])
    for start, adviser in (("random", "expert"), (str(path), "thief")):
        with pytest.raises(SettingsError, match=f"one trained network .* hears '{adviser}'"):
            new_learner(2, start=start, adviser=adviser)


def test_beginning_as_the_champion_is_beginning_as_its_network_for_these_tables() -> None:
    champion = load_agent("champion", AURUXXX)
    assert isinstance(champion, PlayerCountEnsemble)
    learner = new_learner(2, start="champion", hidden=[256, 256])
    for mine, given in zip(
        learner.player().layers, champion.for_num_players(2).layers, strict=True
    ):
        np.testing.assert_allclose(mine[0], given[0], rtol=1e-5)
    with pytest.raises(SettingsError, match="for all tables that hears 'expert', not 'champion'"):
        new_learner(2, 4, start="champion", hidden=[256, 256])
    with pytest.raises(SettingsError, match="'champion' is one that weighs moves one by one"):
        new_learner(4, start="champion", hidden=[256, 256])


def test_a_worth_is_what_was_earned_and_what_the_critic_sees_ahead() -> None:
    """Judged by a critic that always says 3, an action is worth that more if the game goes on."""
    learner = new_learner(2, temperature=0.0, discount=0.5, turns=4)
    with torch.no_grad():
        learner.critic.head.weight.zero_()
        learner.critic.head.bias.fill_(3.0)
        tables = learner.tables
        _, legal = tables.observe()
        choices = choices_at(tables)
        tried = tables.roll_out_turns(choices, 4, learner.adviser.policy.policy_function)
        worths = torch.zeros(choices.shape)
        worths[torch.from_numpy(choices)] = torch.from_numpy(
            tried.earned + np.where(tried.over, 0, 1.5).astype(np.float32)
        )
        even = torch.from_numpy(choices).float()
        even /= even.sum(dim=1, keepdim=True).clamp(min=1)
        pull = learner._weigh(legal, even.clamp(min=1e-9).log())
    torch.testing.assert_close(pull, _pull(worths, even), atol=1e-6, rtol=0)


def test_what_is_worth_more_than_expected_is_pulled_up_and_the_unlikely_less() -> None:
    worths = torch.tensor([[1.0, 2.0, 3.0, 9.0], [5.0, -5.0, 0.0, 0.0]])
    probabilities = torch.tensor([[0.5, 0.3, 0.2, 0.0], [0.998, 0.002, 0.0, 0.0]])
    pull = _pull(worths, probabilities)
    torch.testing.assert_close(pull[0], torch.tensor([-1.0, 0.0, 1.0, 0.0]))
    # A tenth of the usual chance: the blunder is pushed down a tenth as fast.
    loss = 10 * 0.998 / 10
    up = 10 * 0.002
    spare = (up - loss) / 1.1
    torch.testing.assert_close(pull[1], torch.tensor([up - spare, -loss - spare / 10, 0.0, 0.0]))


def test_the_temperature_pulls_towards_even_chances() -> None:
    learner = new_learner(2)
    _, legal = learner.tables.observe()
    masks = torch.from_numpy(legal).bool()
    logs = torch.rand(masks.shape).masked_fill(~masks, -1e8).log_softmax(dim=1)
    cold, warm = (
        new_learner(2, temperature=heat)._weigh(legal, logs).detach() for heat in (0.0, 1.0)
    )
    pull = (warm - cold)[masks.sum(dim=1) > 1]
    likely = logs[masks.sum(dim=1) > 1]
    for row, probabilities in zip(pull, likely, strict=True):
        legal_ones = probabilities > -1e7
        assert row[legal_ones].argmax() == probabilities[legal_ones].argmin()


def test_it_begins_by_doing_what_the_adviser_would() -> None:
    learner = new_learner(2, 4, learning_rate=0.01, imitation_steps=4096, hidden=[64])
    shares = []
    for _ in range(32):
        samples = learner._roll_out(imitating=True)
        assert (samples.pull == 0).all()
        with torch.no_grad():
            logs = learner._logs(samples.raw, samples.advice, samples.masks)
        shares.append(float((logs.exp() * samples.advice).sum(dim=1).mean()))
        learner.update()
    assert shares[0] < 0.6
    assert 0.75 < shares[-1] < 0.95  # on the way to 0.9, and 1 where a move is forced


def test_chances_move_with_the_worths_and_no_further_than_the_reach() -> None:
    learner = new_learner(2, 4, learning_rate=0.01, imitation_steps=0, reach=0.2)
    samples = learner._roll_out(imitating=False)
    free = samples.masks.sum(dim=1) > 1
    pull = torch.where(samples.advice.bool(), -1.0, 1.0) * samples.masks
    pull = pull - pull.sum(dim=1, keepdim=True) / samples.masks.sum(dim=1, keepdim=True)
    pull = pull * (samples.masks & free[:, None])
    against = samples._replace(pull=pull)

    def share(of: Samples) -> float:
        with torch.no_grad():
            logs = learner._logs(of.raw, of.advice, of.masks)
        return float((logs.exp() * of.advice).sum(dim=1)[free].mean())

    before = share(against)
    learner._learn(against, imitating=False)
    assert share(against) < before - 0.01
    logs = learner._logs(against.raw, against.advice, against.masks)
    far = against._replace(logs=logs.detach() - pull.sign())
    learner.optimizer.zero_grad()
    torch.autograd.backward(learner._move(far, logs, 1.0))
    weight = learner.policy.head.weight.grad
    assert weight is not None
    assert float(weight.abs().max()) == 0


def test_the_player_decides_by_what_it_sees_and_is_told() -> None:
    """The exported player says the same, though it is given no advice but asks for it."""
    learner = new_learner(3, 4, sharpness=1)
    samples = learner._roll_out(imitating=True)
    player = learner.player()
    assert player.base_policy is not None
    assert player.base_policy.name == "expert"
    raw = samples.raw[:8].numpy()
    masks = samples.masks[:8].numpy().astype(np.int8)
    observations = ObservationBatch(AURUXXX, raw, masks, np.zeros(8, np.uint64))
    told = torch.from_numpy(player.base_policy.one_hot_actions(observations))
    with torch.no_grad():
        logs = learner._logs(torch.from_numpy(raw), told, samples.masks[:8])
    np.testing.assert_allclose(player.probabilities(observations), logs.exp().numpy(), atol=1e-4)
    others = samples.hands.flip(0)
    with torch.no_grad():
        values = learner.critic(samples.raw, samples.hands)
        elsewhere = learner.critic(samples.raw, others)
    assert ((values - elsewhere).abs() > 1e-6).float().mean() > 0.5
