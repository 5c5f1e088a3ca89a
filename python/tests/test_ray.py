"""Many photos with Ray, on the cluster of one machine."""

import os
import re
import shutil
import socket
import tarfile
import threading
from pathlib import Path

import pytest

for _name in ("ray", "obstore", "pyarrow"):
    pytest.importorskip(_name)

import safelight
import safelight.ray
from ray_results import results_of, rows_of
from safelight._worker import find_program

try:
    find_program()
except FileNotFoundError:
    pytest.skip("there is no program safelight", allow_module_level=True)


pytestmark = pytest.mark.usefixtures("cluster")


def test_every_photo_has_a_row_and_a_result(shoot, photo, tmp_path):
    (shoot / "broken.jpg").write_bytes(b"no photo")
    (shoot / "empty.jpg").write_bytes(b"")
    look = safelight.Recipe(exposure=0.5)
    summary = safelight.ray.edit(str(shoot), str(tmp_path / "out"), look, workers=2, block=4, quality=80)
    assert (summary.photos, summary.done, summary.failed) == (23, 21, 2)
    rows = {row["key"]: row for row in rows_of(summary)}
    assert len(rows) == 23
    assert rows["broken.jpg"]["status"] == "failed" and "broken" not in (rows["broken.jpg"]["result"] or "")
    assert "format" in rows["broken.jpg"]["reason"] and rows["empty.jpg"]["reason"]
    assert results_of(tmp_path / "out") == sorted(row["result"] for row in rows.values() if row["result"])
    look.edit(photo, tmp_path / "one.jpg", quality=80)
    one = (tmp_path / "out" / rows["03.jpg"]["result"]).read_bytes()
    assert one == (tmp_path / "one.jpg").read_bytes()
    assert rows["deep/ü ö.jpg"]["width"] == 320
    # Nothing unfinished is left.
    assert os.listdir(tmp_path / "out" / os.path.dirname(os.path.relpath(summary.rows, tmp_path / "out")) / "unfinished") == []


def test_a_run_is_continued_and_not_repeated(shoot, tmp_path):
    look = safelight.Recipe(exposure=0.5)
    first = safelight.ray.edit(str(shoot), str(tmp_path / "out"), look, block=4)
    before = {name: os.stat(tmp_path / "out" / name).st_mtime_ns for name in results_of(tmp_path / "out")}
    # As if killed: the rows of two blocks are gone, and a result.
    for number in (1, 3):
        os.unlink(os.path.join(first.rows, f"{number:08}.parquet"))
    lost = next(row["result"] for row in rows_of(first))
    os.unlink(tmp_path / "out" / rows_of(first)[-1]["result"])
    again = safelight.ray.edit(str(shoot), str(tmp_path / "out"), look, block=4)
    assert (again.photos, again.done, again.failed) == (21, 21, 0)
    statuses = [row["status"] for row in rows_of(again)]
    assert len(statuses) == 21 and statuses.count("present") == 8
    assert os.stat(tmp_path / "out" / lost).st_mtime_ns == before[lost]
    other = safelight.ray.edit(str(shoot), str(tmp_path / "out"), safelight.Recipe(exposure=1), block=4)
    assert other.done == 21 and len(results_of(tmp_path / "out")) == 21 + 20


@pytest.mark.parametrize("victim", ["safelight worker --exposure 0.7", "ray::Editor"])
def test_killed_workers_and_actors_lose_nothing(shoot, tmp_path, victim):
    stop = threading.Event()

    def kill():
        # No more often than one photo may lose its worker to others; an actor also while it starts again.
        for pause in (1.5, 1.5, 0.2, 1.5):
            stop.wait(pause)
            # In brackets, so that the shell of this command is not meant.
            os.system(f"pkill -9 -f '[{victim[0]}]{victim[1:]}' >/dev/null 2>&1")

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        summary = safelight.ray.edit(str(shoot), str(tmp_path / "out"), safelight.Recipe(exposure=0.7), block=2)
    finally:
        stop.set()
        killer.join()
    assert (summary.photos, summary.done, len(rows_of(summary))) == (21, 21, 21)
    assert len(results_of(tmp_path / "out")) == 21


def test_more_workers_than_processors_wait_for_each_other(shoot, tmp_path):
    summary = safelight.ray.edit(str(shoot), str(tmp_path / "out"), safelight.Recipe(exposure=0.5), workers=6, block=2)
    assert (summary.done, len(rows_of(summary))) == (21, 21)


