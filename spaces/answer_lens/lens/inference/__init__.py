"""Statistics on scores and verdicts: intervals, agreement, comparisons and rankings."""
