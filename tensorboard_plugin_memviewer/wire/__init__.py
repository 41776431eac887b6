"""The contract: one record type for every answer, written in one place.

Routes, `--format json` of the command line and `to_dict` of the Python API all come from here. From the
records `tools/generate_contract.py` writes the page's types (`frontend/src/generated/contract.ts`) and the
JSON schema for scripts (`docs/schema/answers.json`). Knows nothing of HTTP, of terminals or of files.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = 1
"""In every answer as `version`. It rises when a field is renamed, removed or changes its meaning; new fields
leave it as it is.
"""
