"""Agents that search before they act, in sampled states."""
