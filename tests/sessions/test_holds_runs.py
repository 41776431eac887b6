"""Whether there is a run at all: the same answer as the listing's, without the whole walk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tensorboard_plugin_memviewer.errors import NotFound, Problem
from tensorboard_plugin_memviewer.sessions.filesystem import Folder
from tensorboard_plugin_memviewer.sessions.listing import holds_runs
from tensorboard_plugin_memviewer.sessions.local import LocalFiles
from tensorboard_plugin_memviewer.sessions.logdir import Logdir

LOGDIRS: dict[str, tuple[str, ...]] = {
    "empty": (),
    "other plugins": ("train/events.out.tfevents.1", "plugins/profile/notes.txt"),
    "capture": ("train/plugins/profile/a/host.xplane.pb",),
    "capture being written": ("plugins/profile/a/",),
    "dump": ("deep/er/module_0001.jit_f.after_optimizations.hlo.pb",),
    "early stages of a dump": ("dump/module_0001.jit_f.before_optimizations.hlo.pb",),
    "error beside no dump": ("dump/error.txt",),
    "saved": ("x/jit_f.memory_viewer.json",),
    "marker of no program": ("plugins/profile/a/NO_MODULE.hlo_proto.pb",),
}


@pytest.mark.parametrize("name", LOGDIRS)
def test_as_the_listing(tmp_path: Path, name: str) -> None:
    for path in LOGDIRS[name]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).mkdir() if path.endswith("/") else (tmp_path / path).write_bytes(b"x")
    logdir = Logdir(str(tmp_path))
    assert logdir.holds_runs() is bool(logdir.listing().runs)


def test_a_file_given_as_such(tmp_path: Path) -> None:
    (tmp_path / "a.xplane.pb").write_bytes(b"x")
    (tmp_path / "b.txt").write_bytes(b"x")
    assert Logdir(str(tmp_path / "a.xplane.pb")).holds_runs()
    for name in ("b.txt", "missing"):
        with pytest.raises(NotFound):
            Logdir(str(tmp_path / name)).holds_runs()


def test_looks_no_further_than_to_the_first(tmp_path: Path) -> None:
    for number in range(20):
        session = tmp_path / "plugins" / "profile" / str(number)
        session.mkdir(parents=True)
        (session / "host.xplane.pb").write_bytes(b"x")
    walked: list[Folder] = []

    class Counted(LocalFiles):
        def walk(self, root: str, wanted: Callable[[str], bool], problems: list[Problem]) -> Iterator[Folder]:
            for folder in super().walk(root, wanted, problems):
                walked.append(folder)
                yield folder

    assert holds_runs(Counted(), str(tmp_path), lambda _: None)
    assert len(walked) == 4
