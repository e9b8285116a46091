"""A run's log for people and machines: terminal, Markdown, JUnit, CSV, one HTML page. Pure: log in, text out."""
