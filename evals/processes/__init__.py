"""Real processes to look at: a terminal with its screen, readers beside writers, versions of a corpus to sync."""
