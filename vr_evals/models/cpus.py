"""How many CPUs this process may really use: one thread too many halves llama.cpp's speed."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

__all__ = ["cpu_quota", "usable_cpus"]


def usable_cpus(root: Path = Path("/")) -> int:
    """The CPUs that the scheduler lets this process run on, cut down to its control group's quota.

    Args:
        root: Where ``proc`` and ``sys`` are mounted.
    """
    allowed = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    quota = cpu_quota(root)
    return allowed if quota is None else max(1, min(allowed, int(quota)))


def cpu_quota(root: Path = Path("/")) -> float | None:
    """CPUs' worth of time that the control groups (version 1 or 2) grant, or None without a limit.

    The tightest limit between the process's own group and the top holds.

    Args:
        root: Where ``proc`` and ``sys`` are mounted.
    """
    quotas = [quota for group in _groups(root) if (quota := _quota(group)) is not None]
    return min(quotas, default=None)


def _groups(root: Path) -> Iterator[Path]:
    """The folders of the process's CPU groups, and of the groups that hold them."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        # version 2 has no controller here and one mount; version 1 one mount a controller
        mounts = {controllers, "cpu"} if controllers else {""}
        group = PurePosixPath(path)
        for mount in mounts:
            for folder in (group, *group.parents):
                yield root / "sys/fs/cgroup" / mount / folder.as_posix().lstrip("/")


def _quota(group: Path) -> float | None:
    """The quota of one group, in CPUs."""
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
