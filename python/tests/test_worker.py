"""The client of worker processes."""

import os
import stat

import pytest
import safelight
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
    edited, result = worker.edit(_bytes(photo), "photo.jpg")
    assert (edited["width"], edited["height"]) == (320, 240)
    safelight.Recipe(exposure=0.5).edit(photo, tmp_path / "edited.jpg")
    assert result == _bytes(tmp_path / "edited.jpg")
    with pytest.raises(safelight.UnsupportedError):
        worker.edit(b"no photo")
    assert worker.edit(_bytes(photo))[1] == result
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
    assert worker.edit(_bytes(photo))[0]["width"] == 320
    worker.close()
    program.write_text("""#!/bin/sh\necho '{"protocol":1,"engine":"0","edit":""}'; read line; exit 3\n""")
    with pytest.raises(WorkerLost, match="ended"):
        Worker([], str(program)).edit(_bytes(photo))
    program.write_text("""#!/bin/sh\necho '{"protocol":1,"engine":"0","edit":""}'; sleep 60\n""")
    with pytest.raises(WorkerLost, match="0.5 s"):
        Worker([], str(program), timeout=0.5).edit(_bytes(photo))
    program.write_text("""#!/bin/sh\necho '{"protocol":2,"engine":"0","edit":""}'; read line\n""")
    with pytest.raises(safelight.Error, match="version 2"):
        Worker([], str(program))
    assert os.path.exists(mark)
