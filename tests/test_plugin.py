"""What TensorBoard sees of us, in a process of its own where imports are counted."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tensorboard.plugins import base_plugin

from tensorboard_plugin_memviewer.export.routes import make_export_apps
from tensorboard_plugin_memviewer.plugin import DATA_ROUTES, MemviewerPlugin
from tensorboard_plugin_memviewer.plugin_loader import LOADER, MemviewerLoader
from tensorboard_plugin_memviewer.service import Service
from tensorboard_plugin_memviewer.web.routes import make_apps
from tests.conftest import ROOT
from tests.patience import soon


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    LOADER.define_flags(parser)
    flags = parser.parse_args(arguments)
    LOADER.fix_flags(flags)
    return flags


def load(logdir: Path, *arguments: str) -> MemviewerPlugin:
    context = base_plugin.TBContext(logdir=str(logdir), flags=parse(*arguments), plugin_name_to_instance={})
    plugin = LOADER.load(context)
    assert isinstance(plugin, MemviewerPlugin)
    return plugin


def becomes_active(plugin: MemviewerPlugin) -> bool:
    return soon(plugin.is_active)


def modules_after(statement: str) -> set[str]:
    """Names of the modules that are loaded once `statement` has run in a new interpreter."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_entry_point_is_the_loader() -> None:
    (entry,) = importlib.metadata.entry_points(group="tensorboard_plugins", name="memviewer")
    assert isinstance(entry.load(), MemviewerLoader)


def test_the_tab_and_its_module(demo: Path) -> None:
    plugin = load(demo)
    metadata = plugin.frontend_metadata()
    assert plugin.plugin_name == "memviewer"
    assert metadata.tab_name == "Memory Viewer"
    assert metadata.es_module_path in plugin.get_plugin_apps()


def test_every_route_starts_with_a_slash_and_the_page_is_there(demo: Path) -> None:
    apps = load(demo).get_plugin_apps()
    assert {"/index.js", "/page.html", "/runs", "/modules", "/usage"} <= set(apps)
    assert all(route.startswith("/") and callable(app) for route, app in apps.items())


def test_active_where_there_is_something_to_show(demo: Path) -> None:
    assert becomes_active(load(demo))


def test_not_active_where_there_is_nothing(tmp_path: Path) -> None:
    for logdir in (tmp_path, tmp_path / "missing"):
        plugin = load(logdir)
        assert not plugin.is_active()
        assert soon(plugin._lookout._looked_once.is_set)
        assert not plugin.is_active()


def test_a_capacity_that_is_no_size_is_refused_before_anything_is_served() -> None:
    assert parse("--memviewer_capacity", "15.75GiB").memviewer_capacity == "15.75GiB"
    with pytest.raises(base_plugin.FlagsError, match="memviewer_capacity"):
        parse("--memviewer_capacity", "plenty")


def test_the_profile_tab_is_replaced_unless_told_not_to() -> None:
    assert parse().memviewer_profile_tab == "replace"
    assert parse("--memviewer_profile_tab", "off").memviewer_profile_tab == "off"


def test_a_profile_tab_that_breaks_our_guest_does_not_break_our_tab(demo: Path) -> None:
    class Changed:
        """A mapping of plugins that answers nothing."""

        def __getattr__(self, name: str) -> object:
            raise RuntimeError(name)

    context = base_plugin.TBContext(logdir=str(demo), flags=parse(), plugin_name_to_instance=Changed())
    plugin = LOADER.load(context)
    assert "/index.js" in plugin.get_plugin_apps()


def test_the_loader_imports_tensorboard_and_nothing_heavier() -> None:
    ours = modules_after("import tensorboard_plugin_memviewer.plugin_loader")
    base = modules_after("from tensorboard.plugins import base_plugin")
    added = {name for name in ours - base if name.partition(".")[0] not in sys.stdlib_module_names}
    assert added == {"tensorboard_plugin_memviewer", "tensorboard_plugin_memviewer.plugin_loader"}


def test_the_plugin_imports_neither_frameworks_nor_xprof() -> None:
    loaded = modules_after("import tensorboard_plugin_memviewer.plugin")
    assert not loaded & {
        "tensorflow",
        "jax",
        "jaxlib",
        "xprof",
        "tensorboard_plugin_profile",
        "torch",
        "pandas",
    }


def test_the_names_of_the_data_routes_are_those_of_what_answers(demo: Path) -> None:
    service = Service(str(demo))
    assert set(DATA_ROUTES) == {*make_apps(service), *make_export_apps(service)}


def test_what_answers_is_imported_when_first_asked(demo: Path) -> None:
    start = (
        "import argparse; from tensorboard.plugins import base_plugin;"
        "from tensorboard_plugin_memviewer.plugin import MemviewerPlugin;"
        "plugin = MemviewerPlugin(base_plugin.TBContext(logdir='', flags=argparse.Namespace()));"
        "plugin._lookout.look = lambda: None; plugin.get_plugin_apps()"
    )
    ours = {name.partition(".")[2] for name in modules_after(start) if "memviewer" in name}
    rooms = {name.partition(".")[0] for name in ours}
    assert rooms == {"", "errors", "lookout", "plugin", "profile_tab", "web", "wire"}
    assert "web.routes" not in ours and "wire.headline" not in ours


def test_looking_for_something_to_show_imports_no_format(demo: Path) -> None:
    look = (
        f"from tensorboard_plugin_memviewer.service.presence import has_runs; assert has_runs({str(demo)!r})"
    )
    ours = {name for name in modules_after(look) if "memviewer" in name}
    assert {name.split(".")[1] for name in ours if "." in name} == {"errors", "service", "sessions"}


@pytest.mark.slow
def test_the_import_adds_little_to_tensorboards_start() -> None:
    """About 10 ms of a second, in shares of what TensorBoard itself takes on the same machine."""
    code = (
        "import time\n"
        "from tensorboard import default, program\n"
        "default.get_static_plugins()\n"
        "theirs = time.process_time()\n"
        "from tensorboard_plugin_memviewer import plugin, plugin_loader\n"
        "print((time.process_time() - theirs) / theirs)"
    )
    shares = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    assert min(shares) < 0.05
