"""Where photos are for safelight.ray: buckets, shards."""

import http.server
import io
import os
import tarfile
import threading
import urllib.request

import pytest

for _name in ("ray", "obstore", "pyarrow"):
    pytest.importorskip(_name)

import obstore
import safelight
import safelight.ray
from ray_results import results_of, rows_of
from safelight._worker import find_program

try:
    find_program()
except FileNotFoundError:
    pytest.skip("there is no program safelight", allow_module_level=True)

pytestmark = pytest.mark.usefixtures("cluster")


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
    with pytest.raises(safelight.PhotoFileError, match="no s3://nowhere/out; check the name of the bucket"):
        safelight.ray.edit(bucket + "/in", "s3://nowhere/out", look)


def test_keys_that_are_odd(bucket, photo, tmp_path):
    with open(photo, "rb") as file:
        data = file.read()
    endpoint = os.environ["AWS_ENDPOINT_URL"]

    def put(key):
        request = urllib.request.Request(f"{endpoint}/photos/{key}", data, {"Content-Type": "image/jpeg"}, method="PUT")
        urllib.request.urlopen(request)

    for key in ("100%25.JPG", "%23%3F%2A.jpg", "a%2Bb%20c.jpg"):
        put("odd/" + key)
    look = safelight.Recipe(exposure=0.5)
    summary = safelight.ray.edit(bucket + "/odd", str(tmp_path / "out"), look)
    assert {row["key"] for row in rows_of(summary)} == {"100%.JPG", "#?*.jpg", "a+b c.jpg"} and summary.done == 3
    # Such names obstore cannot even list.
    for number, key in enumerate(("deep//b.jpg", "a%09b.jpg")):
        put(f"bad-{number}/{key}")
        with pytest.raises(safelight.PhotoFileError, match="has a name that cannot be used: .*b.jpg.*; rename it"):
            safelight.ray.edit(f"{bucket}/bad-{number}", str(tmp_path / "other"), look)


def test_photos_that_change_during_the_edit_are_no_bad_photos(tmp_path):
    from safelight._places import Folder

    (tmp_path / "a.jpg").write_bytes(b"photo")
    folder = Folder(str(tmp_path))
    ((key, version),) = folder.listed(frozenset(["jpg"]))
    with pytest.raises(safelight.CorruptDataError, match="has changed since"), folder.fetched(key, version, None) as path:
        with open(path, "wb") as file:
            file.write(b"half of another one")
        raise safelight.UnsupportedError("a.jpg is no photo.", "a.jpg is no photo", "")
    with pytest.raises(safelight.CorruptDataError, match="no longer"):
        with folder.fetched(key, folder._version(os.stat(tmp_path / "a.jpg")), None) as path:
            os.unlink(path)
            raise safelight.PhotoFileError("a.jpg does not exist.", "a.jpg does not exist", "")


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
    with tarfile.open(folder / "odd.tar", "w") as made:
        for name, content in ((b"\xff.jpg", data), (b"\xfe.jpg", b"no photo")):
            info = tarfile.TarInfo(name.decode("utf-8", "surrogateescape"))
            info.size = len(content)
            made.addfile(info, io.BytesIO(content))
    (folder / "broken.tar").write_bytes((folder / "00000.tar").read_bytes()[:5000])


def test_shards(bucket, photo, tmp_path):
    _put_shards(photo, tmp_path / "in")
    look = safelight.Recipe(exposure=0.5)
    look.edit(photo, tmp_path / "one.jpg")
    summary = safelight.ray.edit(str(tmp_path / "in"), str(tmp_path / "out"), look, shards="jpg")
    rows = {row["key"]: row for row in rows_of(summary)}
    assert (summary.photos, summary.done, summary.failed) == (15, 12, 3) and len(rows) == 15
    assert "format" in rows["00001.tar/000006.jpg"]["reason"] and "copy it again" in rows["broken.tar"]["reason"]
    assert rows["00002.tar/000009.jpg"]["width"] == 320 and rows["odd.tar/\\udcff.jpg"]["status"] == "done"
    assert len(results_of(tmp_path / "out")) == 4
    shard, _, name = rows["00001.tar/000005.jpg"]["result"].partition("/")
    with tarfile.open(tmp_path / "out" / shard) as made:
        assert made.getnames() == [f"{number:06}.{ending}" for number in (4, 5, 7) for ending in ("jpg", "json")]
        assert made.extractfile(name).read() == (tmp_path / "one.jpg").read_bytes()
        assert made.extractfile("000005.json").read() == b'{"width":320}'
    # A run whose rows were lost makes the same shards, and finds them there.
    for path in os.listdir(summary.rows):
        os.unlink(os.path.join(summary.rows, path))
    again = safelight.ray.edit(str(tmp_path / "in"), str(tmp_path / "out"), look, shards="jpg")
    assert [row["status"] for row in rows_of(again)].count("present") == 12 and len(results_of(tmp_path / "out")) == 4

    store = obstore.store.from_url(bucket + "/shards")
    for path in (tmp_path / "in").iterdir():
        obstore.put(store, path.name, path)
    safelight.ray.edit(bucket + "/shards", bucket + "/edited", look, shards=["jpg"])
    edited = obstore.store.from_url(bucket + "/edited")
    tars = [meta["path"] for batch in obstore.list(edited) for meta in batch if meta["path"].endswith(".tar")]
    ours = sorted((tmp_path / "out" / name).read_bytes() for name in results_of(tmp_path / "out"))
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


@pytest.mark.parametrize("status, is_refused", [(412, False), (403, True)])
def test_an_answer_that_comes_before_the_whole_file(tmp_path, status, is_refused):
    """Stores may refuse a large object once they have seen its name: that is their answer, and no error of the file."""
    from safelight._stores import create_from, open_bucket, speaking_of

    class Refusing(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_PUT(self):
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()
            self.wfile.flush()
            held.wait(30)

        def log_message(self, *_):
            pass

    held = threading.Event()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    large = tmp_path / "large"
    with open(large, "wb") as file:
        file.truncate(64 << 20)
    environment = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_address[1]}"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        store = open_bucket("s3://photos/out")
    if is_refused:
        with pytest.raises(safelight.Error, match="access is refused"), speaking_of("s3://photos/out"):
            create_from(store, "a.tar", str(large))
    else:
        assert not create_from(store, "a.tar", str(large))
    held.set()
    server.shutdown()
