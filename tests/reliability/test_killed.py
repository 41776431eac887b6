"""A server killed in the middle of requests leaves nothing behind: started again it answers the same."""

from __future__ import annotations

import http.client
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S, soon
from tests.reliability.test_read_only import snapshot

PATHS = [
    "/runs",
    "/modules?run=tpu_v5e_transformer",
    "/usage?run=tpu_v5e_transformer&module=jit_train_step&space=HBM",
    "/findings?run=tpu_v5e_transformer&module=jit_train_step&space=HBM",
    "/breakdown?run=tpu_v5e_transformer&module=jit_train_step&space=VMEM",
]


@contextmanager
def serving(logdir: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    command = [sys.executable, "-m", "tensorboard_plugin_memviewer.cli", "serve", str(logdir), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r":(\d+)/", process.stdout.readline())
            assert found is not None
            yield process, int(found[1])
        finally:
            process.kill()


def get(port: int, path: str) -> bytes:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    client.request("GET", path)
    answer = client.getresponse()
    assert answer.status == 200
    return answer.read()


@pytest.mark.slow
def test_killed_during_requests_and_started_again(tmp_path: Path, demo: Path) -> None:
    logdir = tmp_path / "logdir"
    shutil.copytree(demo, logdir)
    before = snapshot(logdir)
    cut: list[BaseException] = []
    answered: set[str] = set()
    with serving(logdir) as (process, port):

        def keep_asking(path: str) -> None:
            try:
                while True:
                    get(port, path)
                    answered.add(path)
            except (OSError, http.client.HTTPException) as error:
                cut.append(error)

        first = get(port, PATHS[0])
        askers = [threading.Thread(target=keep_asking, args=(path,)) for path in PATHS[1:]]
        for asker in askers:
            asker.start()
        assert soon(lambda: len(answered) == len(askers))
        process.kill()
        for asker in askers:
            asker.join(PATIENCE_S)
    assert len(cut) == len(PATHS) - 1
    assert snapshot(logdir) == before
    answers = []
    for _ in range(2):
        with serving(logdir) as (_, port):
            answers.append([get(port, path) for path in PATHS])
    assert answers[0] == answers[1]
    assert answers[0][0] == first
