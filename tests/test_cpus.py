import os
from pathlib import Path

import pytest

from vr_evals.cpus import cpu_quota, usable_cpus

VERSION_2 = "0::/box/job\n"
VERSION_1 = "5:memory:/other\n4:cpu,cpuacct:/box/job\n"


def machine(root: Path, groups: str, files: dict[str, str]) -> Path:
    for name, text in {"proc/self/cgroup": groups, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("groups", "files", "quota"),
    [
        (VERSION_2, {"sys/fs/cgroup/box/job/cpu.max": "150000 100000\n"}, 1.5),
        (VERSION_2, {"sys/fs/cgroup/box/job/cpu.max": "max 100000\n"}, None),
        (VERSION_2, {"sys/fs/cgroup/box/cpu.max": "400000 100000\n"}, 4),
        (
            VERSION_2,
            {
                "sys/fs/cgroup/box/job/cpu.max": "400000 100000\n",
                "sys/fs/cgroup/box/cpu.max": "200000 100000\n",
            },
            2,
        ),
        ("0::/\n", {"sys/fs/cgroup/cpu.max": "50000 100000\n"}, 0.5),
        (VERSION_2, {"sys/fs/cgroup/box/job/cpu.max": "nonsense"}, None),
        (
            VERSION_1,
            {
                "sys/fs/cgroup/cpu,cpuacct/box/job/cpu.cfs_quota_us": "300000\n",
                "sys/fs/cgroup/cpu,cpuacct/box/job/cpu.cfs_period_us": "100000\n",
            },
            3,
        ),
        (
            VERSION_1,
            {
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "100000\n",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            },
            1,
        ),
        (
            VERSION_1,
            {
                "sys/fs/cgroup/cpu/box/job/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu/box/job/cpu.cfs_period_us": "100000\n",
            },
            None,
        ),
        ("", {}, None),
    ],
)
def test_quota_is_the_tightest_of_the_control_groups(
    tmp_path: Path, groups: str, files: dict[str, str], quota: float | None
) -> None:
    assert cpu_quota(machine(tmp_path, groups, files)) == quota


def test_no_control_groups_is_no_limit(tmp_path: Path) -> None:
    assert cpu_quota(tmp_path) is None


@pytest.mark.parametrize(
    ("quota", "cpus"), [("max", 4), ("50000", 1), ("150000", 1), ("300000", 3), ("900000", 4)]
)
def test_threads_follow_affinity_and_quota(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quota: str, cpus: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 4, 6}, raising=False)
    root = machine(tmp_path, "0::/\n", {"sys/fs/cgroup/cpu.max": f"{quota} 100000\n"})
    assert usable_cpus(root) == cpus


def test_without_affinity_every_cpu_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert usable_cpus(tmp_path) == 7
