"""Protocols between game programs: UGI for any game, UCI for chess, as engine and as client."""
