"""A match with people: what it holds, its log, and hints."""
