"""Changes to what a process finds, for one test."""

from importlib import import_module

import pytest

__all__ = ["find_instead"]


def find_instead(monkeypatch: pytest.MonkeyPatch, function: str, name: str, found: object) -> None:
    """Let a function find something else for one name.

    For all others it finds what there is: what is imported for the first time may ask too.
    """
    module, _, attribute = function.rpartition(".")
    real = getattr(import_module(module), attribute)
    monkeypatch.setattr(
        function, lambda asked, *more: found if asked == name else real(asked, *more)
    )
