"""What all games share: games in lockstep, chance, text forms, tables, environments."""
