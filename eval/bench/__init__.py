"""Decisions a second of every mode, measured beside other libraries in the same run."""
