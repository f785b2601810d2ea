"""Frames with all columns, as csv and JSON in the terminal."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["frame_as_csv", "frame_as_json", "frame_records"]


def frame_as_json(frame: "pd.DataFrame") -> str:
    """Return the rows of a frame as a JSON list of objects."""
    import json

    return json.dumps(frame_records(frame), indent=2)


def frame_records(frame: "pd.DataFrame") -> Any:
    """Return the rows of a frame as plain values for JSON."""
    import json

    return json.loads(frame.to_json(orient="records", double_precision=15))


def frame_as_csv(frame: "pd.DataFrame") -> str:
    """Return a frame as csv whose texts do nothing in a spreadsheet or a terminal."""
    from vr_evals.commands.spreadsheets import spreadsheet_safe

    return spreadsheet_safe(frame).to_csv(index=False)
