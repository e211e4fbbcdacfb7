"""The applications: the command line, the terminal and the web page."""

import time

STARTED = time.monotonic()
"""When this process was started, as nearly as it is known: before the libraries of the command line are imported."""
