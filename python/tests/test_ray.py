"""Many photos with Ray, on the cluster of one machine."""

import http.server
import io
import os
import shutil
import tarfile
import threading
import urllib.request

import pytest

for _name in ("ray", "obstore", "pyarrow"):
    pytest.importorskip(_name)

import obstore
import pyarrow.parquet
import ray
import safelight
import safelight.ray
from safelight._worker import find_program

try:
    find_program()
except FileNotFoundError:
    pytest.skip("there is no program safelight", allow_module_level=True)


@pytest.fixture(scope="module")
def bucket():
    """A bucket of moto's S3, which the environment of the cluster names."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    os.environ.update(
        AWS_ENDPOINT_URL=f"http://{host}:{port}",
        AWS_ALLOW_HTTP="true",
        AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test",
        AWS_REGION="us-east-1",
        AWS_VIRTUAL_HOSTED_STYLE_REQUEST="false",
    )
    urllib.request.urlopen(urllib.request.Request(f"http://{host}:{port}/photos", method="PUT"))
    yield "s3://photos"
    server.stop()


@pytest.fixture(scope="module", autouse=True)
def cluster(bucket):
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=80 << 20)
    yield
    ray.shutdown()


@pytest.fixture
def shoot(photo, tmp_path):
    folder = tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    for number in range(20):
        shutil.copy(photo, folder / f"{number:02}.jpg")
    shutil.copy(photo, folder / "deep" / "ü ö.jpg")
    (folder / "notes.txt").write_text("not a photo")
    return folder


def _rows(summary):
    return pyarrow.parquet.read_table(summary.rows).to_pylist()


def _results(folder):
    return sorted(
        os.path.relpath(os.path.join(root, name), folder)
        for root, _, names in os.walk(folder)
        for name in names
        if "_safelight" not in root
    )


def test_every_photo_has_a_row_and_a_result(shoot, photo, tmp_path):
    (shoot / "broken.jpg").write_bytes(b"no photo")
    (shoot / "empty.jpg").write_bytes(b"")
    look = safelight.Recipe(exposure=0.5)
    summary = safelight.ray.edit(str(shoot), str(tmp_path / "out"), look, workers=2, block=4, quality=80)
    assert (summary.photos, summary.done, summary.failed) == (23, 21, 2)
    rows = {row["key"]: row for row in _rows(summary)}
    assert len(rows) == 23
    assert rows["broken.jpg"]["status"] == "failed" and "broken" not in (rows["broken.jpg"]["result"] or "")
    assert "format" in rows["broken.jpg"]["reason"] and rows["empty.jpg"]["reason"]
    assert _results(tmp_path / "out") == sorted(row["result"] for row in rows.values() if row["result"])
    look.edit(photo, tmp_path / "one.jpg", quality=80)
    one = (tmp_path / "out" / rows["03.jpg"]["result"]).read_bytes()
    assert one == (tmp_path / "one.jpg").read_bytes()
    assert rows["deep/ü ö.jpg"]["width"] == 320
    # Nothing unfinished is left.
    assert os.listdir(tmp_path / "out" / os.path.dirname(os.path.relpath(summary.rows, tmp_path / "out")) / "unfinished") == []


def test_a_run_is_continued_and_not_repeated(shoot, tmp_path):
    look = safelight.Recipe(exposure=0.5)
    first = safelight.ray.edit(str(shoot), str(tmp_path / "out"), look, block=4)
    before = {name: os.stat(tmp_path / "out" / name).st_mtime_ns for name in _results(tmp_path / "out")}
    # As if killed: the rows of two blocks are gone, and a result.
    for number in (1, 3):
        os.unlink(os.path.join(first.rows, f"{number:08}.parquet"))
    lost = next(row["result"] for row in _rows(first))
    os.unlink(tmp_path / "out" / _rows(first)[-1]["result"])
    again = safelight.ray.edit(str(shoot), str(tmp_path / "out"), look, block=4)
    assert (again.photos, again.done, again.failed) == (21, 21, 0)
    statuses = [row["status"] for row in _rows(again)]
    assert len(statuses) == 21 and statuses.count("present") == 8
    assert os.stat(tmp_path / "out" / lost).st_mtime_ns == before[lost]
    other = safelight.ray.edit(str(shoot), str(tmp_path / "out"), safelight.Recipe(exposure=1), block=4)
    assert other.done == 21 and len(_results(tmp_path / "out")) == 21 + 20


@pytest.mark.parametrize("victim", ["safelight worker --exposure 0.7", "ray::_Editor"])
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
    assert (summary.photos, summary.done, len(_rows(summary))) == (21, 21, 21)
    assert len(_results(tmp_path / "out")) == 21


def test_more_workers_than_processors_wait_for_each_other(shoot, tmp_path):
    summary = safelight.ray.edit(str(shoot), str(tmp_path / "out"), safelight.Recipe(exposure=0.5), workers=6, block=2)
    assert (summary.done, len(_rows(summary))) == (21, 21)


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
    rows = {row["key"]: row for row in _rows(summary)}
    assert set(rows) == {*names[:5], "\\udcff.jpg"}
    assert summary.failed == 1 and "not UTF-8; rename it" in rows["\\udcff.jpg"]["reason"]
    assert len(_results(tmp_path / "out")) == 5
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
    assert len(_rows(summaries[0])) == 21 and len(_results(tmp_path / "out")) == 21


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
    rows = {row["key"]: row for row in _rows(first)}
    # As if the run had been killed after the list, and photos changed before it went on.
    os.unlink(os.path.join(first.rows, "00000000.parquet"))
    for key in ("00.jpg", "01.jpg"):
        os.unlink(tmp_path / "out" / rows[key]["result"])
    (shoot / "00.jpg").write_bytes((shoot / "02.jpg").read_bytes() + b"more")
    (shoot / "01.jpg").unlink()
    again = safelight.ray.edit(str(shoot), str(tmp_path / "out"), look, block=50)
    reasons = {row["key"]: row["reason"] for row in _rows(again) if row["status"] == "failed"}
    assert set(reasons) == {"00.jpg", "01.jpg"} and again.done == 19
    assert "changed" in reasons["00.jpg"] and "no longer" in reasons["01.jpg"]


def test_what_is_wrong_with_a_machine_is_no_row(shoot, tmp_path):
    """A full disk ends the run; it goes on where it ended."""
    program = tmp_path / "full"
    program.write_text("""#!/bin/sh
