"""Fixed questions, scorers, gates, reports: is what the engine says still grounded? Imports rag, never the reverse."""
