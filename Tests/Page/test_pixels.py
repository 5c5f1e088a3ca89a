"""What is on the screen is what the command line makes."""

import pytest
from studio import until

# Of 255: what a JPEG of high quality costs.
CLOSE = 3


def agrees(page, judge, photo, *flags):
    page.settled()
    assert judge.difference(page, photo, *flags) < CLOSE


def test_first_picture(page, judge, photo):
    agrees(page, judge, photo)


@pytest.mark.parametrize("flag, by", [("exposure", 0.2), ("saturation", -0.3), ("temperature", 0.15)])
def test_after_a_drag(page, judge, photo, flag, by):
    page.drag(flag, by)
    page.steps(undo=1)
    page.settled()
    value = page.values[flag]
    assert judge.difference(page, photo) > CLOSE, "the drag changed nothing"
    agrees(page, judge, photo, f"--{flag}", value)


def test_look_at_half_strength(page, judge, photo):
    page.choose("Noir")
    page.steps(undo=1)
    strength = page.tab.get_by_role("slider", name="Strength", exact=True)
    strength.focus()
    page.press(*["Shift+ArrowLeft"] * 5)
    page.steps(undo=2)
    assert page.state("s.edit.look") == {"preset": "noir", "strength": 50}
    agrees(page, judge, photo, "--preset", "noir", "--strength", 50)


def test_crop_and_angle(page, judge, photo):
    page.crop()
    page.tab.get_by_role("slider", name="Straighten", exact=True).focus()
    page.press(*["Shift+ArrowRight"] * 3)
    page.choose("Square")
    until(lambda: "crop" in page.values, "the crop has its proportions")
    page.settled()
    page.press("Enter")
    page.steps(undo=1)
    values = page.values
    assert values["straighten"] == 3
    x, y, width, height = map(int, values["crop"].split(","))
    assert abs(width - height) <= 1
    agrees(page, judge, photo, "--straighten", 3, "--crop", values["crop"])


def test_on_a_dense_screen(browse, studio, judge, photo):
    page = browse(studio, size=(900, 700), ratio=2)
    page.drag("contrast", 0.2)
    page.steps(undo=1)
    agrees(page, judge, photo, "--contrast", page.values["contrast"])
