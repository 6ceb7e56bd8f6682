"""The tab "Files", which scores files of answers: its form, results, opened rows, and samples."""
