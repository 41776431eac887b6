"""Whose memory each buffer is, and what kind of memory."""
