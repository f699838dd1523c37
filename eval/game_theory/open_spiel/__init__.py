"""Both games in OpenSpiel, its bots as agents, and agents as its bots; see the guide."""
