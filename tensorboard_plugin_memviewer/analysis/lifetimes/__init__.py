"""When every buffer lives: the order of points, the flow of values, live ranges as XLA works them out."""
