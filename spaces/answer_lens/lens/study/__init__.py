"""Scored answers of systems, and what follows from them: results, verdicts, the scored file."""
