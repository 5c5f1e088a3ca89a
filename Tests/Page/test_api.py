"""What scripts ask the server for is what its description says, for made-up requests too."""

import json
import pathlib
import subprocess
import sys
import urllib.error
import urllib.request

from studio import PATIENCE, safelight, until


class Script:
    """Asks a studio as a script does."""

    def __init__(self, studio):
        self.base = studio.origin + "/api/v1/"
        self.secret = "Bearer " + studio.address.split("token=")[1]

    def ask(self, method, path, body=None, **fields):
        """Returns the status, the header fields, and the body: an object, or bytes of a picture."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": self.secret, **{name.replace("_", "-"): value for name, value in fields.items()}}
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            answer = urllib.request.urlopen(request, timeout=PATIENCE)
        except urllib.error.HTTPError as problem:
            answer = problem
        with answer:
            found = answer.read()
            is_json = "json" in answer.headers.get("Content-Type", "")
            return answer.status, answer.headers, json.loads(found) if is_json else found


def test_description(studio, tmp_path):
    """Everything but what a schema cannot say: which texts are tables and recipes."""
    token = studio.address.split("token=")[1]
    schemathesis = pathlib.Path(sys.executable).with_name("schemathesis")
    done = subprocess.run(
        [schemathesis, "run", f"{studio.origin}/api/openapi.json", "-H", f"Authorization: Bearer {token}",
         "--exclude-checks", "positive_data_acceptance", "--max-examples", "50", "--seed", "1"],
        capture_output=True, text=True, timeout=5 * PATIENCE,
        # It keeps what it found beside it.
        cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-4000:]


def test_a_change_is_seen_and_undone(page, studio):
    script = Script(studio)
    photo = page.state("s.photo")
    before = script.ask("GET", f"photos/{photo}/edit")[1]["ETag"]
    status, headers, edit = script.ask("PATCH", f"photos/{photo}/edit", {"values": {"exposure": 0.7}}, If_Match=before)
    assert status == 200 and edit["values"] == {"exposure": 0.7}
    until(lambda: page.state("s.edit.values.exposure") == 0.7, "the page has it")
    assert script.ask("PATCH", f"photos/{photo}/edit", {"values": {}}, If_Match=before)[0] == 412
    page.press("Control+z")
    until(lambda: page.state("s.edit.values.exposure") is None, "it is undone")
    until(lambda: script.ask("GET", f"photos/{photo}/edit")[1]["ETag"] == before, "it is undone beside the photo, too")


def test_pictures_are_those_of_the_command_line(studio, photo, tmp_path):
    script = Script(studio)
    name = script.ask("GET", "photos")[2][0]["photo"]
    recipe = {"safelight": 1, "filters": [
        {"filter": "straighten", "angle": 1.5}, {"filter": "exposure", "stops": 0.4}, {"filter": "clarity", "amount": 30}]}
    assert script.ask("PUT", f"photos/{name}/recipe", recipe)[0] == 200
    (tmp_path / "mine.json").write_text(json.dumps(script.ask("GET", f"photos/{name}/recipe")[2]))
    for query, suffix, options in [
        ("", "jpg", []), ("?width=700&height=600", "jpg", ["--max-size", "700x600"]),
        ("?width=500&format=png", "png", ["--max-size", "500x65535"]), ("?quality=50", "jpg", ["--quality", "50"]),
    ]:
        status, _, picture = script.ask("GET", f"photos/{name}/picture{query}")
        wanted = tmp_path / f"wanted{len(options)}{options[-1:]}.{suffix}"
        safelight("edit", photo, "-o", wanted, "--recipe", tmp_path / "mine.json", "--backend", "cpu", *options)
        assert status == 200 and picture == wanted.read_bytes(), query
