"""Values of decisions, estimated by rollouts, and the perfect-information bound."""
