"""Players: by name, from a checkpoint, or a user's own class."""

if __name__ != "goldgriff.agents":
    raise ImportError(f"import this package as goldgriff.agents, not as {__name__}")
