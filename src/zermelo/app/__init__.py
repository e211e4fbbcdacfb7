"""The applications: the command line, the terminal and the web page."""
