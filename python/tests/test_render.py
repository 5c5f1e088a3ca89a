"""Rendering of arrays."""

import ctypes
import subprocess
import sys
import threading

import numpy
import pytest
import safelight


def decode(encoded):
    """IEC 61966-2-1."""
    return numpy.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def encode(linear):
    return numpy.where(linear <= 0.0031308, linear * 12.92, 1.055 * numpy.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)


def test_a_stop_doubles_light(ramp):
    bright = safelight.Recipe(exposure=1).render(ramp)
    expected = numpy.clip(encode(2 * decode(ramp / 255)), 0, 1) * 255
    assert bright.dtype == numpy.uint8 and bright.shape == ramp.shape
    assert numpy.abs(bright - expected).max() <= 0.51


@pytest.mark.parametrize("kind, scale", [(numpy.uint8, 1), (numpy.uint16, 257), (numpy.float32, 1 / 255)])
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_all_types_and_channels(ramp, kind, scale, channels):
    array = (numpy.dstack([ramp, 255 - ramp[..., :1] // 2])[..., :channels] * float(scale)).astype(kind)
    turned = safelight.Recipe(rotate=90).render(array)
    assert turned.dtype == kind
    expected = numpy.rot90(array, -1)
    if channels == 1:
        expected = numpy.repeat(expected, 3, axis=2)
        flat = safelight.Recipe(rotate=90).render(array[..., 0])
        assert numpy.array_equal(flat, turned)
    assert numpy.array_equal(turned, expected)


def test_the_array_is_not_changed(noise):
    before = noise.copy()
    noise.flags.writeable = False
    safelight.Recipe(preset="noir").render(noise)
    assert numpy.array_equal(noise, before)


def test_views_are_read_where_they_are(ramp):
    recipe = safelight.Recipe(exposure=0.5, saturation=20)
    whole = recipe.render(ramp)
    assert numpy.array_equal(recipe.render(ramp[::-1]), whole[::-1])
    assert numpy.array_equal(recipe.render(ramp[10:50, 5:70]), whole[10:50, 5:70])
    assert numpy.array_equal(recipe.render(ramp[::3]), whole[::3])


def test_results_go_into_memory_of_the_callers(ramp):
    plan = safelight.Recipe(resize="60x45").plan(ramp)
    assert plan.shape == (45, 60, 3)
    canvas = numpy.zeros((50, 80, 3), numpy.uint8)
    part = canvas[2:47, 10:70]
    assert plan.render(ramp, out=part) is part
    assert part.any() and not canvas[:2].any() and not canvas[:, :10].any() and not canvas[:, 70:].any()


def test_anything_with_a_buffer(ramp):
    import array

    flat = memoryview(ramp.tobytes()).cast("B", shape=ramp.shape)
    recipe = safelight.Recipe(exposure=0.5)
    assert numpy.array_equal(recipe.render(flat), recipe.render(ramp))
    grey = memoryview(array.array("f", [0.25] * 12)).cast("B").cast("f", shape=[3, 4])
    assert recipe.render(grey).shape == (3, 4, 3)
    lines = (ctypes.c_ubyte * 12 * 4)()
    assert recipe.render(memoryview(lines).cast("B").cast("B", shape=[4, 4, 3])).shape == (4, 4, 3)
    assert recipe.render(lines).shape == (4, 12, 3)

    class Picture:
        """As Pillow's pictures are."""

        __array_interface__ = {"version": 3, "typestr": "|u1", "shape": ramp.shape, "data": ramp.tobytes()}

    assert numpy.array_equal(recipe.render(Picture()), recipe.render(ramp))


def test_spaces(ramp):
    wide = safelight.Recipe().render(ramp, output_space="display-p3", format="rgb16")
    assert wide.dtype == numpy.uint16
    back = safelight.Recipe().render(wide, space="display-p3", output_space="srgb", format="rgb8")
    assert numpy.abs(back.astype(int) - ramp).max() <= 1
    linear = safelight.Recipe().render(ramp.astype(numpy.float32) / 255, output_space="linear-srgb")
    assert numpy.abs(linear - decode(ramp / 255)).max() < 1e-5


def test_orientation(ramp):
    turned = safelight.Recipe().render(ramp, orientation=6)
    assert numpy.array_equal(turned, numpy.rot90(ramp, -1))


def test_backends_agree(ramp):
    recipe = safelight.Recipe(exposure=0.4, contrast=20, temperature=7000)
    exact = recipe.render(ramp, renderer=safelight.Renderer("reference"))
    difference = numpy.abs(recipe.render(ramp).astype(int) - exact)
    # The plan proves its table to a mean of 0.05 and at most 1 in CIEDE2000: some codes, where colours are dark.
    assert difference.max() <= 4 and difference.mean() < 0.3


def test_threads_render_at_once(noise):
    recipe = safelight.Recipe(preset="teal-orange")
    expected = recipe.render(noise)
    results = [None] * 8

    def work(index):
        results[index] = [recipe.render(noise) for _ in range(10)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(numpy.array_equal(result, expected) for group in results for result in group)


def test_no_numbers_are_black():
    array = numpy.full((4, 4, 3), numpy.nan, numpy.float32)
    array[0] = numpy.inf
    result = safelight.Recipe(contrast=20).render(array, format="rgb8")
    assert (result[1:] == 0).all()


def test_the_plan_explains_itself(ramp):
    text = str(safelight.Recipe(preset="noir").plan(ramp))
    assert text.startswith("plan  120×90") and "bake" in text


@pytest.mark.parametrize(
    "array, words",
    [
        (numpy.zeros((4, 4, 3)), "float64"),
        (numpy.zeros((4, 4, 3), numpy.int16), "int16"),
        (numpy.zeros((4, 4, 3), ">u2"), "uint16 of the other byte order"),
        (numpy.zeros((4, 4, 3), bool), "bool"),
        (numpy.zeros((3, 4, 5), numpy.uint8), "transpose"),
        (numpy.zeros((4, 4, 2), numpy.uint8), "1, 3 or 4 channels"),
        (numpy.zeros(4, numpy.uint8), "the shape (4,)"),
        (numpy.zeros((0, 4, 3), numpy.uint8), "empty"),
        (numpy.zeros((4, 4, 3), numpy.uint8)[:, ::2], "ascontiguousarray"),
        (numpy.zeros((4, 4, 3), numpy.uint8)[:, ::-1], "ascontiguousarray"),
        (numpy.zeros((4, 4, 3), numpy.uint8)[..., ::-1], "ascontiguousarray"),
        (numpy.zeros((3, 4, 4), numpy.uint8).transpose(1, 2, 0), "ascontiguousarray"),
        (numpy.broadcast_to(numpy.zeros((4, 3), numpy.uint8), (9, 4, 3)), "ascontiguousarray"),
        (numpy.zeros((2, 70000, 3), numpy.uint8), "too large"),
        ([[1, 2]], "list"),
        (None, "NoneType"),
    ],
)
def test_other_arrays_are_refused_with_a_remedy(array, words):
    with pytest.raises(ValueError, match=".") as caught:
        safelight.Recipe(exposure=1).render(array)
    assert words in str(caught.value)
    assert isinstance(caught.value, safelight.Error)


def test_memory_that_does_not_fit_is_refused(ramp):
    recipe = safelight.Recipe(resize="60x45")
    with pytest.raises(safelight.InvalidValueError, match="60×45"):
        recipe.render(ramp, out=numpy.zeros((45, 61, 3), numpy.uint8))
    with pytest.raises(safelight.InvalidValueError, match="format"):
        recipe.render(ramp, out=numpy.zeros((45, 60, 4), numpy.uint8))
    fixed = numpy.zeros((45, 60, 3), numpy.uint8)
    fixed.flags.writeable = False
    with pytest.raises(safelight.InvalidValueError, match="read-only"):
        recipe.render(ramp, out=fixed)


@pytest.mark.parametrize("channels", [3, 4])
def test_results_may_lie_where_the_picture_is(noise, channels):
    array = numpy.ascontiguousarray(numpy.dstack([noise, 255 - noise[..., :1]])[..., :channels])
    recipe = safelight.Recipe(rotate=180, sharpen=80)
    expected = recipe.render(array)
    assert recipe.render(array, out=array) is array
    assert numpy.array_equal(array, expected)


def test_no_copy_of_the_picture_is_made():
    # In a process of its own, whose peak is that of one call; the result has its memory already.
    program = """
import resource, numpy, safelight
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
look, one = safelight.Recipe(exposure=0.5, clarity=30), safelight.Renderer(threads=1)
for channels in (3, 4):
    array = numpy.full((6000, 8000, channels), 99, numpy.uint8)
    result = numpy.ones_like(array)
    look.render(array[:500], renderer=one)
    before = peak()
    look.render(array, out=result, renderer=one)
    print(peak() - before)
    del array, result
"""
    grown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert all(int(bytes) < 12 << 20 for bytes in grown), grown
