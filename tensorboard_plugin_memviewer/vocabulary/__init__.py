"""The words and limits of the whole project, each in one place: tables of records.

The command line, notebooks, exported files and tables of docs/ read them, and the page does through
tools/generate_vocabulary.py. Imports no other part of the package.
"""
