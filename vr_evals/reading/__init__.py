"""Parsers of the text of a reply, used by `vr_evals.answers` and `vr_evals.confidences`.

A parser returns a set of labels: one label is an answer, an empty set is no statement, several
labels are an ambiguous statement.
"""
