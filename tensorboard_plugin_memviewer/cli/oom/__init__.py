"""The text of explain-oom: its sentences, and advice by framework."""
