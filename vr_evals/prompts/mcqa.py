"""Multiple-choice questions of any kind: the question and its options, under a base instruction."""

__all__ = ["PROBLEM"]

PROBLEM = "{question}\n\n{options}"
