"""What XProf does to list the modules of a capture, beside which it writes: `xprof_listing.py CAPTURE`."""

import sys

from xprof.convert import raw_to_tool_data

raw_to_tool_data.xspace_to_tool_names([sys.argv[1]])
