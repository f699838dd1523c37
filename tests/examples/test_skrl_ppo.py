from .clients import run_example


def test_it_trains_a_policy_that_plays_legal_moves() -> None:
    outcome = run_example("skrl_ppo")
    assert outcome.timesteps >= 512
    assert (outcome.games, outcome.forfeits) == (4, 0)
