"""Finds every place in which an answer differs from XProf's."""

from __future__ import annotations

from typing import Any

# A picture that XProf draws on demand: not part of the answer.
_LEFT_OUT = "allocationTimeline"


def differences(expected: dict[str, Any], actual: dict[str, Any]) -> list[str]:
    """A line for each place that differs, empty where the two answers are the same."""
    return list(_differences({k: v for k, v in expected.items() if k != _LEFT_OUT}, actual, ""))


def _differences(expected: Any, actual: Any, where: str) -> list[str]:
    if isinstance(expected, dict) and isinstance(actual, dict):
        found = []
        for key in sorted(expected.keys() | actual.keys()):
            here = f"{where}.{key}"
            if key not in actual:
                found.append(f"{here} is missing")
            elif key not in expected:
                found.append(f"{here} is not in XProf's answer")
            else:
                found += _differences(expected[key], actual[key], here)
        return found
    if isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            return [f"{where} has {len(actual)} elements, not {len(expected)}"]
        pairs = enumerate(zip(expected, actual, strict=True))
        return [line for at, (a, b) in pairs for line in _differences(a, b, f"{where}[{at}]")]
    return [] if expected == actual else [f"{where} is {actual!r}, not {expected!r}"]
