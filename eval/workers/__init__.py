"""Work in several processes: tournaments, sweeps, and Ray."""
