"""Names are given only if they are not taken, also where there are no links."""

import errno
import os

import pytest
from safelight import _names


class _Without:
    """The C library of a system that cannot."""

    def renameat2(self, *_):
        _names.ctypes.set_errno(errno.EINVAL)
        return -1


@pytest.mark.parametrize("lacks", ["nothing", "links", "links and renameat2"])
def test_a_taken_name_stays(tmp_path, monkeypatch, lacks):
    if lacks != "nothing":
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError(errno.EPERM, "not permitted")))
    if lacks == "links and renameat2":
        monkeypatch.setattr(_names.ctypes, "CDLL", lambda *_, **__: _Without())
    for number in (1, 2):
        (tmp_path / "unfinished").unlink(missing_ok=True)
        (tmp_path / "unfinished").write_text(str(number))
        assert _names.name_file(str(tmp_path / "unfinished"), str(tmp_path / "ü.jpg")) == (number == 1)
        assert (tmp_path / "ü.jpg").read_text() == "1"
    with pytest.raises(FileNotFoundError):
        _names.name_file(str(tmp_path / "none"), str(tmp_path / "other.jpg"))


def test_a_link_whose_answer_was_lost_is_ours(tmp_path, monkeypatch):
    """As NFS is when an answer is lost: the server is asked again, and has done it already."""
    link = os.link

    def late(path, target):
        link(path, target)
        link(path, target)

    monkeypatch.setattr(os, "link", late)
    (tmp_path / "unfinished").write_text("1")
    assert _names.name_file(str(tmp_path / "unfinished"), str(tmp_path / "photo.jpg"))
    (tmp_path / "other").write_text("2")
    assert not _names.name_file(str(tmp_path / "other"), str(tmp_path / "photo.jpg"))
    assert (tmp_path / "photo.jpg").read_text() == "1"
    (tmp_path / "nowhere.jpg").symlink_to(tmp_path / "gone")
    assert not _names.name_file(str(tmp_path / "other"), str(tmp_path / "nowhere.jpg"))
