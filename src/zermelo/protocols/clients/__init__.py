"""Other programs as players: Zermelo as the client of their protocols."""
