"""python -m zermelo: the same as the command."""

from zermelo.app.cli import main

main()
