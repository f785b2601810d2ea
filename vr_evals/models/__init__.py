"""Models that need no API key."""
