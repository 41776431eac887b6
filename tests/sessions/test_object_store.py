"""A logdir in an S3 bucket, served by a stand-in on loopback: listing, ranges, changes and failures."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from typing import Any

import fsspec
import pytest

from tensorboard_plugin_memviewer.errors import MemviewerError, NotFound
from tensorboard_plugin_memviewer.sessions.filesystem import Changed
from tensorboard_plugin_memviewer.sessions.logdir import Logdir
from tests.patience import PATIENCE_S

CAPTURE = bytes(range(256)) * 8000
KEY = "logs/train/plugins/profile/run 1, ü/host.xplane.pb"

if importlib.util.find_spec("moto") and importlib.util.find_spec("s3fs"):
    pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

    @pytest.fixture(scope="module")
    def store() -> Iterator[Any]:
        server = importlib.import_module("moto.server").ThreadedMotoServer(
            ip_address="127.0.0.1", port=0, verbose=False
        )
        server.start()
        host, port = server.get_host_and_port()
        options = {"endpoint_url": f"http://{host}:{port}", "key": "test", "secret": "test"}
        fsspec.config.conf["s3"] = options
        driver = fsspec.filesystem("s3", skip_instance_cache=True)
        driver.mkdir("bucket")
        yield driver
        del fsspec.config.conf["s3"]
        server.stop()

    @pytest.fixture
    def logdir(store: Any) -> Logdir:
        store.pipe(f"bucket/{KEY}", CAPTURE)
        store.pipe("bucket/logs/events.1", b"x")
        return Logdir("s3://bucket/logs")

    def test_a_bucket_is_listed_and_read_by_range(logdir: Logdir) -> None:
        (run,) = logdir.listing().runs
        assert (run.name, run.kind, run.host_names) == ("train/run 1, ü", "profile", ("host",))
        assert run.time is not None
        with logdir.reading(run.hosts[0].captures[0]) as reader:
            assert reader.read(1_000_000, 1_000_009) == CAPTURE[1_000_000:1_000_009]
            assert reader.read(3, 1_900_000) == CAPTURE[3:1_900_000]

    def test_an_object_that_changed_is_seen(logdir: Logdir, store: Any) -> None:
        file = logdir.listing().runs[0].hosts[0].captures[0]
        store.pipe(f"bucket/{KEY}", CAPTURE[::-1])
        with pytest.raises(Changed):
            logdir.read(file)
        logdir.forget_listing()
        assert logdir.read(logdir.listing().runs[0].hosts[0].captures[0]) == CAPTURE[::-1]
        store.rm(f"bucket/{KEY}")
        logdir.forget_listing()
        assert logdir.listing().runs == ()

    @pytest.mark.parametrize("url", ["s3://bucket/none", "s3://nobucket/logs"])
    def test_what_is_not_there_is_not_found(store: Any, url: str) -> None:
        with pytest.raises(NotFound):
            Logdir(url).listing()

    def test_a_store_that_does_not_answer_is_an_error_with_an_advice(store: Any) -> None:
        kept = fsspec.config.conf["s3"]
        fsspec.config.conf["s3"] = kept | {
            "endpoint_url": "http://127.0.0.1:9",
            "config_kwargs": {"retries": {"max_attempts": 0}, "connect_timeout": PATIENCE_S},
        }
        try:
            with pytest.raises(MemviewerError) as caught:
                Logdir("s3://bucket/logs").listing()
        finally:
            fsspec.config.conf["s3"] = kept
        assert "network" in caught.value.advice
