"""Generated protobuf modules for the few fields that are read; see README.md beside them."""
