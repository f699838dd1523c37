"""Scripted players of Glücksgriff."""
