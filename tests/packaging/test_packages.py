"""The sdist and the wheel, built and installed without Node, and tried over HTTP in a real TensorBoard."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import urllib.parse
import urllib.request
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.browser.tensorboard import Server, serve
from tests.conftest import DATA, DEMO, ROOT
from tests.patience import PATIENCE_S
from tools.test_matrix import PYTHONS, find_python

pytestmark = [pytest.mark.packaging, pytest.mark.xdist_group("packaging")]

LARGEST_WHEEL = 6_000_000
LARGEST_DEMO = 3 * 2**20
# What the package needs in any case; tensorboard-plugin-profile may be absent.
NEEDED = ("tensorboard", "protobuf", "numpy", "werkzeug", "fsspec")
# Seconds; a minute where the machine does nothing else.
RESOLVED_WITHIN = 600
# How often pip may announce that it tries other versions; without the bound on etils there is no end to it.
MOST_RETRIES = 3


def run(command: Sequence[str | os.PathLike[str]], cwd: Path, **environment: str) -> str:
    """Standard output of a command that must succeed."""
    arguments = [os.fspath(part) for part in command]
    done = subprocess.run(
        arguments, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with nothing but what is committed or would be: no build outputs, no node_modules."""
    folder = tmp_path_factory.mktemp("checkout")
    listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    run(["git", "init", "-q"], folder)
    run(["git", "add", "--all"], folder)
    return folder


