"""A Ray cluster: its options, and the connection to it."""

import logging
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from vr_evals.errors import InputError
from vr_evals.running.ray_cells import run_cell
from vr_evals.terminal import printable

__all__ = ["RayOptions", "check_options", "connected", "last_line", "provider_of"]

_CONNECT_SECONDS = 5.0
_REPLACED_OPTIONS = {
    "max_retries": "--retry-attempts",
    "num_gpus": "--gpus-per-task",
    "retry_exceptions": "--retry-attempts",
}
"""Options of Ray tasks that are set here, and what to use instead."""
_HTTP2_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_HTTP2_SETTINGS = 4
"""The type of the first frame that a server of gRPC sends (RFC 9113, section 3.4)."""


@dataclass(frozen=True)
class RayOptions:
    """The cluster, and what each cell takes of it.

    Attributes:
        address: Of the cluster, as for ``ray.init``.
        workers: How many cells are given to the cluster at a time; None for all.
        gpus: GPUs of each cell.
        resources: How much each cell of a provider takes of Ray's custom resource of that name.
        task_options: Further options of ``ray.remote``; ``runtime_env`` is that of ``ray.init``.
        environment: Variables that the cells get. They are not part of the runtime environment,
            which Ray writes into its logs.
    """

    address: str
    workers: int | None = None
    gpus: float | None = None
    resources: Mapping[str, float] = field(default_factory=dict)
    task_options: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)

    def of_cell(self, model: str) -> dict[str, Any]:
        """Return the options of the Ray task of a cell on a model."""
        options = {name: each for name, each in self.task_options.items() if name != "runtime_env"}
        provider = provider_of(model)
        if provider in self.resources:
            taken = {provider: self.resources[provider]}
            options["resources"] = {**options.get("resources", {}), **taken}
        if self.gpus is not None:
            options["num_gpus"] = self.gpus
        return options | {"max_retries": 0}


def provider_of(model: str) -> str:
    """Return the provider of a model, e.g. ``anthropic`` of ``anthropic/claude-sonnet-4-5``."""
    return model.partition("/")[0]


def last_line(error: BaseException) -> str:
    """Return what a long message of Ray says in the end."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return printable(lines[-1] if lines else type(error).__name__)


def check_options(options: RayOptions, models: Sequence[str]) -> None:
    """Check what needs no cluster.

    Raises:
        InputError: An option is set here itself, or a provider is none of the grid.
    """
    for name in options.task_options:
        if name in _REPLACED_OPTIONS:
            raise InputError(f"--ray-option {name}: not supported; use {_REPLACED_OPTIONS[name]}")
    providers = sorted({provider_of(model) for model in models})
    for name in options.resources:
        if name not in providers:
            raise InputError(
                f"--resource {name}: not a provider of this grid's models ({', '.join(providers)})"
            )


@contextmanager
def connected(options: RayOptions) -> Iterator[ModuleType]:
    """Connect to a cluster in the body of a ``with``, unless this process is connected.

    Raises:
        InputError: No cluster answers, or Ray refuses an option.
    """
    address = _find_address(options.address)
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal() and not _answers(host, int(port)):
        raise InputError(f"--ray {printable(address)}: no Ray cluster answers at this address")
    import ray

    if ray.is_initialized():
        yield ray
        return
    try:
        ray.init(
            address=address,
            runtime_env=options.task_options.get("runtime_env"),
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
        for model in options.resources or ("",):  # Ray's own checks of its options
            ray.remote(**options.of_cell(model))(run_cell)
    # Ray exits if a cluster does not answer
    except (Exception, SystemExit) as error:
        ray.shutdown()
        raise InputError(f"--ray {printable(address)}: {last_line(error)}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _find_address(address: str) -> str:
    """Return the address that Ray finds for ``auto``: after a crash, one that does not answer."""
    if address != "auto":
        return address
    noted = Path(os.environ.get("RAY_TMPDIR", "/tmp")) / "ray" / "ray_current_cluster"
    found = os.environ.get("RAY_ADDRESS") or (noted.read_text() if noted.is_file() else "")
    return found.strip() or address


def _answers(host: str, port: int) -> bool:
    """Return whether a server of gRPC answers; Ray itself tries for two minutes."""
    try:
        with socket.create_connection((host, port), _CONNECT_SECONDS) as connection:
            if os.environ.get("RAY_USE_TLS", "0") != "0":
                return True
            connection.sendall(_HTTP2_GREETING)
            header = connection.recv(9)
    except OSError:
        return False
    return len(header) == 9 and header[3] == _HTTP2_SETTINGS
