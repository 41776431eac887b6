"""What explain-oom writes: its words, and advice by framework."""
