"""Datasets: read and written as rows, or as pandas tables if pandas is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Union
from urllib.parse import quote

from ._errors import PlumblineError, RequestFailed
from ._json import to_text

if TYPE_CHECKING:
    import pandas

    from ._client import Client

_ROWS_MAX = 1_000
"""The most rows that one request adds or reads."""
IDEAL_OUTPUT = "ideal_output"
"""The column of a table that holds the expected output, which is not one of the values."""


@dataclass(frozen=True)
class Row:
    """One case of a dataset."""

    #: Column name to value.
    values: Mapping[str, Any]
    #: The expected output.
    ideal_output: str | None = None
    name: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Column:
    name: str
    #: ``text``, ``json``, ``image`` or ``file``.
    type: str


class DataFrame(Protocol):
    """A pandas table, or anything with the same interface."""

    @property
    def columns(self) -> Any: ...
    def to_dict(self, orient: Any) -> Any: ...


AnyRow = Union[Row, Mapping[str, Any]]
Rows = Union[Sequence[AnyRow], DataFrame]
"""Rows; mappings of column names to values, in which ``ideal_output`` is the expected output; or a pandas table."""


@dataclass(frozen=True)
class Dataset:
    slug: str
    name: str
    columns: Sequence[Column]
    rows: Sequence[Row]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def to_pandas(self) -> pandas.DataFrame:
        """The values as a table, with a column ``ideal_output`` if any row has an expected output."""
        try:
            import pandas
        except ImportError as error:
            raise PlumblineError("pandas is not installed: pip install pandas") from error
        names = [column.name for column in self.columns]
        has_ideal = any(row.ideal_output is not None for row in self.rows)
        records = [
            {**{name: row.values.get(name) for name in names}, **({IDEAL_OUTPUT: row.ideal_output} if has_ideal else {})}
            for row in self.rows
        ]
        return pandas.DataFrame(records, columns=[*names, *([IDEAL_OUTPUT] if has_ideal else [])])


def read_rows(rows: Rows) -> list[Row]:
    """Converts rows to one form. A missing value of pandas is left out."""
    if isinstance(rows, Iterable) and not hasattr(rows, "to_dict"):
        return [_row_of(row) for row in rows]
    table: Any = rows
    return [
        _row_of({str(name): value for name, value in record.items() if not _is_missing(value)})
        for record in table.to_dict(orient="records")
    ]


def _row_of(row: AnyRow) -> Row:
    if isinstance(row, Row):
        return row
    if isinstance(row.get("values"), Mapping):
        # The form of the interface.
        ideal = row.get("idealOutput", row.get(IDEAL_OUTPUT))
        return Row(row["values"], ideal, row.get("name"), row.get("metadata") or {})
    ideal = row.get(IDEAL_OUTPUT)
    values = {name: value for name, value in row.items() if name != IDEAL_OUTPUT}
    return Row(values, None if ideal is None else to_text(ideal))


def _is_missing(value: object) -> bool:
    try:
        return value is None or bool(value != value) or type(value).__name__ in ("NaTType", "NAType")
    except (TypeError, ValueError):
        # A list or an array.
        return False


def get_dataset(client: Client, slug: str) -> Dataset:
    found = client.request("GET", f"/datasets/{quote(slug, safe='')}")["dataset"]
    columns = [Column(column["name"], column["type"]) for column in found["columns"]]
    return Dataset(found["slug"], found["name"], columns, [_row_of(row) for row in found["rows"]])


def read_stored_rows(client: Client, slug: str) -> tuple[list[Row], list[str]]:
    """The rows of a dataset, and their ids."""
    stored: list[Any] = []
    query: dict[str, Any] = {"limit": _ROWS_MAX}
    while True:
        page = client.request("GET", f"/datasets/{quote(slug, safe='')}/items", query=query)
        stored += page["rows"]
        if page.get("nextCursor") is None:
            return [_row_of(row) for row in stored], [row["id"] for row in stored]
        query["cursor"] = page["nextCursor"]


def add_rows(client: Client, slug: str, rows: Rows) -> list[str]:
    """Adds rows; returns their ids."""
    bodies = [_to_wire(row) for row in read_rows(rows)]
    ids: list[str] = []
    for start in range(0, len(bodies), _ROWS_MAX):
        body = {"rows": bodies[start : start + _ROWS_MAX]}
        ids += client.request("POST", f"/datasets/{quote(slug, safe='')}/items/bulk", body=body)["ids"]
    return ids


def create_dataset(
    client: Client, slug: str, rows: Rows | None, name: str | None, columns: Sequence[str | Column] | None
) -> Dataset:
    """Creates a dataset with the columns of its rows. An existing one keeps its columns, and the rows are added."""
    read = [] if rows is None else read_rows(rows)
    if columns is None:
        found = dict.fromkeys(column for row in read for column in row.values)
        columns = [Column(column, _type_of(column, read)) for column in found]
    wire = [{"name": column, "type": "text"} if isinstance(column, str) else vars(column) for column in columns]
    try:
        client.request("POST", "/datasets", body={"slug": slug, "name": name or slug, "columns": wire})
    except RequestFailed as error:
        if error.status != 409:
            raise
    if read:
        add_rows(client, slug, read)
    return get_dataset(client, slug)


def _type_of(column: str, rows: Sequence[Row]) -> str:
    values = [row.values[column] for row in rows if row.values.get(column) is not None]
    return "text" if all(isinstance(value, str) for value in values) else "json"


def _to_wire(row: Row) -> dict[str, Any]:
    wire: dict[str, Any] = {"values": dict(row.values)}
    if row.ideal_output is not None:
        wire["idealOutput"] = row.ideal_output
    if row.name is not None:
        wire["name"] = row.name
    if row.metadata:
        wire["metadata"] = dict(row.metadata)
    return wire
