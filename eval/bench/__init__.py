"""Measure how fast the library is: decisions, playouts and training samples a second."""
