"""Bytes in, model out. No file is opened here."""