@pytest.fixture(scope="session")
def built(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with both packages; the wheel is made from the sdist, on a machine without Node."""
    folder = tmp_path_factory.mktemp("dist")
    without_node = os.pathsep.join(
        part for part in os.environ["PATH"].split(os.pathsep) if shutil.which("node", path=part) is None
    )
    command: list[str | os.PathLike[str]] = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        "--outdir",
        folder,
    ]
    run(command, checkout, PATH=without_node)
    return folder


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    (wheel,) = built.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def sdist(built: Path) -> Path:
    (sdist,) = built.glob("*.tar.gz")
    return sdist


def test_one_pure_wheel_with_everything_that_is_served(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    assert wheel.stat().st_size < LARGEST_WHEEL
    packed = {
        name.removeprefix("tensorboard_plugin_memviewer/") for name in zipfile.ZipFile(wheel).namelist()
    }
    demo = {f"demo/{file.relative_to(DEMO).as_posix()}" for file in DEMO.rglob("*") if file.is_file()}
    assert {"static/index.js", "static/page.html", "py.typed"} <= packed
    assert demo <= packed
    assert not {name for name in packed if name.startswith(("tests/", "frontend/", "tools/"))}


def test_the_demo_is_small() -> None:
    assert sum(file.stat().st_size for file in DEMO.rglob("*") if file.is_file()) <= LARGEST_DEMO


def test_the_sdist_is_the_package_and_what_describes_it(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md"} <= names
    assert "tensorboard_plugin_memviewer/protos/memviewer_hlo.proto" in names
    assert not {name for name in names if name.startswith(("tests/", "frontend/"))}


def test_an_index_would_take_both(built: Path) -> None:
    run([sys.executable, "-m", "twine", "check", "--strict", *sorted(built.iterdir())], built)


def test_the_manifest_names_everything(checkout: Path) -> None:
    run([sys.executable, "-m", "check_manifest", "--no-build-isolation"], checkout)


def environment(folder: Path) -> Path:
    """A new, empty environment; the path of its Python."""
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def install(python: Path, *packages: str | os.PathLike[str], constraints: Path) -> None:
    pip: list[str | os.PathLike[str]] = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    run([*pip, "-c", constraints, *packages], python.parent)


@pytest.fixture(scope="session")
def constraints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The versions of requirements-test.txt: without hashes (our wheel has none) and extras."""
    text = (ROOT / "requirements-test.txt").read_text(encoding="utf-8")
    pins = re.findall(r"^([a-z0-9][^\\\n]*?) ?\\?$", text, re.MULTILINE)
    path = tmp_path_factory.mktemp("constraints") / "constraints.txt"
    path.write_text("\n".join(re.sub(r"^([\w.-]+)\[[^\]]*\]", r"\1", pin) for pin in pins), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def with_everything(wheel: Path, constraints: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of an environment made by `pip install WHEEL`."""
    python = environment(tmp_path_factory.mktemp("everything"))
    install(python, wheel, constraints=constraints)
    return python


@pytest.fixture(scope="session")
def without_profile(wheel: Path, constraints: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of an environment without tensorboard-plugin-profile."""
    python = environment(tmp_path_factory.mktemp("without-profile"))
    install(python, *NEEDED, constraints=constraints)
    install(python, "--no-deps", wheel, constraints=constraints)
    return python


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DEMO, tmp_path / "logdir"))


def get(server: Server, route: str, **query: str) -> tuple[dict[str, str], bytes]:
    address = f"{server.data}{route}?{urllib.parse.urlencode(query)}"
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as response:
        return dict(response.headers), response.read()


def get_json(server: Server, route: str, **query: str) -> Any:
    return json.loads(get(server, route, **query)[1])


def plugins(server: Server) -> Any:
    with urllib.request.urlopen(f"{server.address}data/plugins_listing", timeout=PATIENCE_S) as response:
        return json.load(response)


def shows_the_demo(server: Server) -> None:
    """The tab is there, its page is served, and its numbers are true."""
    assert plugins(server)["memviewer"]["tab_name"] == "Memory Viewer"
    headers, page = get(server, "page.html")
    assert headers["Content-Type"].startswith("text/html")
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert b"<script" in page
    assert get(server, "index.js")[0]["Content-Type"].startswith("text/javascript")
    runs = {run["run"] for run in get_json(server, "runs")["runs"]}
    assert {"tpu_v5e_transformer", "gpu_h100", "train/cpu_training", "xla_dump_oom"} <= runs
    expected = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
    for module in get_json(server, "modules", run="tpu_v5e_transformer")["modules"]:
        true = expected["modules"][expected["names_in_demo"][module["module"]]]["spaces"]
        found = {str(space["memory_space"]): space["peak_bytes"] for space in module["spaces"]}
        assert found == {color: space["peak_bytes"] for color, space in true.items()}


def test_as_installed(with_everything: Path, logdir: Path) -> None:
    with serve(logdir, python=os.fspath(with_everything)) as server:
        shows_the_demo(server)
        listed = plugins(server)
    assert "profile" in listed


def test_the_pip_of_the_oldest_python_resolves_in_time(wheel: Path, tmp_path: Path) -> None:
    oldest = find_python(PYTHONS[0])
    if oldest is None:
        pytest.skip(f"no Python {PYTHONS[0]} on this machine")
    run([oldest, "-m", "venv", tmp_path / "oldest"], tmp_path)
    python = tmp_path / "oldest" / ("Scripts" if os.name == "nt" else "bin") / "python"
    command = [os.fspath(python), "-m", "pip", "install", "--dry-run", os.fspath(wheel)]
    lines: list[str] = []
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        limit = threading.Timer(RESOLVED_WITHIN, pip.kill)
        limit.start()
        assert pip.stdout is not None
        for line in pip.stdout:
            lines.append(line)
            if sum("is looking at multiple versions of" in line for line in lines) > MOST_RETRIES:
                pip.kill()
        limit.cancel()
    assert pip.returncode == 0, "".join(lines)
    assert "tensorboard-plugin-profile" in lines[-1].replace("_", "-")


def test_without_the_profile_plugin(without_profile: Path, logdir: Path) -> None:
    with serve(logdir, python=os.fspath(without_profile)) as server:
        shows_the_demo(server)
        listed = plugins(server)
    assert "profile" not in listed


def test_where_the_profile_plugin_fails_to_import(
    with_everything: Path, logdir: Path, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Broken:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'xprof.profile_plugin':\n"
        "            raise ImportError('undefined symbol')\n"
        "sys.meta_path.insert(0, Broken())\n"
    )
    python = os.fspath(with_everything)
    with serve(logdir, python=python, environment={"PYTHONPATH": os.fspath(tmp_path)}) as server:
        shows_the_demo(server)
        listed, log = plugins(server), server.log
    assert "undefined symbol" in log
    assert "profile" not in listed


def test_the_command_works_without_node(without_profile: Path, tmp_path: Path) -> None:
    command = without_profile.with_name("memviewer")
    answer = json.loads(run([command, "summary", DEMO, "--format", "json"], tmp_path, PATH=""))
    assert {module["run"] for module in answer["modules"]} >= {"tpu_v5e_transformer", "xla_dump_oom"}
