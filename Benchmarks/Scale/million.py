"""A million keys: the driver's memory, and how long a run that has nothing left to do takes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

_DRIVER = """
import json, resource, sys, time
import safelight, safelight.ray
began = time.monotonic()
summary = safelight.ray.edit(sys.argv[1], sys.argv[2], block=256, program=sys.argv[3], progress=False)
print(json.dumps({"photos": summary.photos, "done": summary.done, "failed": summary.failed,
    "seconds": time.monotonic() - began, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
"""


def million(folder: Path) -> "list[dict[str, Any]]":
    import json

    count = int(os.environ.get("SCALE_KEYS", "1000000"))
    photos = folder / "in"
    for number in range(count):
        if number % 1000 == 0:
            (photos / f"{number // 1000:04}").mkdir(parents=True)
        os.mknod(photos / f"{number // 1000:04}" / f"{number % 1000:03}.jpg", 0o644)
    stub = folder / "stub"
    stub.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).parent / "stub_worker.py"}" "$@"\n')
    stub.chmod(0o755)

    def drive() -> "dict[str, Any]":
        command = [sys.executable, "-c", _DRIVER, str(photos), str(folder / "out"), str(stub)]
        said = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "STUB_SECONDS": "0"})
        result: "dict[str, Any]" = json.loads(said.stdout.splitlines()[-1])
        assert result["done"] == count and result["failed"] == 0, result
        return result

    first, began = drive(), time.monotonic()
    again = drive()
    peak, resumed = max(first["peak"], again["peak"]) / 1e9, time.monotonic() - began
    return [
        {"what": f"memory of the driver for {count} keys, in GB", "value": round(peak, 2), "bar": 1.5, "met": peak <= 1.5,
         "photosASecond": round(count / first["seconds"])},
        {"what": f"starting a finished run of {count} keys again, in seconds", "value": round(resumed, 1), "bar": 60,
         "met": resumed <= 60},
    ]
