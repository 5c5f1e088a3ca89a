"""A second `safelight studio` of the same user: the first shows what it can, at its own address."""

import os
import shutil
import subprocess

import pytest
from studio import PATIENCE, PROGRAM, Studio, until


@pytest.fixture
def run_folder(tmp_path, monkeypatch):
    """The user's runtime folder, which lasts as long as the login."""
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    return folder


@pytest.fixture
def start_plain(run_folder):
    """Starts studios without options, as people do: `start_plain(path)`."""
    running = []

    def run(path, *options):
        running.append(Studio(path, None, *options))
        return running[-1]

    yield run
    for one in running:
        one.stop()


def second(path, *options, **environment):
    """Runs a second studio to its end; returns its output, and what it says besides."""
    done = subprocess.run(
        [PROGRAM, "studio", str(path), *options], capture_output=True, text=True, timeout=PATIENCE,
        env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


def test_a_photo_of_the_folder(browse, start_plain, photo):
    other = shutil.copy(photo, photo.parent / "quay.jpg")
    studio = start_plain(photo.parent)
    page = browse(studio)
    assert page.state("s.photo") == page.state("s.welcome.photos[0].photo")
    address, note = second(other)
    assert address == studio.address and f"process {studio.process.pid}" in note
    # Another page opens that photo; the first stays where it is.
    opened = browse(studio, address=address)
    named = "s.welcome.photos.find((one) => one.photo === s.photo).name"
    until(lambda: opened.state(named) == "quay.jpg", "the photo is open")
    assert page.state(named) == "harbour.jpg"


def test_a_second_photo(browse, start_plain, photo, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    other = shutil.copy(photo, tmp_path / "elsewhere" / "quay.jpg")
    studio = start_plain(photo)
    page = browse(studio)
    assert second(other)[0] == studio.address
    until(lambda: page.state("s.welcome.photos.length") == 2, "it is listed")
    opened = browse(studio)
    until(lambda: opened.state("s.welcome.photos.find((one) => one.photo === s.photo).name") == "quay.jpg", "it is open")


def test_another_folder(start_plain, photo, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(photo, other / "quay.jpg")
    first = start_plain(photo.parent)
    studio = start_plain(other)
    assert studio.port != first.port
    # Each is found again by its folder.
    assert second(other)[0] == studio.address
    assert second(photo.parent)[0] == first.address


def test_a_studio_of_its_own(start_plain, start, photo, run_folder):
    first = start_plain(photo.parent)
    # A port is asked for.
    assert start(photo.parent).port != first.port
    first.kill()
    # What it left behind does not matter.
    assert list((run_folder / "safelight").glob("studio-*"))
    again = start_plain(photo.parent)
    assert second(photo.parent)[0] == again.address
    again.stop()
    assert not [one for one in (run_folder / "safelight").glob("studio-*") if str(again.process.pid) in one.name]


def test_the_browser_comes_up(start_plain, photo, tmp_path):
    """A browser that only notes what it was to open."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "xdg-open").write_text(f'#!/bin/sh\ncat "$1" > {tmp_path}/opened\n')
    (tools / "xdg-open").chmod(0o755)
    studio = start_plain(photo)
    running = subprocess.Popen(
        [PROGRAM, "studio", str(photo), "--open"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
    try:
        opened = tmp_path / "opened"
        until(lambda: opened.exists() and studio.address in opened.read_text(), "the browser is led to the first")
        assert running.stdout.readline().strip() == studio.address
        # The link stays until a page is there; none comes.
        assert running.poll() is None
    finally:
        running.terminate()
        running.wait(PATIENCE)
        running.stdout.close()
