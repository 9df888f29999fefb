"""Tables of columns: an id and values for each vertex."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import InvalidInputError

if TYPE_CHECKING:
    import networkx
    import pandas
    import polars

SHOWN_ROWS = 10
ID = "id"


class Table(Mapping[str, np.ndarray]):
    """
    Columns of equal length; the first one, ``id``, names vertices (a column that is called so, too, is ``id_`` here).
    ``table["rank"]`` is a numpy array, so is ``table.ids``. Where the cluster has no value (a vertex without a parent),
    ``table.missing["parent"]`` is a mask.
    """

    def __init__(self, columns: Mapping[str, np.ndarray], missing: Mapping[str, np.ndarray] | None = None) -> None:
        self._columns = dict(columns)
        self.missing: dict[str, np.ndarray] = dict(missing or {})

    @property
    def ids(self) -> np.ndarray:
        """The vertices."""
        return self._columns[ID]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.ids)

    def __getitem__(self, column: str) -> np.ndarray:
        return self._columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def sort(self, column: str, descending: bool = True) -> Table:
        """The same rows, in the order of a column."""
        order = np.argsort(self[column], kind="stable")
        return self.take(order[::-1] if descending else order)

    def head(self, rows: int = 10) -> Table:
        """The first rows."""
        return self.take(np.arange(min(rows, self.rows)))

    def take(self, indexes: np.ndarray) -> Table:
        """These rows."""
        return Table(
            {name: values[indexes] for name, values in self.items()},
            {name: mask[indexes] for name, mask in self.missing.items()},
        )

    def to_dict(self, column: str | None = None) -> dict[Any, Any]:
        """A column's values by vertex: Python's own numbers and texts. The only one, if none is named."""
        name = self._only(column)
        keys = self.ids.tolist()
        return dict(zip(keys, self._values(name), strict=True))

    def to_numpy(self, column: str | None = None) -> np.ndarray:
        """A column, without a copy. The only one, if none is named."""
        return self[self._only(column)]

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame, with the vertices as its index."""
        import pandas

        data = {name: _flat(self._masked(name)) for name in self if name != "id"}
        return pandas.DataFrame(data, index=pandas.Index(self.ids, name="id"))

    def to_polars(self) -> polars.DataFrame:
        """A data frame of polars."""
        import polars

        return polars.DataFrame({name: self._values(name) if name in self.missing else self[name] for name in self})

    def to_arrow(self) -> Any:
        """A ``pyarrow.Table``. It takes pyarrow, which the extra ``arrow`` of this package installs."""
        try:
            import pyarrow
        except ImportError as none:
            raise ImportError("a table of Arrow takes pyarrow; install it, or starling-graph with its extra: [arrow]") from none
        arrays = {}
        for name in self:
            values = self[name]
            mask = self.missing.get(name)
            arrays[name] = pyarrow.array(values.tolist() if values.ndim > 1 else values, mask=mask)
        return pyarrow.table(arrays)

    def to_networkx(self, graph: networkx.Graph | None = None) -> networkx.Graph:
        """Puts the values on the nodes of a graph (a new one without edges, if none is given)."""
        import networkx

        target = networkx.Graph() if graph is None else graph
        if graph is None:
            target.add_nodes_from(self.ids.tolist())
        for name in self:
            if name != "id":
                networkx.set_node_attributes(target, self.to_dict(name), name)
        return target

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any:
        """A stream for libraries that take such; like ``to_arrow()``, it takes pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _only(self, column: str | None) -> str:
        if column is not None:
            if column not in self:
                raise InvalidInputError(f'there is no column "{column}"; there are {", ".join(self)}')
            return column
        names = [name for name in self if name != "id"]
        if len(names) != 1:
            raise InvalidInputError(f"name one of the columns {', '.join(names)}")
        return names[0]

    def _values(self, name: str) -> list[Any]:
        values = self[name].tolist()
        mask = self.missing.get(name)
        return values if mask is None else [None if gone else value for value, gone in zip(values, mask, strict=True)]

    def _masked(self, name: str) -> Any:
        if name not in self.missing:
            return self[name]
        import pandas

        return pandas.array(self._values(name), dtype="UInt64" if self[name].dtype.kind == "u" else object)

    def __repr__(self) -> str:
        names = list(self)
        lines = [[_shown(value) for value in row] for row in self._shown_rows()]
        widths = [max(len(name), *(len(line[i]) for line in lines)) if lines else len(name) for i, name in enumerate(names)]
        text = ["  ".join(name.rjust(width) for name, width in zip(names, widths, strict=True))]
        text += ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
        if self.rows > SHOWN_ROWS:
            text.append(f"… {self.rows:,} rows")
        return "\n".join(text)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(_shown(value))}</td>" for value in row) + "</tr>" for row in self._shown_rows())
        more = f"<p>{self.rows:,} rows</p>" if self.rows > SHOWN_ROWS else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    def _shown_rows(self) -> list[tuple[Any, ...]]:
        part = self.head(SHOWN_ROWS)
        return list(zip(*(part._values(name) for name in part), strict=True))


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _flat(values: Any) -> Any:
    return list(values) if isinstance(values, np.ndarray) and values.ndim > 1 else values
