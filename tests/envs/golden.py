"""Golden games: whole games written out move by move, for people to check and tests to replay.

`python -m tests.envs.golden` from the root of the repository writes them anew, which is right only
when the rules were meant to change.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldgriff.agents.registry import load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.envs.policy import ObservationBatch

TESTS = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class GoldenGame:
    """A game to write down; `players` has an (e)xpert or (r)andom for each seat."""

    game: Game
    name: str
    settings: dict[str, Any]
    players: str

    @property
    def file(self) -> Path:
        (folder,) = TESTS.glob(f"**/{self.game.name}/golden")
        return folder / f"{self.name}.txt"


SMALL_DECK = {
    "num_players": 3, "rounds": 2, "hand_size": 4, "colours": 2, "highest_number": 5,
    "golden_twelves": 2, "blessings": 1, "steals": 1, "swaps": 1,
}  # fmt: skip
EFFECTS = ("plain", "joker", "sit_out", "draw", "look", "swap")
BLANKS = [
    {"name": effect, "points": 5 + place, "effect": effect, "amount": 2}
    for place, effect in enumerate(EFFECTS)
]
FORCED = {"last_turn": "forced"}  # games from before last turns could be declined
GAMES = (
    GoldenGame(AURUXXX, "two_experts", {"num_players": 2, "rounds": 2}, "ee"),
    GoldenGame(AURUXXX, "box", {"num_players": 4}, "erer"),
    GoldenGame(AURUXXX, "six_players", {"num_players": 6, "rounds": 1}, "eereer"),
    GoldenGame(AURUXXX, "italian", {"num_players": 3, "rounds": 1, "edition": "italian"}, "ere"),
    GoldenGame(AURUXXX, "capped", {"num_players": 3, "rounds": 2, "max_decisions": 60}, "rrr"),
    GoldenGame(AURUXXX, "small_deck", SMALL_DECK, "rer"),
    GoldenGame(GLUECKSGRIFF, "two_experts", {**FORCED, "num_players": 2, "point_limit": 30}, "ee"),
    GoldenGame(GLUECKSGRIFF, "box", {**FORCED, "num_players": 4}, "eeer"),
    GoldenGame(
        GLUECKSGRIFF,
        "options",
        {
            **FORCED,
            "num_players": 5,
            "bluffing": True,
            "penalties": True,
            "late_knock": 30,
            "magic_hands": 3,
        },
        "rrerr",
    ),
    GoldenGame(
        GLUECKSGRIFF,
        "blanks",
        {**FORCED, "num_players": 4, "point_limit": 150, "blanks": BLANKS},
        "erer",
    ),
    GoldenGame(
        GLUECKSGRIFF,
        "tiny_pile",
        {**FORCED, "num_players": 3, "copies": 2, "highest_value": 7, "hand_size": 5},
        "rer",
    ),
    GoldenGame(GLUECKSGRIFF, "last_turns", {"num_players": 4}, "rerr"),
    GoldenGame(
        GLUECKSGRIFF,
        "other_readings",
        {
            "num_players": 3,
            "jokers": 8,
            "hourglasses": 8,
            "magic_hands": 3,
            "bluffing": True,
            "fend_off": "turn",
            "challenge_prize": "both",
            "joker_knock": "wide",
        },
        "rrr",
    ),
)


def describe_auruxxx(match: Match) -> list[str]:
    position = match.position()
    parts = [f"top {position['discard'][-1]}", f"pile {len(position['pile'])}"]
    if position["demand"]:
        parts.append(f"demand {position['demand']}")
    if any(position["crosses"]):
        parts.append("crosses " + " ".join(map(str, position["crosses"])))
    if position["figure"] is not None:
        parts.append(f"figure player_{position['figure']}")
    return parts


def describe_gluecksgriff(match: Match) -> list[str]:
    position = match.position()
    size = position["last_play"] + position["laid"]
    lying = position["discard"][-size:] if size else []
    parts = [
        ("run " if position["run"] else "on top ") + (" ".join(lying) or "nothing"),
        f"pile {len(position['pile'])}",
    ]
    parts += [
        f"{name} " + " / ".join(card or "-" for card in position[name])
        for name in ("front", "open")
        if any(position[name])
    ]
    if position["caller"] is not None:
        parts.append(f"called by player_{position['caller']}")
    return parts


DESCRIBE: dict[Game, Callable[[Match], list[str]]] = {
    AURUXXX: describe_auruxxx,
    GLUECKSGRIFF: describe_gluecksgriff,
}


def describe(match: Match) -> str:
    """All that lies open, and the hands, in one line."""
    position = match.position()
    parts = DESCRIBE[match.game](match)
    parts.append("hands " + " / ".join(" ".join(hand) or "-" for hand in position["hands"]))
    parts.append(f"next player_{position['current_player']} {position['phase']}")
    if match.state.round_ended:
        parts.append("round over, scores " + " ".join(f"{score:g}" for score in match.scores))
    return " | ".join(parts)


def playthrough(match: Match, moves: Sequence[str]) -> list[str]:
    """Play moves from the start of a table on; a line for the start and one for each move."""
    lines = [describe(match)]
    for move in moves:
        current_player = match.current_player
        match.play(move)
        lines.append(f"player_{current_player} {move} -> {describe(match)}")
    return lines


def choose_moves(golden: GoldenGame, seed: int) -> list[str]:
    """Let the players play the whole game; the names of their moves."""
    names = {"e": "expert", "r": "random"}
    policies = [load_agent(names[kind], golden.game) for kind in golden.players]
    match = Match(golden.game, golden.game.settings.from_dict(golden.settings))
    match.start(seed)
    words = derive_seeds(seed, 10_000)
    while not match.over:
        word = words[len(match.moves), None]
        observations = ObservationBatch(golden.game, match.raw[None], match.mask[None], word)
        match.play(int(policies[match.current_player].act(observations)[0]))
    return [golden.game.actions[action] for action in match.moves]


def main() -> None:
    for seed, golden in enumerate(GAMES, start=1):
        match = Match(golden.game, golden.game.settings.from_dict(golden.settings))
        moves = choose_moves(golden, seed)
        match.start(seed)
        lines = playthrough(match, moves)
        golden.file.write_text("\n".join([match.record(), *lines]) + "\n")


if __name__ == "__main__":
    main()
