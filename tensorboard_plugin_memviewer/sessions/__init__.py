"""Which runs, hosts and files a logdir has, and their bytes by range; knows nothing of what they hold."""
