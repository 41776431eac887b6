"""Which runs, hosts and files there are under a logdir, and their bytes by range; knows nothing of what they
hold.
"""
