"""The JSON contract and its routes; the only package that knows HTTP."""