def test_names_that_are_odd(photo, tmp_path, monkeypatch):
    folder = tmp_path / "in"
    folder.mkdir()
    names = ["-o.jpg", "a\nb.jpg", "100%.JPG", "#?*.jpg", "n" * 251 + ".jpg", ".hidden.jpg"]
    for name in names:
        shutil.copy(photo, folder / name)
    shutil.copy(photo, os.fsencode(folder) + b"/\xff.jpg")
    (folder / "loop.jpg").symlink_to(folder / "loop.jpg")
    (folder / "back").symlink_to(folder)
    # Paths may be relative, and mean the same photos from everywhere.
    monkeypatch.chdir(tmp_path)
    summary = safelight.ray.edit("in", "out", safelight.Recipe(exposure=0.5), block=2)
    rows = {row["key"]: row for row in rows_of(summary)}
    assert set(rows) == {*names[:5], "\\udcff.jpg"}
    assert summary.failed == 1 and "not UTF-8; rename it" in rows["\\udcff.jpg"]["reason"]
    assert len(results_of(tmp_path / "out")) == 5
    monkeypatch.chdir(folder)
    again = safelight.ray.edit("../in/", str(tmp_path / "out"), safelight.Recipe(exposure=0.5), block=2)
    assert again.rows == summary.rows


@pytest.mark.parametrize("workers", [1, None])
def test_two_drivers_do_the_work_once(shoot, tmp_path, workers):
    look = safelight.Recipe(exposure=0.5)
    summaries = []

    def run():
        summaries.append(safelight.ray.edit(str(shoot), str(tmp_path / "out"), look, workers=workers, block=2))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [summary.done for summary in summaries] == [21, 21]
    assert len(rows_of(summaries[0])) == 21 and len(results_of(tmp_path / "out")) == 21


def test_mistakes_are_told_before_anything_is_written(shoot, tmp_path):
    with pytest.raises(safelight.Error, match="quality"):
        safelight.ray.edit(str(shoot), str(tmp_path / "out"), quality=300)
    (tmp_path / "none").mkdir()
    with pytest.raises(FileNotFoundError, match="no photos"):
        safelight.ray.edit(str(tmp_path / "none"), str(tmp_path / "out"))
    with pytest.raises(FileNotFoundError, match="no folder"):
        safelight.ray.edit(str(tmp_path / "missing"), str(tmp_path / "out"))
    with pytest.raises(FileNotFoundError, match="nowhere"):
        safelight.ray.edit(str(shoot), str(tmp_path / "out"), program="/nowhere/safelight")
    with pytest.raises(safelight.InvalidValueError, match="edited again"):
        safelight.ray.edit(str(shoot), str(shoot / "out"))
    assert not (tmp_path / "out").exists() and not (shoot / "out").exists()


def test_photos_that_change_meanwhile_are_told(shoot, tmp_path):
    look = safelight.Recipe(exposure=0.5)
    first = safelight.ray.edit(str(shoot), str(tmp_path / "out"), look, block=50)
    rows = {row["key"]: row for row in rows_of(first)}
    # As if the run had been killed after the list, and photos changed before it went on.
    os.unlink(os.path.join(first.rows, "00000000.parquet"))
    for key in ("00.jpg", "01.jpg"):
        os.unlink(tmp_path / "out" / rows[key]["result"])
    (shoot / "00.jpg").write_bytes((shoot / "02.jpg").read_bytes() + b"more")
    (shoot / "01.jpg").unlink()
    again = safelight.ray.edit(str(shoot), str(tmp_path / "out"), look, block=50)
    reasons = {row["key"]: row["reason"] for row in rows_of(again) if row["status"] == "failed"}
    assert set(reasons) == {"00.jpg", "01.jpg"} and again.done == 19
    assert "changed" in reasons["00.jpg"] and "no longer" in reasons["01.jpg"]


@pytest.mark.parametrize("code, kind", [("noSpace", safelight.NoSpaceError), ("missingLibrary", safelight.MissingLibraryError)])
def test_what_is_wrong_with_a_machine_is_no_row(shoot, tmp_path, code, kind):
    """A full disk or a missing library ends the run; it goes on where it ended."""
    program = tmp_path / "program"
    program.write_text(f"""#!/bin/sh
echo '{{"protocol":1,"engine":"0","edit":"e","format":"jpeg"}}'
while read -r line; do echo '{{"failed":{{"code":"{code}","problem":"It fails","remedy":"mend it"}}}}'; done
""")
    program.chmod(0o755)
    with pytest.raises(kind, match=f"^On {socket.gethostname()}: It fails"):
        safelight.ray.edit(str(shoot), str(tmp_path / "out"), program=str(program), workers=1)
    rows = [name for _, _, names in os.walk(tmp_path / "out") for name in names if name[:8].isdigit()]
    assert rows == []


def test_the_page_about_ray(shoot, photo, tmp_path, capsys):
    page = (Path(__file__).parent.parent.parent / "docs" / "ray.md").read_text()
    os.rename(shoot, tmp_path / "in")
    os.mkdir(tmp_path / "shards")
    with tarfile.open(tmp_path / "shards" / "00000.tar", "w") as shard:
        shard.add(photo, "000042.jpg")
    names = {}
    for example in re.findall(r"```python\n(.*?)```", page, re.S):
        exec(example.replace("s3://bucket", str(tmp_path)), names)
    assert "21 done, 0 failed;" in capsys.readouterr().out
    assert len(results_of(tmp_path / "out")) == 21
    assert [name[-4:] for name in results_of(tmp_path / "edited")] == [".tar"]
