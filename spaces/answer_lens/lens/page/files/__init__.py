"""The tab that scores files of answers: its form, its results, a row opened, a sample read."""
