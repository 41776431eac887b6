"""Prints, as JSON, the runs that XProf lists in a logdir and the hosts of each; run as a script."""

from __future__ import annotations

import argparse
import json
import sys

if __name__ == "__main__":
    from tensorboard.plugins.base_plugin import TBContext
    from xprof.profile_plugin import ProfilePlugin

    flags = argparse.Namespace(master_tpu_unsecure_channel="", hide_capture_profile_button=False)
    plugin = ProfilePlugin(TBContext(logdir=sys.argv[1], flags=flags))
    runs = sorted(plugin.generate_runs())
    hosts = {run: [host["hostname"] for host in plugin.host_impl(run, "trace_viewer@")] for run in runs}
    sys.stdout.write(json.dumps(hosts) + "\n")
