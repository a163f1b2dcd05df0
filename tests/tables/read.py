"""Reads what Brigade writes with pyarrow and pandas, as it is: `read.py FOLDER`, with the pages of `.ci/pages`.

Every log, index, table and document is read without a converter, and a column of numbers holds numbers or nothing.
"""

import json
import sys
from pathlib import Path

import numpy
import pandas
import pyarrow
import pyarrow.csv
import pyarrow.json

# A line is read as a whole.
READING = pyarrow.json.ReadOptions(block_size=1 << 28)
# Documents have line breaks.
PARSING = pyarrow.json.ParseOptions(newlines_in_values=True)
# Columns that are numbers wherever they are known, by the name of the file.
NUMBERS = {
    "index.jsonl": ["ticks", "max_ticks", "seed", "epoch", "labels", "refused", "calls", "optimum", "cost"],
    "times.jsonl": ["ticks", "milliseconds", "in_models", "outside", "on_disk"],
    "tables.csv": ["value", "low", "high", "n", "episodes"],
}


def kinds(table):
    """The types of the columns of a table of pyarrow, those within structs and lists included."""

    def of(path, kind):
        yield path, kind
        if pyarrow.types.is_struct(kind):
            for field in kind:
                yield from of(f"{path}.{field.name}", field.type)
        elif pyarrow.types.is_list(kind):
            yield from of(f"{path}[]", kind.value_type)

    for field in table.schema:
        yield from of(field.name, field.type)


def is_number(kind):
    return pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind) or pyarrow.types.is_null(kind)


def read(path):
    """Reads a file with both, and returns the number of its rows."""
    if path.suffix == ".csv":
        table, frame = pyarrow.csv.read_csv(path), pandas.read_csv(path)
    elif path.suffix == ".jsonl":
        table, frame = pyarrow.json.read_json(path, READING), pandas.read_json(path, lines=True)
    else:
        table = pyarrow.json.read_json(path, READING, PARSING)
        frame = pandas.json_normalize(json.loads(path.read_text()))
    assert table.num_rows == len(frame), f"{path}: {table.num_rows} rows and {len(frame)}"
    types = dict(kinds(table))
    for column in NUMBERS.get(path.name, []):
        if column in types:
            assert is_number(types[column]), f"{path}: {column} is {types[column]}"
            numbers = pandas.api.types.is_numeric_dtype(frame[column]) or frame[column].isna().all()
            assert numbers, f"{path}: {column} is {frame[column].dtype}"
    # The same numbers in both, up to the last digit, in which pandas rounds otherwise.
    for column in table.column_names:
        if column in frame and is_number(types[column]) and not pyarrow.types.is_null(types[column]):
            ours, theirs = table[column].to_pandas().astype(float), frame[column].astype(float)
            same = numpy.isclose(ours, theirs, rtol=1e-12, atol=0, equal_nan=True)
            assert same.all(), f"{path}: {column} differs"
    return table.num_rows


def main():
    folder = Path(sys.argv[1])
    paths = sorted(path for ending in ("jsonl", "json", "csv") for path in folder.rglob(f"*.{ending}"))
    names = {path.name for path in paths}
    missing = {"index.jsonl", "process.jsonl", "times.jsonl", "summary.json", "header.json", "tables.csv", "tables.json"}
    missing -= names
    assert not missing, f"{folder}: nothing is called {missing}"
    failed = 0
    for path in paths:
        try:
            if path.stat().st_size:
                read(path)
        except Exception as error:  # All that are wrong are named.
            failed += 1
            print(f"{path}: {type(error).__name__}: {error}", file=sys.stderr)
    print(f"{len(paths)} files read with pyarrow {pyarrow.__version__} and pandas {pandas.__version__}, {failed} failed")
    sys.exit(1 if failed else 0)


main()
