"""Groupings of buffers: each has a key, a word for people, and a path of names for every buffer.

Worked out here once. The command line, the Python API and the `breakdown` route list the groups at a point;
the page receives the paths, adds up bytes and draws.
"""
