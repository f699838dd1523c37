"""The page in the browser: a small server on loopback, and what it serves."""
