"""Play, and read stored games, in the terminal."""
