"""The view of vr_evals logs in ``inspect view``."""

from inspect_ai.viewer import (
    SampleScoreView,
    ScoreColorScale,
    TaskSamplesColumn,
    TaskSamplesView,
    ViewerConfig,
)

__all__ = ["viewer_config"]

_PARTS: dict[str, tuple[str | None, ...]] = {"compliance": ("complied", "correct")}
"""The values shown of scorers with several."""

_LABELS = {
    "complied": "Complied?",
    "acknowledgement": "Mentions it?",
    "answer": "Right?",
    "correct": "Right?",
    "answer_format": "Read?",
    "preference": "Action 1?",
    "confidence": "Confidence",
    "reflection": "Changed?",
}


def viewer_config(name: str, scorers: list[str]) -> ViewerConfig:
    """Return a sample list with input, answer, target and each score.

    Args:
        name: The title of the list: benchmark, level and condition.
        scorers: Names of the task's scorers, in the order shown.
    """
    # with several conditions per item, ids say more than texts
    hidden = {"input"} if "compliance" in scorers else set()
    columns = [
        *(
            TaskSamplesColumn(id=id, visible=id not in hidden)
            for id in ("sampleStatus", "sampleId", "epoch", "input", "answer", "target")
        ),
        *(
            TaskSamplesColumn.score(scorer, part)
            for scorer in scorers
            for part in _PARTS.get(scorer, (None,))
        ),
        *(TaskSamplesColumn(id=id) for id in ("tokens", "duration", "error", "limit")),
    ]
    view = TaskSamplesView(
        name=name,
        columns=columns,
        multiline=False,
        score_labels=_LABELS,
        score_color_scales={"confidence": ScoreColorScale(palette="neutral", min=0, max=100)},
    )
    # replies are hostile text: shown as plain text, never rendered
    return ViewerConfig(
        trust_content=False,
        task_samples_view=view,
        sample_score_view=SampleScoreView(default="grid"),
    )
