"""The JSON contract and its routes; the only room that knows HTTP."""
