"""Answers of other assistants: read in their shapes, made by LlamaIndex's engine, scored into a log like our own."""
