"""A report on the tidy table: one page that says what happened, and what not to believe."""

from vr_evals.report.main_table import main_table
from vr_evals.report.page import render, write_report

__all__ = ["main_table", "render", "write_report"]
