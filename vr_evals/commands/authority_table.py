"""Compliance with an authority, for ``vr-evals table``."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["authority_table"]

_METRICS = {"compliance@k": "compliance", "excess_compliance": "excess_compliance"}


def authority_table(table: "pd.DataFrame") -> "pd.DataFrame":
    """Return compliance and excess compliance by model × benchmark × level × thinking × condition.

    Args:
        table: The tidy table.

    Returns:
        A row per cell in which an authority endorses an option: the key columns; `compliance` with
        k = 1, and `excess_compliance` over control (NaN without control), each with `…_low` and
        `…_high`; the latter's `…_p_adjusted`; the number of items, `n_items`, and of those also in
        control, `excess_compliance_n_items`. `attrs["notes"]` lists what could not be compared with
        control.

    Raises:
        InputError: As `vr_evals.analysis.authority` does.
    """
    from vr_evals.analysis import authority
    from vr_evals.analysis.cell import CELL

    figures = authority(table, ks=(1,))
    keys = list(CELL)
    values = ["estimate", "low", "high", "p_adjusted", "n_items"]
    found = figures.loc[figures["metric"] == "compliance@k", keys]
    for metric, name in _METRICS.items():
        columns = {value: f"{name}_{value}" for value in values} | {"estimate": name}
        part = figures.loc[figures["metric"] == metric, [*keys, *values]]
        found = found.merge(part.rename(columns=columns), on=keys, how="left")
    found = found.rename(columns={"compliance_n_items": "n_items"})
    found = found.drop(columns="compliance_p_adjusted")
    found.attrs["notes"] = figures.attrs["notes"]
    return found
