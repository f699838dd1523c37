"""What decisions are worth: estimates by rollouts, and the perfect-information bound."""
