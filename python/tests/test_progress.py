"""The line that tells how far many photos are."""

import pytest
from safelight import _progress
from safelight._progress import Progress


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test moves."""

    class Clock:
        now = 100.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(_progress, "time", clock)
    return clock


def test_it_tells_photos_speed_failures_and_what_remains(clock, capsys):
    progress = Progress("photos", 1000, 200, True)
    clock.now = 110
    progress.add(100, 3, 1200)
    progress.end()
    # 700 are left, at ten a second.
    assert capsys.readouterr().err == "\r300/1000 photos · 120.0 MP/s · 3 failed · 70 s left \n"


def test_it_is_told_once_a_second(clock, capsys):
    progress = Progress("shards", 8, 0, True)
    for _ in range(40):
        clock.now += 0.25
        progress.add(0, 0, 1)
    assert capsys.readouterr().err.count("\r") == 10


def test_where_nobody_looks_nothing_is_written(clock, capsys):
    progress = Progress("photos", 8, 0, None)
    clock.now = 200
    progress.add(8, 0, 1)
    progress.end()
    assert capsys.readouterr().err == ""
