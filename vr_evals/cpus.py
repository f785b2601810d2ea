"""The number of CPUs that this process may use: one thread too many halves llama.cpp's speed."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

__all__ = ["cpu_quota", "usable_cpus"]


def usable_cpus(root: Path = Path("/")) -> int:
    """Return the number of CPUs allowed by the scheduler and by the control group's quota.

    Args:
        root: The folder with ``proc`` and ``sys``.
    """
    allowed = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    quota = cpu_quota(root)
    return allowed if quota is None else max(1, min(allowed, int(quota)))


def cpu_quota(root: Path = Path("/")) -> float | None:
    """Return the CPU quota of the control groups (version 1 or 2), in CPUs, or None if unlimited.

    The smallest quota of the process's own group and its parents applies.

    Args:
        root: The folder with ``proc`` and ``sys``.
    """
    quotas = [quota for group in _groups(root) if (quota := _quota(group)) is not None]
    return min(quotas, default=None)


def _groups(root: Path) -> Iterator[Path]:
    """Yield the folders of the process's CPU groups and of their parents."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        # version 2 has one mount and no controller here; version 1 has one mount per controller
        mounts = {controllers, "cpu"} if controllers else {""}
        group = PurePosixPath(path)
        for mount in mounts:
            for folder in (group, *group.parents):
                yield root / "sys/fs/cgroup" / mount / folder.as_posix().lstrip("/")


def _quota(group: Path) -> float | None:
    """Return the quota of one group, in CPUs."""
    try:
        quota, period = (group / "cpu.max").read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        try:
            quota = (group / "cpu.cfs_quota_us").read_text(encoding="utf-8").strip()
            period = (group / "cpu.cfs_period_us").read_text(encoding="utf-8").strip()
        except OSError:
            return None
    try:
        cpus = float(quota) / float(period)
    except (ValueError, ZeroDivisionError):  # "max": no limit
        return None
    return cpus if cpus > 0 else None  # version 1 writes -1 for no limit
