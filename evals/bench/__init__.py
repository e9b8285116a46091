"""Public sets in their own formats, scored as their papers define it: `python -m evals.bench NAME PATH`."""
