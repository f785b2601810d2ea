"""Estimators: numbers in, numbers out; one module an idea, and each formula in one place only.

Nothing here knows of Inspect or of data frames. numpy and scipy are imported where they are used,
so importing these modules costs next to nothing.
"""
