"""What is done to a corpus while time and memory are taken, each part in a process of its own."""
