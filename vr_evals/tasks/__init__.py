"""The tasks, for ``inspect eval``."""
