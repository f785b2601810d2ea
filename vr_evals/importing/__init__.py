"""Files of other studies → Inspect logs: a file per format, one writer of logs."""

from vr_evals.analysis.readings import readings
from vr_evals.importing.run import FORMATS, Imported, import_logs

__all__ = ["FORMATS", "Imported", "import_logs", "readings"]
