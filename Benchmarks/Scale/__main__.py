"""What many machines cost: photos through Ray against `safelight batch` and against libvips in the same harness.

    python Benchmarks/Scale [PART …]     parts: arrays batch s3 nodes waiting kills million; all if none is named

SAFELIGHT is the program, SAFELIGHT_LIBRARY the library; `make bench-scale` sets both. Each part prints one line of JSON with its
bar and whether it is met.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

import parts

PARTS: "dict[str, Callable[[Path], list[dict[str, Any]]]]" = {
    "arrays": parts.arrays,
    "batch": parts.against_batch,
    "s3": parts.through_s3,
    "nodes": parts.two_nodes,
    "waiting": parts.waiting_nodes,
    "kills": parts.kills,
    "million": parts.million,
}


def main() -> None:
    chosen = sys.argv[1:] or list(PARTS)
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        sys.exit(f"Error: There is no part {unknown[0]}; there are {', '.join(PARTS)}.")
    missed = 0
    for name in chosen:
        with tempfile.TemporaryDirectory(prefix="scale-", dir=os.environ.get("SCALE_FOLDER")) as folder:
            for line in PARTS[name](Path(folder)):
                missed += not line.get("met", True)
                print(json.dumps({"part": name, **line}), flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
