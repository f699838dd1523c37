"""Training: self-play on the vectorised environment."""

if __name__ != "goldgriff.train":
    raise ImportError(f"import this package as goldgriff.train, not as {__name__}")
