"""Evaluation: duplicate tournaments, their statistics and reports."""

if __name__ != "goldgriff.eval":
    raise ImportError(f"import this package as goldgriff.eval, not as {__name__}")
