"""The comparison with other libraries: `python -m benchmarks`, from a checkout."""
