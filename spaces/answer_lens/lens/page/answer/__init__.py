"""The tab that scores one answer with every metric."""
