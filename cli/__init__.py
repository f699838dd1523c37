"""The command line: the command `goldgriff`, its options, its output, completion, and signals."""

if __name__ != "goldgriff.cli":
    raise ImportError(f"import this package as goldgriff.cli, not as {__name__}")
