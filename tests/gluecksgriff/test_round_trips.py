"""Games go on alike from a position."""

import random

import pytest

from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.rules import Settings
from goldgriff.envs.match import Match

from ..envs.playing import random_play, started
from .variants import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
def test_games_go_on_alike_from_a_position(variant: Settings) -> None:
    """The same moves mean the same from a position as in the game it was taken from."""
    rng = random.Random(5)
    for seed in range(30):
        match, again = started(GLUECKSGRIFF, variant, seed), Match(GLUECKSGRIFF, variant)
        list(random_play(match, rng.randrange(40), seed))
        while not match.over:
            again.start(3, match.position())
            quiet = [m for m in match.legal if m.split()[0] in ("lay", "add", "run", "low", "high")]
            if not quiet:
                break
            move = rng.choice(quiet)
            match.play(move)
            again.play(move)
            if match.state.round_ended:
                break
            assert again.position() == match.position(), move
            assert again.legal == match.legal, move
