"""The address and the options of a cluster, and what Ray says when it refuses them."""

from pathlib import Path
from typing import Any

import pytest

from vr_evals.errors import InputError
from vr_evals.running import ray_cluster
from vr_evals.running.ray_cluster import RayOptions, check_options, last_line


@pytest.mark.parametrize(
    ("text", "line"), [("Traceback:\n  x\n\n  no GPU \n ", "no GPU"), ("\n", "ValueError")]
)
def test_what_ray_says_in_the_end(text: str, line: str) -> None:
    assert last_line(ValueError(text)) == line


@pytest.mark.parametrize(
    ("address", "noted", "variable", "found"),
    [
        ("10.0.0.1:6379", "10.0.0.2:6379", "10.0.0.3:6379", "10.0.0.1:6379"),
        ("auto", "10.0.0.2:6379\n", "10.0.0.3:6379", "10.0.0.3:6379"),
        ("auto", "10.0.0.2:6379\n", None, "10.0.0.2:6379"),
        ("auto", None, None, "auto"),
    ],
)
def test_an_address_is_given_or_noted(
    address: str,
    noted: str | None,
    variable: str | None,
    found: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    if variable:
        monkeypatch.setenv("RAY_ADDRESS", variable)
    if noted:
        (tmp_path / "ray").mkdir()
        (tmp_path / "ray" / "ray_current_cluster").write_text(noted)
    assert ray_cluster._find_address(address) == found


def test_options_that_the_grid_can_have_are_accepted() -> None:
    options = RayOptions("auto", resources={"openai": 1}, task_options={"num_cpus": 2})
    check_options(options, ["openai/gpt-4o", "vr_sim/careful"])
    with pytest.raises(InputError, match=r"not a provider of this grid's models \(vr_sim\)"):
        check_options(options, ["vr_sim/careful"])
    without: dict[str, Any] = RayOptions("auto").of_cell("openai/gpt-4o")
    assert without == {"max_retries": 0}
