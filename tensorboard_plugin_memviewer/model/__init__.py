"""Frozen records of a module and its memory plan; no protobuf, no files."""
