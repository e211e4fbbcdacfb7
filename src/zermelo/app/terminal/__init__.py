"""Playing in a terminal: at a prompt, or on the whole screen."""
