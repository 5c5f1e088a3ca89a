"""What scripts ask the server for is what its description says, for made-up requests too."""

import pathlib
import subprocess
import sys

from studio import PATIENCE


def test_description(studio):
    """Everything but what a schema cannot say: which texts are tables and recipes."""
    token = studio.address.split("token=")[1]
    schemathesis = pathlib.Path(sys.executable).with_name("schemathesis")
    done = subprocess.run(
        [schemathesis, "run", f"{studio.origin}/api/openapi.json", "-H", f"Authorization: Bearer {token}",
         "--exclude-checks", "positive_data_acceptance", "--max-examples", "50", "--seed", "1"],
        capture_output=True, text=True, timeout=5 * PATIENCE)
    assert done.returncode == 0, done.stdout[-4000:]
