"""A person at the table: sessions, what happened in words, hints, the page in the browser."""

if __name__ != "goldgriff.play":
    raise ImportError(f"import this package as goldgriff.play, not as {__name__}")
