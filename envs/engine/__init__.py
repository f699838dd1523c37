"""The engine that all games share: compilation, states, random streams, kernels, sampling."""
