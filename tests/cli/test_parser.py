"""Every command explains itself with examples, and every example is one that the parser takes."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
from collections.abc import Callable
from typing import Any, get_args

import pytest

from tensorboard_plugin_memviewer.cli.location import Location, parse_location
from tensorboard_plugin_memviewer.cli.parser import EXPORT_FORMATS, build_parser
from tensorboard_plugin_memviewer.errors import BadParameter
from tensorboard_plugin_memviewer.model.capacities import parse_sizes
from tensorboard_plugin_memviewer.vocabulary.groupings import GROUPINGS, GroupBy


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
        f"tensorboard_plugin_memviewer.cli.commands.{commands()[name].get_default('runs')}"
    )
    assert callable(module.run)


def test_groupings_are_those_of_the_analysis() -> None:
    from tensorboard_plugin_memviewer.analysis.live_set import GROUPINGS as ANALYSED

    assert get_args(GroupBy) == tuple(GROUPINGS) == tuple(ANALYSED)


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
