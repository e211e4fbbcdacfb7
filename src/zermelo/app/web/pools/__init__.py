"""Where the server runs rules and searches: threads for Zermelo's own games, processes for games named by file."""
