"""Files of other studies → Inspect logs: a file per format, one writer of logs."""

from vr_evals.analysis.readings import readings
from vr_evals.importing.run import FORMATS, Imported, UnusedColumns, import_logs

__all__ = ["FORMATS", "Imported", "UnusedColumns", "import_logs", "readings"]
