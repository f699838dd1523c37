"""Features of Auruxxx."""
