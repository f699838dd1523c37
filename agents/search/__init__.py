"""Players that think before they move: tree search on sampled worlds."""
