"""Ratings of agents over many games: Plackett-Luce and alpha-rank."""
