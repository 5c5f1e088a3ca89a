"""The client of worker processes."""

import os
import stat
import subprocess
import time

import pytest
import safelight
from conftest import png
from safelight._errors import is_of_photo
from safelight._worker import Worker, WorkerLost, find_program

try:
    find_program()
except FileNotFoundError:
    pytest.skip("there is no program safelight", allow_module_level=True)


def _bytes(photo):
    with open(photo, "rb") as file:
        return file.read()


def test_results_are_those_of_the_library(photo, tmp_path):
    worker = Worker(["--exposure", "0.5"])
    assert worker.hello["protocol"] == 1
    edited = worker.edit(photo, str(tmp_path / "own.jpg"))
    result = _bytes(tmp_path / "own.jpg")
    assert (edited["width"], edited["height"]) == (320, 240)
    safelight.Recipe(exposure=0.5).edit(photo, tmp_path / "edited.jpg")
    assert result == _bytes(tmp_path / "edited.jpg")
    (tmp_path / "text.jpg").write_bytes(b"no photo")
    with pytest.raises(safelight.UnsupportedError, match="Cannot read mine.jpg: it looks like text"):
        worker.edit(str(tmp_path / "text.jpg"), str(tmp_path / "other.jpg"), "mine.jpg")
    # Nothing is ever replaced.
    with pytest.raises(safelight.PhotoExistsError):
        worker.edit(photo, str(tmp_path / "own.jpg"))
    worker.edit(photo, str(tmp_path / "again.jpg"))
    assert _bytes(tmp_path / "again.jpg") == result
    worker.close()


def test_a_missing_library_is_not_the_photos(ramp, tmp_path, monkeypatch):
    (tmp_path / "photo.png").write_bytes(png(ramp))
    # No library at all, but found before the system's.
    (tmp_path / "libvips.so.42").write_bytes(b"")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    worker = Worker(["--exposure", "0.5"])
    with pytest.raises(safelight.MissingLibraryError, match="libvips42") as raised:
        worker.edit(str(tmp_path / "photo.png"), str(tmp_path / "edited.jpg"))
    assert not is_of_photo(raised.value)
    worker.close()


def test_a_wrong_edit_is_told():
    with pytest.raises(safelight.Error, match="noir"):
        Worker(["--preset", "nior"])


def test_a_lost_worker_is_replaced_once(photo, tmp_path):
    program = tmp_path / "broken"
    mark = tmp_path / "lost"
    program.write_text(
        f'#!/bin/sh\nif [ -e {mark} ]; then exec "{find_program()}" "$@"; fi\ntouch {mark}\n'
        """echo '{"protocol":1,"engine":"0","edit":""}'; read line; exit 3\n"""
    )
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    worker = Worker(["--exposure", "0.5"], str(program))
    assert worker.edit(photo, str(tmp_path / "edited.jpg"))["width"] == 320
    worker.close()
    program.write_text("""#!/bin/sh\necho '{"protocol":1,"engine":"0","edit":""}'; read line; exit 3\n""")
    with pytest.raises(WorkerLost, match="ended"):
        Worker([], str(program)).edit(photo, str(tmp_path / "none.jpg"))
    program.write_text(f"""#!/bin/sh\necho >>{mark}.late; echo '{{"protocol":1,"engine":"0","edit":""}}'; sleep 60\n""")
    with pytest.raises(WorkerLost, match="0.5 s"):
        Worker([], str(program), timeout=0.5).edit(photo, str(tmp_path / "none.jpg"))
    # The next one would take as long.
    assert len(_bytes(f"{mark}.late")) == 1
    program.write_text("""#!/bin/sh\necho '{"protocol":2,"engine":"0","edit":""}'; read line\n""")
    with pytest.raises(safelight.Error, match="version 2"):
        Worker([], str(program))
    assert os.path.exists(mark)


def test_a_talkative_worker_does_not_stop(photo, tmp_path):
    program = tmp_path / "talkative"
    # More than a pipe holds, before the answer.
    program.write_text(
        """#!/bin/sh\necho '{"protocol":1,"engine":"0","edit":""}'; read line; head -c 1000000 /dev/zero >&2\n"""
        """echo '{"edited":{}}'; cat >/dev/null\n"""
    )
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    worker = Worker([], str(program), timeout=20)
    assert worker.edit(photo, "none.jpg") == {}
    worker.close()


def test_a_worker_that_nobody_can_hear_ends_at_once(tmp_path):
    """A client that is killed leaves none behind, even one that waits for ever within a photo."""
    process = subprocess.Popen(
        [find_program(), "worker", "--exposure", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert b'"protocol":1' in process.stdout.readline()
    process.stdin.write(b'{"do":"edit","bytes":1000}\n' + bytes(10))
    process.stdin.flush()
    deadline = time.monotonic() + 60
    while not os.listdir(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.poll() is None and os.listdir(tmp_path)
    process.stdout.close()
    process.wait(60)
    assert os.listdir(tmp_path) == []
    process.stdin.close()
