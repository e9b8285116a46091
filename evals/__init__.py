"""Fixed questions, scorers, gates and reports: is what the engine says still grounded? May import rag; never the reverse."""
