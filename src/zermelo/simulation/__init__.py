"""Random games by the billion, and the statistics that game designers ask for; move sequences, counted."""
