"""Grids of tasks: what they include, their folders, and running them."""
