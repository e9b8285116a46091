"""`citewell eval` between parsing and printing: from what was typed to a plan, from a log to its verdict."""
