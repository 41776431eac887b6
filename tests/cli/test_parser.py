"""Every command explains itself with examples, and every example is one that the parser takes."""

from __future__ import annotations

import argparse
import pkgutil
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Any, get_args

import pytest

from tensorboard_plugin_memviewer.cli import commands
from tensorboard_plugin_memviewer.cli.location import Location, parse_location
from tensorboard_plugin_memviewer.cli.options import COMMANDS
from tensorboard_plugin_memviewer.cli.parser import build_parser, command
from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.model.capacities import parse_sizes
from tensorboard_plugin_memviewer.vocabulary.groupings import GroupBy


def parsers(*arguments: str) -> dict[str, argparse.ArgumentParser]:
    """The commands that the parser for these arguments knows."""
    for action in build_parser(arguments)._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise AssertionError


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_are_valid(name: str) -> None:
    help_text = parsers(name)[name].format_help()
    shown = re.findall(r"^  memviewer (.*)$", help_text, re.MULTILINE)
    assert shown == [f"{name} {example}".rstrip() for example in command(name).EXAMPLES] != []
    for example in shown:
        words = shlex.split(re.split(r" [|<] ", example)[0])
        assert build_parser(words).parse_args(words).command == name


@pytest.mark.parametrize("name", COMMANDS)
def test_only_the_command_that_is_named_is_made(name: str) -> None:
    assert list(parsers(name)) == list(parsers("--", name, "x")) == [name]


def test_every_command_is_listed_and_each_is_in_a_module_of_its_own() -> None:
    assert list(parsers()) == list(parsers("--help")) == list(parsers("frob")) == list(COMMANDS)
    modules = {module.name for module in pkgutil.iter_modules(commands.__path__)}
    assert modules == {name.replace("-", "_") for name in COMMANDS}


def test_commands_are_listed_without_importing_them() -> None:
    code = (
        "import sys; from tensorboard_plugin_memviewer.cli.parser import build_parser; build_parser([]);"
        "sys.exit([m for m in sys.modules if '.commands.' in m or m == 'numpy'] != [])"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_groupings_are_those_of_the_analysis() -> None:
    from tensorboard_plugin_memviewer.analysis.grouping.table import GROUPINGS as ANALYSED
    from tensorboard_plugin_memviewer.vocabulary.groupings import GROUPINGS

    assert get_args(GroupBy) == tuple(GROUPINGS) == tuple(ANALYSED)


@pytest.mark.parametrize(
    "arguments", [[], ["frob"], ["check"], ["peak", "x", "--top", "-1"], ["serve", "x", "--port", "70000"]]
)
def test_wrong_usage(memviewer: Callable[..., Any], arguments: list[str]) -> None:
    answer = memviewer(*arguments)
    assert answer.code == 2
    assert answer.err.startswith("usage: memviewer")


def test_a_location_chooses_as_the_page_does() -> None:
    text = "gs://b/logs#run=train%2F1&module=jit_f(12)"
    chosen = parse_location(text, run=None, module=None, space="VMEM")
    assert chosen == Location("gs://b/logs", "train/1", None, "jit_f(12)", "VMEM")
    assert parse_location("a#b/logs", run="x") == Location("a#b/logs", "x")
    assert parse_location("logs#run=x", run="x") == Location("logs", "x")


@pytest.mark.parametrize(
    "text", ["logs#run=a&rum=b", "logs#run=a&host=h", "logs#run=b", "logs#run=a&run=b", "logs#space=HBM"]
)
def test_what_a_location_cannot_choose_is_refused(text: str) -> None:
    with pytest.raises(BadParameter):
        parse_location(text, run="a")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("summary", "{demo}#space=VMEM"), "space"),
        (("check", "{demo}#space=VMEM", "--max-hbm", "1TiB"), "space"),
        (("doctor", "{demo}#run=gpu_h100"), "run"),
        (("explain-oom", "{demo}/xla_dump_oom/error.txt", "--dump", "{demo}#run=xla_dump_oom"), "run"),
        (("peak", "{demo}#run=gpu_h100", "--run", "xla_dump_oom"), "xla_dump_oom"),
        (("check", "{demo}", "--max-hbm", "1TiB", "--max", "HBM=1GiB"), "HBM"),
        (("summary", "{demo}", "--capacity", "1TiB", "--capacity", "8GiB"), "HBM"),
    ],
)
def test_no_choice_is_silently_overruled(
    memviewer: Callable[..., Any], demo: object, arguments: tuple[str, ...], named: str
) -> None:
    answer = memviewer(*(argument.format(demo=demo) for argument in arguments))
    assert answer.code == 2
    assert answer.out == ""
    assert named in answer.err


def test_list_chooses_by_module(memviewer: Callable[..., Any], demo: object) -> None:
    answer = memviewer("list", f"{demo}#module=jit_train_step", "--format", "json")
    names = {module["name"] for run in answer.json["runs"] for module in run["modules"]}
    assert names == {"jit_train_step"}


def test_sizes_by_memory_space() -> None:
    assert parse_sizes(["16GiB", "vmem=64 MiB", "7=1K"]) == {0: 16 * 2**30, 1: 64 * 2**20, 7: 1024}
    for wrong in (["nowhere=1GiB"], ["16GB"], ["14"], ["VMEM=64MiB", "1=64MiB"]):
        with pytest.raises(BadParameter):
            parse_sizes(wrong)
