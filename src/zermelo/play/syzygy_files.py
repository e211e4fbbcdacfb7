"""Syzygy tables that python-chess reads at places: it maps files, and one that is cut short would end the process.

This module is imported only where python-chess is installed.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from chess import syzygy

from zermelo.files import FileError, RandomAccessFile

PAGE = 1 << 12
"""Bytes that are read at once."""

KEPT_PAGES = 256
"""Pages of a table that stay in memory."""


class TableBytes:
    """The bytes of a table, as far as python-chess asks a map for them."""

    def __init__(self, path: str) -> None:
        self._file = RandomAccessFile(Path(path))
        self._page = lru_cache(KEPT_PAGES)(self._read)
        if self._file.length % 64 != 16:
            raise FileError(f"{path} is no Syzygy table: its size is not that of one.")

    def _read(self, number: int) -> bytes:
        start = number * PAGE
        return self._file.read(start, min(PAGE, self._file.length - start))

    def __len__(self) -> int:
        return self._file.length

    def __getitem__(self, place: Any) -> Any:
        if not isinstance(place, slice):
            return self._page(place // PAGE)[place % PAGE]
        start, stop = place.start or 0, min(place.stop, len(self))
        pages = b"".join(self._page(number) for number in range(start // PAGE, -(-stop // PAGE)))
        return pages[start % PAGE :][: stop - start]

    def close(self) -> None:
        self._file.close()


def _number(data: Any, place: int, size: int, order: Literal["little", "big"]) -> int:
    """The number in `size` bytes at a place. Raise IndexError if the file ends before."""
    if not 0 <= place <= len(data) - size:
        raise IndexError(place)
    return int.from_bytes(data[place : place + size], order)


class _Placed:
    """A table that reads its file at places."""

    path: str
    data: Any

    def init_mmap(self) -> None:
        if self.data is None:
            self.data = TableBytes(self.path)

    def read_uint64_be(self, data_ptr: int) -> int:
        return _number(self.data, data_ptr, 8, "big")

    def read_uint32(self, data_ptr: int) -> int:
        return _number(self.data, data_ptr, 4, "little")

    def read_uint32_be(self, data_ptr: int) -> int:
        return _number(self.data, data_ptr, 4, "big")

    def read_uint16(self, data_ptr: int) -> int:
        return _number(self.data, data_ptr, 2, "little")


class _WdlTable(_Placed, syzygy.WdlTable): ...


class _DtzTable(_Placed, syzygy.DtzTable): ...


PLACED: dict[type[syzygy.Table], type[syzygy.Table]] = {syzygy.WdlTable: _WdlTable, syzygy.DtzTable: _DtzTable}


class Tables(syzygy.Tablebase):
    """The tables in a folder."""

    def __init__(self, folder: str | Path) -> None:
        super().__init__()
        self.add_directory(os.fspath(folder))

    def _open_table(self, hashtable: Any, Table: type[syzygy.Table], path: str) -> int:
        return super()._open_table(hashtable, PLACED[Table], path)
