"""Usage of modules that XProf saved as memory_viewer protos, which have no schedule."""
