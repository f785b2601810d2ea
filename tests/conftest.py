"""What all tests share: no network, no key, no user's own cache or settings."""

import atexit
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import certifi
import pytest
import tiktoken
import tiktoken.registry
from hypothesis import settings
from inspect_ai.util import display_type
from rich.live import Live
from rich.syntax import Syntax

from tests.hub import Hub
from tests.log_tables import read_in_all_ways
from tests.processes import MARK, survivors
from tests.shared import shared
from vr_evals.analysis import log_reader
from vr_evals.models.weights import weights_path

_FOLDER = Path(tempfile.mkdtemp(prefix="vr_evals-tests-"))
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)


def _folder(name: str) -> str:
    folder = _FOLDER / name
    folder.mkdir()
    return str(folder)


# huggingface_hub reads these once, at import
_HUB = Hub(Path(_folder("hub")))
os.environ["HF_ENDPOINT"] = _HUB.url
os.environ["HF_HOME"] = _folder("hf")
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
os.environ[MARK] = str(os.getpid())
os.environ["INSPECT_DISPLAY"] = "none"
os.environ["INSPECT_CACHE_DIR"] = _folder("cache")
# where Inspect keeps its traces, and what a run has so far
os.environ["XDG_DATA_HOME"] = _folder("data")
# where tables of logs are kept; the weights of the small model were fetched into the user's own
_WEIGHTS = weights_path()
os.environ["XDG_CACHE_HOME"] = _folder("user-cache")
if _WEIGHTS.is_file():
    weights_path().parent.mkdir()
    weights_path().symlink_to(_WEIGHTS)
os.environ["INSPECT_LOG_DIR"] = _folder("logs")

# no test reaches a server that has a certificate; each client of a provider would load 140 of them
_CERTIFICATES = Path(certifi.where()).read_text(encoding="utf-8")
_END = "-----END CERTIFICATE-----\n"
Path(_FOLDER / "one.pem").write_text(_CERTIFICATES.partition(_END)[0] + _END, encoding="utf-8")
os.environ["SSL_CERT_FILE"] = str(_FOLDER / "one.pem")

# how long one example takes says more of the machine than of the code
settings.register_profile("full", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=25)


def pytest_configure(config: pytest.Config) -> None:
    """Fewer examples of each property where only what is quick is run."""
    settings.load_profile("quick" if config.option.markexpr == "not slow" else "full")


# Inspect lays out its display also where it shows none: a table of results takes a second
_refresh = Live.refresh


def _refresh_if_shown(live: Live) -> None:
    if display_type() != "none":
        _refresh(live)


Live.refresh = _refresh_if_shown  # type: ignore[method-assign,assignment]  # replaced for all tests

# and it draws the code around each frame of an error into the log, a second for each error
Syntax.__rich_console__ = lambda *_: iter(())  # type: ignore[method-assign]  # replaced for all tests

# mockllm counts tokens with an encoding that tiktoken would download
tiktoken.registry.ENCODINGS["o200k_base"] = tiktoken.Encoding(
    name="o200k_base",
    pat_str=r"\S+|\s+",
    mergeable_ranks={bytes([i]): i for i in range(256)},
    special_tokens={},
)


@pytest.fixture(scope="session", autouse=True)
def _interrupts() -> Iterator[None]:
    """What tests start can be interrupted, also where a job in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def _no_survivors() -> Iterator[None]:
    """No process that a test started outlives the tests."""
    yield
    found = survivors(60)
    for process in found:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    assert not found


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test may reach a paid model."""
    for name in list(os.environ):
        if name.endswith("_API_KEY"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _all_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever log a test reads, each way of reading it gives the same table."""
    monkeypatch.setattr(log_reader, "read_log_table", read_in_all_ways)


@pytest.fixture
def hub() -> Iterator[Hub]:
    """The stand-in hub that huggingface_hub is pointed at; its faults end with the test."""
    yield _HUB
    _HUB.faults.clear()


@pytest.fixture
def real_hub(hub: Hub) -> Hub:
    """The stand-in hub with the published files."""
    source = shared("data", "hub")
    for repo in ("hendrycks/ethics", "ninoscherrer/moralchoice", "cardiffnlp/Morables"):
        link = hub.root / repo
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.exists():
            link.symlink_to(source / repo)
    return hub
