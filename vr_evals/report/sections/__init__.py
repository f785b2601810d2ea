"""The sections of the page, each a function of the results."""
