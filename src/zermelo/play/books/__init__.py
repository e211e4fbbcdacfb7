"""Opening books: proven ones, learned ones, and those of other programs."""
