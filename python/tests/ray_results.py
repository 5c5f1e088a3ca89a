"""What runs of safelight.ray have left."""

import os

import pyarrow.parquet


def rows_of(summary):
    return pyarrow.parquet.read_table(summary.rows).to_pylist()


def results_of(folder):
    return sorted(
        os.path.relpath(os.path.join(root, name), folder)
        for root, _, names in os.walk(folder)
        for name in names
        if "_safelight" not in root
    )
