"""The lifetimes of buffers: the order of points, the flow of values, and XLA's live ranges."""
