"""Reads streams of Arrow into tables, with nanoarrow and numpy alone."""

from __future__ import annotations

from typing import Any

import nanoarrow
import numpy as np
from nanoarrow.ipc import InputStream

from .table import ID, Table

_TYPES: dict[str, np.dtype] = {
    "L": np.dtype(np.uint64),
    "l": np.dtype(np.int64),
    "i": np.dtype(np.int32),
    "f": np.dtype(np.float32),
    "g": np.dtype(np.float64),
}


def read(stream: Any) -> Table:
    """Reads all of a stream: something with ``read``."""
    with InputStream.from_readable(stream) as source:
        batches = nanoarrow.c_array_stream(source)
        schema = batches.get_schema()
        fields = list(schema.children)
        values: list[list[np.ndarray]] = [[] for _ in fields]
        masks: list[list[np.ndarray]] = [[] for _ in fields]
        held = []  # arrays are views of batches until they are put together
        for batch in batches:
            view = batch.view()
            held.append((batch, view))
            for i, field in enumerate(fields):
                column = view.child(i)
                values[i].append(_values(field, column))
                masks[i].append(_mask(column))
        columns = {}
        missing = {}
        for i, field in enumerate(fields):
            # ids are the first field, whatever a column behind it is called
            name = ID if i == 0 else ID + "_" if field.name == ID else field.name
            columns[name] = np.concatenate(values[i]) if values[i] else np.empty(0, _dtype(field))
            if any(mask.any() for mask in masks[i]):
                missing[name] = np.concatenate(masks[i])
        del held
    return Table(columns, missing)


def _dtype(field: Any) -> np.dtype:
    return np.dtype(bool) if field.format == "b" else _TYPES.get(field.format, np.dtype(object))


def _values(field: Any, column: Any) -> np.ndarray:
    rows = column.length
    if field.format == "u":
        starts = np.asarray(column.buffer(1)).tolist()
        text = bytes(column.buffer(2))
        strings = np.empty(rows, object)
        strings[:] = [text[starts[i] : starts[i + 1]].decode() for i in range(rows)]
        return strings
    if field.format.startswith("+w:"):
        width = int(field.format[3:])
        return _values(next(iter(field.children)), column.child(0)).reshape(rows, width)
    if field.format == "b":
        bits = np.unpackbits(np.asarray(column.buffer(1)).view(np.uint8), bitorder="little")
        return bits[:rows].astype(bool)
    return np.asarray(column.buffer(1), dtype=_TYPES[field.format])[:rows]


def _mask(column: Any) -> np.ndarray:
    if not column.null_count or column.n_buffers < 2:
        return np.zeros(column.length, bool)
    bits = np.unpackbits(np.frombuffer(bytes(column.buffer(0)), np.uint8), bitorder="little")
    return ~bits[: column.length].astype(bool)
