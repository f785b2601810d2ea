"""The loopback server, for the tests that look at what is sent."""

from collections.abc import Iterator

import pytest

from tests.wire.server import Wire


@pytest.fixture(scope="session")
def _wire() -> Iterator[Wire]:
    wire = Wire()
    yield wire
    wire.close()


@pytest.fixture
def wire(_wire: Wire, monkeypatch: pytest.MonkeyPatch) -> Wire:
    """A server that has seen nothing yet; see :mod:`tests.wire.server`."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    _wire.reset()
    return _wire
