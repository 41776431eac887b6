"""The runs, hosts and files of a logdir, and their bytes by range; knows nothing of their content."""
