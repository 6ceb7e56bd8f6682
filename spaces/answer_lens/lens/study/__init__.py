"""Study of scored answers of several systems: results, people's verdicts, and written files."""
