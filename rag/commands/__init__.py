"""The commands: each parses, calls one method of the assistant, prints. `cli.py` puts them together."""
