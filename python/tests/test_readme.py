"""The examples of the README and of the package, as they stand there."""

import re
import shutil
from pathlib import Path

import numpy
import safelight

ROOT = Path(__file__).parent.parent.parent


def examples(page):
    """The Python code of a page."""
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)


def test_the_readme(photo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(photo, "harbour.jpg")
    (example,) = examples("python/README.md")
    exec(example, {})
    assert (tmp_path / "harbour-noir.jpg").exists()


def test_the_projects_readme():
    names = {}
    (example,) = examples("README.md")
    exec(example, names)
    assert names["edited"].shape == (1080, 1920, 3) and (names["edited"] != 128).all()


def test_the_package(photo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(photo, "harbour.jpg")
    lines = [line.strip() for line in (safelight.__doc__ or "").splitlines() if line.startswith("    ")]
    assert len(lines) == 4
    exec("\n".join(lines), {"array": numpy.zeros((6, 8, 3), numpy.uint8)})
    assert (tmp_path / "harbour-noir.jpg").exists()
