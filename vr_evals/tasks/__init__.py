"""Tasks, each one to be run with ``inspect eval``."""
