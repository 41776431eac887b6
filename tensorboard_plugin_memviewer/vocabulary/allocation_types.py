"""What an allocation is for, in the words of XProf. The first that applies, in this order."""

from __future__ import annotations

from typing import Final

PARAMETER: Final = "Parameter"
OUTPUT: Final = "Output"
THREAD_LOCAL: Final = "Thread-local"
CONSTANT: Final = "Constant"
TEMPORARY: Final = "Temporary"

ALLOCATION_TYPES: Final = (PARAMETER, OUTPUT, THREAD_LOCAL, CONSTANT, TEMPORARY)
