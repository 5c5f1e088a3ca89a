"""Shards as WebDataset reads them: what is edited, what is copied, and what damaged ones do."""

import io
import random
import subprocess
import tarfile

import pytest
from safelight import CorruptDataError, NoSpaceError, _shards
from safelight._shards import edit_shard, split


def _shard(files, **header):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as shard:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), 1234567890.5
            for field, value in header.items():
                setattr(info, field, value)
            shard.addfile(info, io.BytesIO(data))
    return made.getvalue()


def _edit(name, data):
    """Upside down; photos that begin with a question mark are bad."""
    if data.startswith(b"?"):
        raise CorruptDataError("This is no photo; copy it again.", "This is no photo", "copy it again")
    return data[::-1]


def _edited(shard, photos=("jpg",), ending=".jpg", edit=_edit):
    made = io.BytesIO()
    outcomes = list(edit_shard("a.tar", io.BytesIO(shard), made, frozenset(photos), ending, edit))
    with tarfile.open(fileobj=io.BytesIO(made.getvalue())) as read:
        files = [(info.name, read.extractfile(info).read()) for info in read]
    return outcomes, files, made.getvalue()


def test_names_are_divided_as_webdataset_does():
    # Its base_plus_ext: "the key is the path without all of the extension".
    assert split("0001.jpg") == ("0001", "jpg")
    assert split("./a.b/0001.left.JPG") == ("./a.b/0001", "left.jpg")
    # What it passes over.
    assert [split(name) for name in ("0001", "a.b/0001", "a/.jpg", "._0001.jpg", "__meta__/a.json")] == [None] * 5


def test_photos_are_edited_and_all_else_is_as_it_was():
    files = [("0.jpg", b"abc"), ("0.json", b"{}"), ("0.seg.png", b"mask"), ("d/1.JPG", b"xyz"), ("d/1.txt", "ü".encode())]
    outcomes, made, data = _edited(_shard(files))
    assert made == [("0.jpg", b"cba"), ("0.json", b"{}"), ("0.seg.png", b"mask"), ("d/1.jpg", b"zyx"), ("d/1.txt", "ü".encode())]
    assert outcomes == [("0.jpg", "0.jpg", None), ("d/1.JPG", "d/1.jpg", None)]
    # The same bytes every time, or a run would not be the same when it goes on.
    assert data == _edited(_shard(files))[2]


def test_what_photos_are_called_says_which_are_edited():
    files = [("0.left.png", b"ab"), ("0.png", b"mask"), ("0.right.png", b"cd")]
    _, made, _ = _edited(_shard(files), photos=("left.png", "right.png"), ending=".webp")
    assert made == [("0.left.webp", b"ba"), ("0.png", b"mask"), ("0.right.webp", b"dc")]


def test_names_stay_as_they_are():
    # As `tar -C folder -cf shard.tar .` and macOS write them.
    files = [("./._0.jpg", b"?"), ("./0.jpg", b"ab"), ("./._0.json", b"?"), ("./0.json", b"{}"), ("./a//1.jpg", b"cd")]
    outcomes, made, _ = _edited(_shard(files))
    assert made == [*files[:1], ("./0.jpg", b"ba"), *files[2:4], ("./a//1.jpg", b"dc")]
    assert [name for name, _, _ in outcomes] == ["./0.jpg", "./a//1.jpg"]


def test_other_programs_read_what_is_made(tmp_path):
    long = "d" * 120 + "/" + "ü" * 60
    files = [(f"{long}.jpg", b"abc"), (f"{long}.cls", b"7"), (b"\xff1.jpg".decode("utf-8", "surrogateescape"), b"xyz")]
    _, made, data = _edited(_shard(files, uname="photographer"))
    assert [name for name, _ in made] == [name for name, _ in files]
    (tmp_path / "made.tar").write_bytes(data)
    listed = subprocess.run(["tar", "-tvf", tmp_path / "made.tar", "--quoting-style=literal"], check=True, capture_output=True)
    lines = listed.stdout.splitlines()
    assert len(lines) == 3 and all(b"photographer" in line for line in lines)
    assert lines[0].endswith(f"{long}.jpg".encode())
    subprocess.run(["tar", "-xf", tmp_path / "made.tar", "-C", tmp_path], check=True)
    assert (tmp_path / f"{long}.jpg").read_bytes() == b"cba"


def test_webdataset_reads_what_is_made(tmp_path):
    webdataset = pytest.importorskip("webdataset")
    (tmp_path / "made.tar").write_bytes(_edited(_shard([("0.jpg", b"abc"), ("0.cls", b"7"), ("1.jpg", b"x"), ("1.cls", b"8")]))[2])
    read = webdataset.WebDataset(str(tmp_path / "made.tar"), shardshuffle=False)
    read = [(sample["__key__"], sample["jpg"], sample["cls"]) for sample in read]
    assert read == [("0", b"cba", b"7"), ("1", b"x", b"8")]


