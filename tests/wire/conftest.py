"""The loopback server, for the tests that look at what is sent."""

import logging
from collections.abc import Callable, Iterator

import pytest

from tests.wire.server import Wire

Told = Callable[[], list[str]]


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
    # keys that open nothing, for a service and for models that are made from a log
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "SERVICE_API_KEY"):
        monkeypatch.setenv(name, "dummy")
    _wire.reset()
    return _wire


@pytest.fixture
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inspect waits at least three seconds before it tries again."""

    async def at_once(seconds: float) -> None:
        return

    monkeypatch.setattr("inspect_ai.model._retry._sleep", at_once)


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Told:
    """What the user has been told so far of thinking and of flags."""
    caplog.set_level(logging.WARNING, "vr_evals.hooks")
    return lambda: [r.getMessage() for r in caplog.records if r.name == "vr_evals.hooks"]
