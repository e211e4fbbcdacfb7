"""Search trees as pictures and as records for pages."""
