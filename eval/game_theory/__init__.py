"""Game theory: whole game trees, exact solutions, best responses."""
