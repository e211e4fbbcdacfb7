"""Game records: games that were played, with comments and variations, in the formats of other programs."""
