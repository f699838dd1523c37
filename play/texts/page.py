"""What the page in the browser says beside cards, moves and events."""

TEXTS: dict[str, tuple[str, str]] = {}
