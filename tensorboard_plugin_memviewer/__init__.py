"""Memory Viewer: what every buffer of an XLA program costs, from the compiler's own plan."""

__version__ = "0.1.0"
