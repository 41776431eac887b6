"""From the bytes of one module to its gzipped usage payload, as a script: `python -m bench.payload FILE`."""

import sys

from werkzeug.test import Client

from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps

service = Service(sys.argv[1])
run = service.runs().runs[0].name
(module,) = service.programs(run)[0]
query = {"run": run, "module": module.key, "space": "HBM"}
response = Client(make_apps(service)["/usage"]).get(
    "/", query_string=query, headers={"Accept-Encoding": "gzip"}
)
assert response.status_code == 200, response.text
