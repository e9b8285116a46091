"""Cases through the engine to log entries: a plan, an engine for each worker, replies recorded and replayed."""
