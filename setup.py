"""Lets tools that look for setup.py build the package; every fact about it is in pyproject.toml."""

from setuptools import setup

setup()
