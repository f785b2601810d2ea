"""Tasks: each one can be typed after ``inspect eval``."""
