"""What the writer of logs refuses, whatever reads the files."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from vr_evals.errors import InputError
from vr_evals.importing.completions import Mapped, completions
from vr_evals.importing.logs import Origin, _result, write_logs
from vr_evals.importing.skipped import Notes
from vr_evals.importing.sources import open_source


def test_a_reply_that_was_asked_for_in_no_known_way_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("scenario,label,completion,level\nx,wrong,wrong,1\n", encoding="utf-8")
    source = open_source(str(path))
    [reply] = completions([source], Mapped(), None, Notes())
    unknown = replace(reply, asked=replace(reply.asked, level=None))
    origin = Origin("completions", [source], {"dataset": "import", "sample_data": False})
    with pytest.raises(InputError, match="a.csv row 1: no level and no authority condition"):
        next(write_logs([unknown], origin, str(tmp_path)))


def test_a_scorer_that_waits_is_refused() -> None:
    async def waiting() -> None:
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="a scorer waited for something"):
        _result(waiting())
