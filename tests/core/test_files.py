"""Files: names that no file can have."""

import pytest

import zermelo as z
from zermelo.files import FileError


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_no_file_has_such_a_name(name):
    nim = z.load("nim")
    for ask in (
        lambda: z.Solution.open(name),
        lambda: z.search(nim, database=name),
        lambda: z.search(nim, weights=name),
        lambda: z.solve(nim, name),
    ):
        with pytest.raises(FileError, match="no file can have this name"):
            ask()
