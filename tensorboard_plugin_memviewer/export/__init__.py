"""A module's memory as a file: one HTML file with the whole page in it, an SVG chart, or CSV.

Every name of the capture is text in all of them.
"""

from tensorboard_plugin_memviewer.export.chart import as_svg
from tensorboard_plugin_memviewer.export.page import as_html
from tensorboard_plugin_memviewer.export.rows import as_csv

__all__ = ["as_csv", "as_html", "as_svg"]
