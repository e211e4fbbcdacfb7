"""A game file that imports what is not there."""

import no_such_module_anywhere  # noqa: F401
