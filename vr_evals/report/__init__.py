"""A report on the tidy table: one page of results and warnings."""

from vr_evals.report.page import render, write_report

__all__ = ["render", "write_report"]
