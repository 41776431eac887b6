"""The meaning of exit codes; scripts and CI rely on them."""

from typing import Final

OK: Final = 0
# A check is over its limit, or the doctor found that nothing shows.
FAILED: Final = 1
# The question makes no sense, or there is nothing to read. (argparse uses the same number for wrong usage.)
UNUSABLE: Final = 2
# Ctrl-C, as shells count it: 128 + SIGINT.
INTERRUPTED: Final = 130
