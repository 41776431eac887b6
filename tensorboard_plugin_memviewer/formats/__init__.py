"""Builds the model from bytes. No file is opened here."""
