"""Computes numbers from the model."""
