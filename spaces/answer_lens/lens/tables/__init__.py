"""Files as they stand, and which column is what."""
