"""From the entries of a run to its verdict: the log, means with intervals, the baseline, comparison, gates."""
