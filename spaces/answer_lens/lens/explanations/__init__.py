"""What scores mean together, and how far to believe them."""
