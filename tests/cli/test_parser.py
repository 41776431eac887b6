"""Every command explains itself with examples, and every example is one that the parser takes."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
from collections.abc import Callable
from typing import Any

import pytest

from tensorboard_plugin_memviewer.cli.location import Location, parse_location, parse_sizes
from tensorboard_plugin_memviewer.cli.parser import EXPORT_FORMATS, GROUPINGS, build_parser
from tensorboard_plugin_memviewer.errors import BadParameter


def commands() -> dict[str, argparse.ArgumentParser]:
    for action in build_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise AssertionError


@pytest.mark.parametrize("name", commands())
def test_examples_are_valid(name: str) -> None:
    help_text = commands()[name].format_help()
    examples = re.findall(r"^  memviewer (.*)$", help_text, re.MULTILINE)
    assert examples, "no examples"
    for example in examples:
        words = shlex.split(re.split(r" [|<] ", example)[0])
        assert build_parser().parse_args(words).command == name


@pytest.mark.parametrize("name", commands())
def test_a_parser_made_for_one_command_knows_it_as_well(name: str) -> None:
    (action,) = (one for one in build_parser([name])._actions if isinstance(one, argparse._SubParsersAction))
    assert list(action.choices) == [name]
    assert action.choices[name].format_help() == commands()[name].format_help()


@pytest.mark.parametrize("name", commands())
def test_there_is_a_module_for_every_command(name: str) -> None:
    module = importlib.import_module(
        f"tensorboard_plugin_memviewer.cli.{commands()[name].get_default('runs')}"
    )
    assert callable(module.run)


def test_groupings_are_those_of_the_analysis() -> None:
    from tensorboard_plugin_memviewer.analysis.live_set import GROUPINGS as ANALYSED

    assert set(GROUPINGS) == set(ANALYSED)


def test_formats_of_files_are_those_of_the_export() -> None:
    from tensorboard_plugin_memviewer.export.files import CONTENT_TYPES

    assert set(EXPORT_FORMATS) == set(CONTENT_TYPES)


@pytest.mark.parametrize(
    "arguments", [[], ["frob"], ["check"], ["peak", "x", "--top", "-1"], ["serve", "x", "--port", "70000"]]
)
def test_wrong_usage(memviewer: Callable[..., Any], arguments: list[str]) -> None:
    answer = memviewer(*arguments)
    assert answer.code == 2
    assert answer.err.startswith("usage: memviewer")


def test_a_location_chooses_as_the_page_does() -> None:
    text = "gs://b/logs#run=train%2F1&module=jit_f(12)"
    assert parse_location(text, space="VMEM") == Location("gs://b/logs", "train/1", None, "jit_f(12)", "VMEM")
    assert parse_location("a#b/logs", run="x") == Location("a#b/logs", "x")
    with pytest.raises(BadParameter):
        parse_location("logs#run=a&rum=b")


def test_sizes_by_memory_space() -> None:
    assert parse_sizes(["16GiB", "vmem=64 MiB", "7=1K"]) == {0: 16 * 2**30, 1: 64 * 2**20, 7: 1024}
    with pytest.raises(BadParameter):
        parse_sizes(["nowhere=1GiB"])