def test_a_bad_photo_takes_its_sample_and_no_other():
    files = [("0.jpg", b"?"), ("0.json", b"{}"), ("1.jpg", b"ab"), ("1.json", b"[]"), ("2.left.jpg", b"ab"), ("2.jpg", b"?")]
    outcomes, made, _ = _edited(_shard(files), photos=("jpg", "left.jpg"))
    assert made == [("1.jpg", b"ba"), ("1.json", b"[]")]
    said = {name: str(error) for name, _, error in outcomes}
    assert "no photo" in said["0.jpg"] and said["1.jpg"] == "None"
    assert "Another photo" in said["2.left.jpg"] and "no photo" in said["2.jpg"]


def test_two_files_of_one_name_are_refused():
    outcomes, made, _ = _edited(_shard([("0.JPG", b"ab"), ("0.png", b"cd")]), photos=("png",))
    assert made == [] and "one name; choose another format" in str(outcomes[0][2])
    # Nor are samples without photos left out in silence.
    outcomes, made, _ = _edited(_shard([("0.txt", b"a"), ("0.TXT", b"b"), ("1.jpg", b"ab")]))
    assert made == [("1.jpg", b"ba")] and outcomes[0][:2] == ("0.txt", None) and "one name" in str(outcomes[0][2])


def test_what_is_no_file_is_left_out():
    for shard in (_shard([("0.jpg", b"")], type=tarfile.SYMTYPE, linkname="/etc/passwd"), _shard([]), _shard([("0.png", b"a")])):
        with pytest.raises(CorruptDataError, match="a.tar has no photos called jpeg or jpg; say what they are called"):
            _edited(shard, photos=("jpg", "jpeg"))


def test_samples_have_a_most_of_bytes(monkeypatch):
    monkeypatch.setattr(_shards, "_MOST_BYTES", 1000)
    files = [("0.jpg", bytes(600)), ("0.mp4", bytes(600)), ("1.mp4", bytes(1200)), ("2.jpg", bytes(900))]
    outcomes, made, _ = _edited(_shard(files))
    assert [name for name, _ in made] == ["2.jpg"]
    assert [(name, "at most 1000 bytes" in str(error)) for name, _, error in outcomes[:2]] == [("0.jpg", True), ("1.mp4", True)]


def test_what_is_wrong_with_the_machine_is_not_the_photos():
    def edit(name, data):
        raise NoSpaceError("The disk is full; free some.", "The disk is full", "free some")

    with pytest.raises(NoSpaceError):
        _edited(_shard([("0.jpg", b"ab")]), edit=edit)


def test_damaged_shards_are_told_and_nothing_else_happens():
    whole = _shard([(f"{number}.{ending}", bytes(700)) for number in range(4) for ending in ("jpg", "json")])
    for damaged in (b"", b"no tar", whole[:700], whole[: len(whole) // 2 + 100]):
        with pytest.raises(CorruptDataError, match="^a.tar is no whole tar file: .*; copy it again.$"):
            _edited(damaged)
    # tarfile takes zeros in the middle for the end, and does not look behind the end.
    holes = _shard([("0.jpg", b"a"), ("1.jpg", b"b"), ("2.jpg", b"c")], mtime=1)
    for damaged in (holes[:1024] + bytes(1024) + holes[2048:], whole + whole):
        with pytest.raises(CorruptDataError, match="^a.tar is no whole tar file: .*; copy it again.$"):
            _edited(damaged)
    # Newer ones take headers like these for the end as well; older ones pass over them.
    pax = whole.index(b"22 mtime=", 2000)
    for damaged in (whole[:pax] + b"x" + whole[pax + 1 :], whole[:pax] + b"00" + whole[pax + 2 :]):
        try:
            assert len(_edited(damaged)[1]) == 8
        except CorruptDataError:
            continue
    _edited(_shard([("0.jpg", b"a")], pax_headers={"mtime": "nan"}))
    # Wherever it ends before its mark, also between two files, no sample is lost in silence.
    end = len(whole.rstrip(b"\0")) // 512 * 512 + 512
    for length in range(0, end, 64):
        with pytest.raises(CorruptDataError):
            _edited(whole[:length])


def test_damaged_bytes_are_told_or_change_nothing_but_themselves():
    whole = _shard([(f"{number}.{ending}", bytes(700)) for number in range(4) for ending in ("jpg", "json")])
    chance = random.Random(23)
    for _ in range(500):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            _, made, _ = _edited(bytes(damaged))
        except CorruptDataError:
            continue
        assert sum(len(data) for _, data in made) == 8 * 700
