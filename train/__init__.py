"""Training by self-play: algorithms, opponent pool, evaluation, runs on disk."""

if __name__ != "goldgriff.train":
    raise ImportError(f"import this package as goldgriff.train, not as {__name__}")
