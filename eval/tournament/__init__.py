"""Tournaments: configuration, shards, the store, statistics, results."""
