"""The engine broken on purpose, one way at a time, in a copy, and the whole gate run there."""
