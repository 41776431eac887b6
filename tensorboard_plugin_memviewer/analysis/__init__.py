"""Model in, numbers out."""
