"""What ``inspect view`` shows first of our logs."""

from inspect_ai.viewer import (
    SampleScoreView,
    ScoreColorScale,
    TaskSamplesColumn,
    TaskSamplesView,
    ViewerConfig,
)

__all__ = ["viewer_config"]

_PARTS: dict[str, tuple[str | None, ...]] = {"compliance": ("complied", "correct")}
"""The values that are shown of scorers that give several."""

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
    """The sample list opens on what was asked, the answer, the target, and each score.

    Args:
        name: What the list is called: benchmark, level and condition.
        scorers: Names of the task's scorers, in the order to be shown.
    """
    # where one item is asked in several conditions its id says more than its text
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
    # replies are hostile text: they are shown as plain text, never rendered
    return ViewerConfig(
        trust_content=False,
        task_samples_view=view,
        sample_score_view=SampleScoreView(default="grid"),
    )
