"""The environments: `goldgriff.make("auruxxx_v0")`, or `goldgriff.envs.auruxxx_v0.env()`."""

if __name__ != "goldgriff.envs":
    raise ImportError(f"import this package as goldgriff.envs, not as {__name__}")


def make(): ...
