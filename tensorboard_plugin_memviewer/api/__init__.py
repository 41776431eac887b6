"""The Python API: what `import tensorboard_plugin_memviewer as memviewer` offers, and what it is made of.

A door like the page and the command line: it puts the service's records into objects for people. The
package's own __init__ imports from here when a name is first asked for.
"""
