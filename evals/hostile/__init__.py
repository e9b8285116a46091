"""Broken and hostile inputs through every reader and through `ask`: `python -m evals.hostile --inputs 2000`."""
