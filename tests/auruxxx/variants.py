"""Settings for tests of what holds in every game."""

from goldgriff.envs.auruxxx.rules import Settings

BOX = Settings(num_players=4)
SMALL = Settings(
    num_players=3,
    colours=2,
    highest_number=3,
    hand_size=3,
    golden_twelves=4,
    edition="italian",
    blessing_draws="all",
    after_action="lay",
    max_decisions=60,
)
SHORT = Settings(num_players=2, hand_size=2, rounds=2, golden_twelves=5, max_decisions=20)
WEB = Settings(num_players=3, hand_size=5, edition="web")

VARIANTS = {"box": BOX, "small": SMALL, "short": SHORT, "web": WEB}
