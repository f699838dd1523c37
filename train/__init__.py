"""Training: self-play at many tables at once, players kept as they get better."""

if __name__ != "goldgriff.train":
    raise ImportError(f"import this package as goldgriff.train, not as {__name__}")
