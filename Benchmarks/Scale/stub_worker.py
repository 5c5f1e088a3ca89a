"""A worker that edits nothing, for what is measured around it: sleeps as long as STUB_SECONDS says and writes a few bytes."""

import json
import os
import sys
import time

seconds = float(os.environ.get("STUB_SECONDS", "0"))
answer = json.dumps({"edited": {"width": 1, "height": 1, "seconds": seconds, "fingerprint": {"bytes": 4, "hash": "0"}}})
print(json.dumps({"protocol": 1, "engine": "stub", "edit": "stub", "format": "jpeg"}), flush=True)
for line in sys.stdin:
    time.sleep(seconds)
    with open(json.loads(line)["output"], "xb") as file:
        file.write(b"stub")
    print(answer, flush=True)
