"""Captures of small programs that a test can tell apart, written as profilers write them or worse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from werkzeug.test import Client

from tensorboard_plugin_memviewer.export.routes import make_export_apps
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.responses import WsgiApp
from tensorboard_plugin_memviewer.web.routes import make_apps
from tests.build import hlo_bytes
from tools.pack_demo import packed


def program(size: int, name: str = "jit_f", bystanders: int = 0) -> tuple[str, bytes]:
    """A program whose one temporary buffer has `size` bytes; more instructions make it longer."""
    more = "\n".join(f"b{number} = f32[16] add(p, p)" for number in range(bystanders))
    text = f"""
        entry main:
          p = f32[16] parameter()
          {more}
          a = f32[16] add(p, p)
          r = f32[16] multiply(a, p)
        alloc parameter 64: p:64
        alloc output 64: r:64
        alloc temp {size}: a:{size}@0
        trace: +a -a
    """
    return f"{name}(7)", hlo_bytes(text)


def peak_of(size: int) -> int:
    """The peak of such a program in HBM, bytes."""
    return size + 128


def path_of(logdir: Path, run: str, host: str = "host0") -> Path:
    """Where the capture of a host lies."""
    return logdir / "plugins" / "profile" / run / f"{host}.xplane.pb"


def write(logdir: Path, run: str, *programs: tuple[str, bytes], host: str = "host0") -> Path:
    """A whole capture, in place."""
    path = path_of(logdir, run, host)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed(host, programs or (program(1024),)))
    return path


def apps_of(service: Service) -> dict[str, WsgiApp]:
    """Every data route."""
    return {**make_apps(service), **make_export_apps(service)}


def ask(apps: dict[str, WsgiApp], route: str, **query: str) -> tuple[int, Any]:
    """Status and JSON of an answer."""
    response = Client(apps[f"/{route}"]).get(query_string=query)
    return response.status_code, json.loads(response.get_data())
