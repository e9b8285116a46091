"""A run's log rendered for people and for machines: terminal, Markdown, JUnit, CSV, one HTML page. Pure: log in, text out."""
