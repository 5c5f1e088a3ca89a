"""Recipes, analyses, files, cameras, processes."""

import errno
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import time

import numpy
import pytest
import safelight


def test_names_and_values():
    recipe = safelight.Recipe(
        preset="warm-film",
        strength=50,
        exposure=0.3,
        temperature=7000,
        curve=[(0, 0), (0.5, 0.6), (1, 1)],
        masked=["linear 0.5,0.6 0.5,0.3: exposure -1"],
        crop="4:5",
    )
    filters = {entry["filter"]: entry for entry in json.loads(recipe.json())["filters"]}
    assert filters["exposure"]["stops"] == 0.3
    assert filters["white-balance"]["temperature"] == 7000
    assert "group" in filters and "crop" in filters
    assert safelight.Recipe(json=recipe.json()).json() == recipe.json()
    assert safelight.Recipe(json=json.loads(recipe.json())).json() == recipe.json()
    assert pickle.loads(pickle.dumps(recipe)).json() == recipe.json()
    values = safelight.Recipe(exposure=numpy.float32(0.5), curve=numpy.array([[0, 0], [0.5, 0.6], [1, 1]]))
    assert '"stops": 0.5' in values.json()
    assert pickle.loads(pickle.dumps(safelight.Recipe(auto="all"))).needs_picture


@pytest.mark.parametrize(
    "values, words",
    [
        ({"exposur": 1}, "did you mean “exposure”"),
        ({"exposure": 9}, "-5…5"),
        ({"exposure": float("nan")}, "exposure"),
        ({"exposure": object()}, "a number, a text, or a list"),
        ({"preset": "nior"}, "noir"),
        ({"preset": "noir", "strength": 101}, "0…100"),
        ({"auto": "colour"}, "white-balance"),
        ({"json": '{"safelight": 3}'}, "format 3"),
        ({"json": "{"}, "recipe"),
        ({"masked": "linear"}, "linear"),
        ({"straighten": "level"}, "auto"),
        ({"upright": "very"}, "vertical"),
        ({"lut": "/nowhere/film.cube"}, "/nowhere/film.cube"),
    ],
)
def test_mistakes_are_named(values, words):
    with pytest.raises(safelight.Error) as caught:
        safelight.Recipe(**values)
    assert words in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).problem == caught.value.problem


def test_values_are_found_in_each_picture(ramp):
    recipe = safelight.Recipe(auto="exposure", straighten="auto", preset="noir")
    assert recipe.needs_picture
    dark = ramp // 4
    found = recipe.resolve(dark)
    assert not found.needs_picture and found.found["values"]["exposure"] > 0.5
    assert numpy.array_equal(recipe.render(dark), found.render(dark))
    with pytest.raises(safelight.InvalidValueError, match="resolve"):
        recipe.json()


def test_analyses(ramp, photo):
    measured = safelight.analyze(ramp)
    assert (measured["width"], measured["height"]) == (120, 90)
    red = numpy.array(measured["histogram"]["red"])
    assert numpy.array_equal(red, numpy.bincount(ramp[..., 0].ravel(), minlength=256))
    assert safelight.analyze(photo)["format"] == "JPEG"
    assert safelight.analyze(ramp.astype(numpy.float32) / 255)["width"] == 120
    assert safelight.analyze(ramp, orientation=6)["width"] == 90


def test_files(photo, tmp_path):
    recipe = safelight.Recipe(preset="noir")
    report = recipe.edit(photo, tmp_path / "small.png", max_size=numpy.int64(100), metadata="strip")
    assert (report["width"], report["height"]) == (100, 75)
    with pytest.raises(FileExistsError) as caught:
        recipe.edit(photo, tmp_path / "small.png")
    assert caught.value.errno == errno.EEXIST and "give overwrite=True or" in str(caught.value)
    recipe.edit(photo, tmp_path / "small.png", overwrite=numpy.True_)
    with pytest.raises(safelight.InvalidValueError, match="UTF-8"):
        recipe.edit(os.fsdecode(b"/nowhere/\xff.jpg"), tmp_path / "b.jpg")
    with pytest.raises(OSError, match="nowhere"):
        recipe.edit("/nowhere/a.jpg", tmp_path / "b.jpg")
    with pytest.raises(safelight.InvalidValueError, match="max-size"):
        recipe.edit(photo, tmp_path / "b.jpg", maxsize=3)
    with pytest.raises(safelight.CorruptDataError):
        (tmp_path / "bad.jpg").write_bytes(open(photo, "rb").read()[:3000])
        recipe.edit(tmp_path / "bad.jpg", tmp_path / "b.jpg")
    assert not (tmp_path / "b.jpg").exists()


def test_edits_beside_photos(photo):
    with pytest.raises(safelight.Error, match="photo.jpg"):
        safelight.Recipe.of_photo(photo)
    safelight.Recipe(exposure=0.4).keep(photo)
    assert json.loads(safelight.Recipe.of_photo(photo).json())["filters"] == [{"filter": "exposure", "stops": 0.4}]
    assert os.path.exists(photo + ".safelight.json")


def test_catalogues():
    assert {"exposure", "crop", "lut"} <= {entry["filter"] for entry in safelight.filters()}
    assert "noir" in {entry["preset"] for entry in safelight.presets()}
    assert safelight.spaces()[0] == "srgb"


def test_cameras():
    with safelight.Camera("synthetic", safelight.Recipe(rotate=90), size="160x120", rate=60, format="rgb16") as camera:
        frames = [frame for frame, _ in zip(camera, range(3))]
        assert all(frame.array.shape == (160, 120, 3) and frame.array.dtype == numpy.uint16 for frame in frames)
        assert frames[0].seconds < frames[1].seconds < frames[2].seconds
    with pytest.raises(safelight.InvalidValueError, match="closed"):
        camera.read()
    with pytest.raises(safelight.Error, match="nowhere"):
        safelight.Camera("/dev/video-nowhere")
    with pytest.raises(safelight.InvalidValueError, match="resolve"):
        safelight.Camera("synthetic", safelight.Recipe(auto="all"))


def test_sources_end(photo):
    assert len(list(safelight.Camera(photo))) == 1


def test_files_wait_for_whoever_is_slow(photo, tmp_path):
    folder = tmp_path / "frames"
    folder.mkdir()
    for number in range(6):
        safelight.Recipe().edit(photo, folder / f"{number}.jpg")
    numbers = []
    for frame in safelight.Camera(str(folder), rate=60):
        time.sleep(0.05)
        numbers.append(frame.number)
    assert numbers == list(range(6)) and frame.dropped == 0


def _brightness(array):
    return int(safelight.Recipe(exposure=1).render(array).sum())


def test_processes(noise):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(_brightness, [noise, noise]) == [_brightness(noise)] * 2


def test_a_forked_child_is_refused(noise):
    recipe = safelight.Recipe(exposure=1)
    recipe.render(noise)
    child = os.fork()
    if child == 0:
        try:
            for use in (recipe.render, safelight.analyze):
                with pytest.raises(safelight.ForkedError, match="fork"):
                    use(noise)
            os._exit(0)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_without_numpy(tmp_path):
    """The package itself needs nothing but Python."""
    program = """
import sys
sys.modules["numpy"] = None
import safelight
pixels = memoryview(bytes(4 * 5 * 3)).cast("B", shape=[4, 5, 3])
result = safelight.Recipe(exposure=1).render(pixels)
assert result.shape == (4, 5, 3) and bytes(result.data) == bytes(60)
"""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "PYTHONPATH": path})
