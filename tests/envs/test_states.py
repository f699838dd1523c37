"""Copies of a match, and games that go on from sampled states."""

import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space

import goldgriff as gg
from goldgriff.envs.batch import derive_seeds
from goldgriff.errors import PositionError, RecordError, ResetError, SettingsError

GAMES = ("auruxxx", "gluecksgriff")


def started(game: str, decisions: int = 25, **settings: Any) -> gg.Match:
    match = gg.Match(game, {"num_players": 3, **settings})
    match.start(7)
    play_on(match, 1, decisions)
    return match


def play_on(match: gg.Match, seed: int, decisions: int = 10**6) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        if match.over:
            return
        match.act(int(rng.choice(np.flatnonzero(match.mask))))


def outcome(match: gg.Match) -> Any:
    events = match.events(1).tobytes()
    return match.record(), match.scores, match.rewards.tolist(), match.mask.tolist(), events


@pytest.mark.parametrize("game", GAMES)
def test_a_clone_goes_on_as_the_match_would(game: str) -> None:
    match = started(game)
    before = outcome(match)
    twin = match.clone()
    assert outcome(twin) == before
    play_on(twin, 2)
    assert twin.over
    assert outcome(match) == before  # untouched
    play_on(match, 2)
    assert outcome(match) == outcome(twin)
    later = twin.clone()
    later.start(8)
    assert twin.over
    assert not later.over


def test_clones_part_ways_at_once() -> None:
    match = started("auruxxx")
    one, other = match.clone(), match.clone()
    first, *_, last = np.flatnonzero(match.mask).tolist()
    one.act(first)
    other.act(last)
    assert one.moves[:-1] == other.moves[:-1] == match.moves
    assert one.moves != other.moves
    assert (one.raw != other.raw).any()


@pytest.mark.parametrize("game", GAMES)
def test_sampled_states_are_played_on(game: str) -> None:
    match = started(game)
    seat = match.current_player
    states = match.sample_states(seat, derive_seeds(5, 6))
    batch = gg.Batch.from_states(game, match.settings, states, history=4)
    raw, masks = batch.observe(np.full(6, seat))
    assert (raw == match.raw).all()
    assert (masks == match.mask).all()
    worlds = [gg.Match.from_state(game, match.settings, state) for state in states]
    rng = np.random.default_rng(3)
    while not batch.over.any():
        assert batch.current_players.tolist() == [world.current_player for world in worlds]
        _, masks = batch.observe(batch.current_players)
        actions = (masks * rng.random(masks.shape)).argmax(axis=1)
        batch.step(actions)
        for action, world in zip(actions, worlds, strict=True):
            world.act(int(action))
    assert batch.points().tolist() == [world.scores for world in worlds]
    for row, world in enumerate(worlds):
        for other in range(3):
            seen = batch.observe_history(np.full(6, other))[row]
            assert (seen == world.events(other, 4).view(np.int32).reshape(4, -1)).all()
    assert len({state.tobytes() for state in batch.states}) == 6
    twin = worlds[0].clone()
    assert (twin.events(0) == worlds[0].events(0)).all()
    with pytest.raises(RecordError, match="from a state has no record"):
        twin.record()


def test_an_agent_plays_a_world_on() -> None:
    match = started("auruxxx")
    agent = gg.load_agent("expert", "auruxxx")
    (state,) = match.sample_states(match.current_player, derive_seeds(1, 1))
    world = gg.Match.from_state(match.game, match.settings, state)
    assert agent.act_on(world) == agent.act_on(match)  # the expert uses no chance here
    while not world.over:
        world.act(agent.act_on(world))
    assert sum(world.win_shares()) == pytest.approx(1)
    again = pickle.loads(pickle.dumps(state))
    assert gg.Match.from_state("auruxxx", match.settings, again).legal == match.legal


def test_states_that_do_not_fit_are_refused() -> None:
    match = started("auruxxx")
    state = match.sample_states(0, derive_seeds(1, 2))
    refused: list[tuple[Any, Any, Any, str]] = [
        ("gluecksgriff", None, state, "states must be those of Glücksgriff"),
        ("auruxxx", {"num_players": 4}, state, "of games with these settings"),
        ("auruxxx", {"num_players": 3, "rounds": 2}, state, "of games with these settings"),
        ("auruxxx", {"num_players": 3}, np.zeros(3), "states must be those of"),
        ("auruxxx", {"num_players": 3}, state, "from one state, not from 2"),
    ]
    for game, settings, states, message in refused:
        with pytest.raises(SettingsError, match=message):
            gg.Match.from_state(game, settings, states)
    with pytest.raises(PositionError, match="states must be whole"):
        gg.Batch.from_states("auruxxx", match.settings, match.information_state(0))


# --- The state of a PettingZoo environment, for centralised critics -------------------------------


def test_states_are_sampled_for_a_seat_by_random_bits_only() -> None:
    match = started("auruxxx")
    for bits in (5, [1, 2], derive_seeds(1, 4).reshape(2, 2), np.arange(3)):
        with pytest.raises(gg.SettingsError, match=r"^random_bits must be an array of uint64"):
            match.sample_states(0, bits)  # type: ignore[arg-type]
    with pytest.raises(gg.MoveError, match="seat must be from 0 to 2, not 4"):
        match.sample_states(4, derive_seeds(1, 4))


def test_a_match_shows_where_it_stands() -> None:
    match = gg.Match("auruxxx", {"num_players": 2, "rounds": 1})
    assert repr(match) == "Match(auruxxx, 2 players, not started)"
    assert len(match.events(0)) == 0
    assert repr(match.begin_again()) == repr(match)
    match.start(3)
    assert repr(match) == "Match(auruxxx, 2 players, round 1, 0 decisions)"
    while not match.over:
        match.play(match.legal[0])
    assert repr(match).endswith(f"round 1, {len(match.moves):,} decisions, over)")
    assert repr(gg.load_agent("expert", "auruxxx")) == "CompiledPolicy(auruxxx)"


@pytest.mark.parametrize("game", GAMES)
def test_the_state_is_what_all_agents_see(game: str) -> None:
    env = gg.make(gg.get_game(game), num_players=3)
    with pytest.raises(ResetError):
        env.state()
    env.reset(seed=3)
    state = env.state()
    assert state.dtype == np.float32
    assert env.state_space.contains(state)
    seen = [env.observe(agent)["observation"] for agent in env.possible_agents]
    assert (state == np.concatenate(seen)).all()
    hands = env.match.game.observation_spec.range("hand")
    held = state.reshape(3, -1)[:, hands]
    assert (held[0] != held[1]).any()


def test_pettingzoo_finds_no_fault_with_the_state() -> None:
    env = gg.make("auruxxx", num_players=2)
    env.reset(seed=1)
    check_state_space(env)
    moves = 0
    for _ in env.agent_iter(200):
        before = env.state()
        env.step(int(env.match.mask.argmax()))
        moves += not np.array_equal(before, env.state())
    assert moves == 200
    assert callable(check_state)
