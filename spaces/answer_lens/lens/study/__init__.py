"""Systems' answers, scored, and what comes of it: results, verdicts on answers, the scored file."""
