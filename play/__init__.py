"""Games with a person: sessions, event logs, hints, the terminal and the page in the browser."""

if __name__ != "goldgriff.play":
    raise ImportError(f"import this package as goldgriff.play, not as {__name__}")