echo '{"protocol":1,"engine":"0","edit":"e","format":"jpeg"}'
while read -r line; do echo '{"failed":{"code":"noSpace","problem":"The disk is full","remedy":"free some"}}'; done
""")
    program.chmod(0o755)
    with pytest.raises(safelight.NoSpaceError, match="disk is full"):
        safelight.ray.edit(str(shoot), str(tmp_path / "out"), program=str(program), workers=1)
    rows = [name for _, _, names in os.walk(tmp_path / "out") for name in names if name[:8].isdigit()]
    assert rows == []


def test_buckets(bucket, photo, tmp_path):
    store = obstore.store.from_url(bucket + "/in")
    with open(photo, "rb") as file:
        data = file.read()
    for key in ("a.jpg", "deep/b c+d.jpg", "ü.jpg"):
        obstore.put(store, key, data)
    look = safelight.Recipe(exposure=0.5)
    summary = safelight.ray.edit(bucket + "/in", bucket + "/out", look, block=2)
    assert (summary.photos, summary.done, summary.failed) == (3, 3, 0)
    safelight.ray.edit(bucket + "/in", str(tmp_path / "out"), look)
    results = obstore.store.from_url(bucket + "/out")
    names = {meta["path"] for batch in obstore.list(results) for meta in batch}
    edited = [name for name in names if not name.startswith("_safelight")]
    look.edit(photo, tmp_path / "one.jpg")
    with open(tmp_path / "one.jpg", "rb") as file:
        expected = file.read()
    assert len(edited) == 3
    assert all(bytes(obstore.get(results, name).bytes()) == expected for name in edited)
    for place, words in (("s3://nowhere/in", "no s3://nowhere/in"), ("ftp://host/in", "no place for photos")):
        with pytest.raises(safelight.PhotoFileError, match=words) as caught:
            safelight.ray.edit(place, str(tmp_path / "other"), look)
        assert "\n" not in str(caught.value)


def _put_shards(photo, folder):
    with open(photo, "rb") as file:
        data = file.read()
    folder.mkdir()
    for shard in range(3):
        with tarfile.open(folder / f"{shard:05}.tar", "w") as made:
            for sample in range(4):
                for ending, content in (("jpg", data), ("json", b'{"width":320}')):
                    content = b"no photo" if (shard, sample, ending) == (1, 2, "jpg") else content
                    info = tarfile.TarInfo(f"{shard * 4 + sample:06}.{ending}")
                    info.size = len(content)
                    made.addfile(info, io.BytesIO(content))
    (folder / "broken.tar").write_bytes((folder / "00000.tar").read_bytes()[:5000])


def test_shards(bucket, photo, tmp_path):
    _put_shards(photo, tmp_path / "in")
    look = safelight.Recipe(exposure=0.5)
    look.edit(photo, tmp_path / "one.jpg")
    summary = safelight.ray.edit(str(tmp_path / "in"), str(tmp_path / "out"), look, shards="jpg")
    rows = {row["key"]: row for row in _rows(summary)}
    assert (summary.photos, summary.done, summary.failed) == (13, 11, 2) and len(rows) == 13
    assert "format" in rows["00001.tar/000006.jpg"]["reason"] and "copy it again" in rows["broken.tar"]["reason"]
    assert rows["00002.tar/000009.jpg"]["width"] == 320
    assert len(_results(tmp_path / "out")) == 3
    shard, _, name = rows["00001.tar/000005.jpg"]["result"].partition("/")
    with tarfile.open(tmp_path / "out" / shard) as made:
        assert made.getnames() == [f"{number:06}.{ending}" for number in (4, 5, 7) for ending in ("jpg", "json")]
        assert made.extractfile(name).read() == (tmp_path / "one.jpg").read_bytes()
        assert made.extractfile("000005.json").read() == b'{"width":320}'
    # A run whose rows were lost makes the same shards, and finds them there.
    for path in os.listdir(summary.rows):
        os.unlink(os.path.join(summary.rows, path))
    again = safelight.ray.edit(str(tmp_path / "in"), str(tmp_path / "out"), look, shards="jpg")
    assert [row["status"] for row in _rows(again)].count("present") == 11 and len(_results(tmp_path / "out")) == 3

    store = obstore.store.from_url(bucket + "/shards")
    for path in (tmp_path / "in").iterdir():
        obstore.put(store, path.name, path)
    safelight.ray.edit(bucket + "/shards", bucket + "/edited", look, shards=["jpg"])
    edited = obstore.store.from_url(bucket + "/edited")
    tars = [meta["path"] for batch in obstore.list(edited) for meta in batch if meta["path"].endswith(".tar")]
    ours = sorted((tmp_path / "out" / name).read_bytes() for name in _results(tmp_path / "out"))
    assert sorted(bytes(obstore.get(edited, name).bytes()) for name in tars) == ours
    with pytest.raises(ValueError, match="what they are called"):
        safelight.ray.edit(str(tmp_path / "in"), str(tmp_path / "out"), look, shards=[])


def test_missing_credentials_are_told(bucket, shoot, tmp_path, monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)

    class Refusing(http.server.BaseHTTPRequestHandler):
        def do_PUT(self):
            self.send_error(403)

        do_GET = do_PUT

    # A machine that gives none to its programs.
    server = http.server.HTTPServer(("127.0.0.1", 0), Refusing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    with pytest.raises(safelight.PhotoFileError, match="no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"):
        safelight.ray.edit("s3://photos/in", str(tmp_path / "out"))
    with pytest.raises(safelight.PhotoFileError, match="no credentials"):
        safelight.ray.edit(str(shoot), "s3://photos/out")
    server.shutdown()
