"""Models that need no key."""
