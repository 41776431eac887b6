"""The Python API: the names behind `import tensorboard_plugin_memviewer as memviewer`.

An interface like the page and the command line: it presents the service's records as objects. The package's
__init__ imports from here on first use.
"""
