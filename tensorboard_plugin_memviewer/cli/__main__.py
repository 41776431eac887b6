"""`python -m tensorboard_plugin_memviewer.cli`: the command where its script is not on the path."""

import sys

from tensorboard_plugin_memviewer.cli import main

sys.exit(main())
