"""The commands of ``vr-evals`` and their functions."""
