"""The catalog of metrics, loading them, one answer, some rows, the judge."""
