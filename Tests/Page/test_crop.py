"""The crop tool: frame, proportions, dial, levelling, and leaving it both ways."""

import math

import pytest
from driver import filters_of
from studio import until


def rect(page):
    """The crop of the edit; the whole picture without one."""
    text = page.values.get("crop")
    return tuple(map(int, text.split(","))) if text else None


@pytest.fixture
def tool(page):
    page.crop()
    return page


def test_grabbers(tool):
    x, y, width, height = tool.picture
    tool.stroke((x + width, y + height), (x + width * 0.75, y + height * 0.75))
    until(lambda: rect(tool), "the corner moved")
    left, top, across, along = rect(tool)
    assert (left, top) == (0, 0) and abs(across - 1440) <= 3 and abs(along - 960) <= 3
    # The upper edge, then the frame itself.
    tool.stroke((x + width * 0.375, y), (x + width * 0.375, y + height * 0.25))
    until(lambda: rect(tool)[1] > 0, "the edge moved")
    assert abs(rect(tool)[1] - 320) <= 3 and abs(rect(tool)[3] - 640) <= 6
    tool.stroke((x + width * 0.3, y + height * 0.5), (x + width * 0.4, y + height * 0.5))
    until(lambda: rect(tool)[0] > 0, "the frame moved")
    assert abs(rect(tool)[0] - 192) <= 3 and abs(rect(tool)[2] - 1440) <= 3
    tool.press("Enter")
    tool.steps(undo=1)
    assert tool.state("s.mode") == "adjust"
    tool.settled()
    full = tool.state("s.frame.full")
    assert (full["width"], full["height"]) == rect(tool)[2:]


def test_proportions(tool):
    for name, ratio in [("Square", 1), ("4 : 3", 4 / 3), ("16 : 9", 16 / 9)]:
        tool.choose(name)
        until(lambda: rect(tool) and abs(rect(tool)[2] / rect(tool)[3] - ratio) < 0.01, name)
    tool.button("Portrait or landscape").click()
    until(lambda: abs(rect(tool)[2] / rect(tool)[3] - 9 / 16) < 0.01, "portrait")
    # A grabber keeps the proportions.
    box = tool.tab.locator(".crop-border").bounding_box()
    corner = (box["x"] + box["width"], box["y"] + box["height"])
    before = rect(tool)
    tool.stroke(corner, (corner[0] - 60, corner[1] - 60))
    until(lambda: rect(tool) != before, "the corner moved")
    assert abs(rect(tool)[2] / rect(tool)[3] - 9 / 16) < 0.01
    tool.press("Control+z")
    until(lambda: rect(tool) == before, "undo within the tool")


def test_done_before_the_frame_has_settled(tool):
    tool.choose("Square")
    tool.press("Enter")
    tool.steps(undo=1)
    assert rect(tool)[2:] == (1280, 1280)
    tool.crop()
    tool.choose("16 : 9")
    tool.press("x", "Enter")
    tool.steps(undo=2)
    assert abs(rect(tool)[2] / rect(tool)[3] - 9 / 16) < 0.01


def test_dial(tool):
    face = tool.tab.locator(".dial-face").bounding_box()
    x, y = face["x"] + face["width"] / 2, face["y"] + face["height"] / 2
    tool.stroke((x, y), (x - 50, y))
    until(lambda: tool.values.get("straighten"), "the dial turned")
    assert abs(tool.values["straighten"] - 5) < 0.2
    readout = tool.tab.get_by_label("Angle", exact=True)
    assert readout.input_value() == "+5.0°"
    readout.click()
    tool.tab.keyboard.type("-1,5")
    tool.press("Enter")
    until(lambda: tool.values.get("straighten") == -1.5, "an angle can be typed")
    tool.look_away()
    tool.tab.locator(".dial-face").dblclick()
    until(lambda: "straighten" not in tool.values, "a double click levels it")


def test_turned_from_outside_the_frame(tool):
    x, y, width, height = tool.picture
    middle = (x + width / 2, y + height / 2)
    out = middle[0] - width / 2 - 30
    assert out > tool.tab.locator(".stage").bounding_box()["x"]
    # A hand's breadth up at the left turns it clockwise.
    tool.stroke((out, middle[1]), (out, middle[1] - 60))
    until(lambda: tool.values.get("straighten"), "it was turned")
    wanted = math.degrees(math.atan2(60, middle[0] - out))
    assert abs(tool.values["straighten"] - wanted) < 0.3
    tool.settled()
    # A double click on the picture is as good as "Done".
    tool.tab.mouse.dblclick(*middle)
    until(lambda: tool.state("s.mode") == "adjust", "the tool is left")
    tool.steps(undo=1)


def test_auto_levels_the_scene(tool, photo):
    tool.press("a")
    until(lambda: tool.values.get("straighten"), "an angle was found")
    lines = tool.tab.locator(".crop-evidence line")
    until(lambda: lines.count() > 0, "its evidence is drawn")
    assert tool.tab.locator(".dial-summary").inner_text()
    tool.settled()
    tool.button("Done").click()
    tool.steps(undo=1)
    assert 0.5 < abs(tool.values["straighten"]) < 15 and "straighten" in filters_of(photo)


def test_cancel(tool):
    tool.choose("Square")
    until(lambda: rect(tool), "the crop is square")
    tool.button("Cancel").click()
    tool.edited({})
    tool.settled()
    tool.steps(undo=0)
    tool.crop()
    tool.button("Right").click()
    tool.press("Escape")
    tool.edited({})
    tool.steps(undo=0)


def test_turn_and_mirror(tool, photo):
    tool.button("Right").click()
    tool.button("Mirror").click()
    tool.settled()
    until(lambda: tool.state("s.frame.full.height") == 1920, "the picture is upright")
    tool.button("Done").click()
    tool.steps(undo=1)
    assert {"rotate", "flip"} <= set(filters_of(photo))
    tool.crop()
    tool.button("Reset all").click()
    tool.button("Done").click()
    tool.steps(undo=2)
    assert not filters_of(photo)


def test_resize_and_corners(tool, photo):
    tool.tab.get_by_role("slider", name="Straighten", exact=True).focus()
    tool.press(*["Shift+ArrowRight"] * 5)
    tool.tab.locator('[data-flag="straighten-corners"] [role=radio]').last.click()
    field = tool.tab.get_by_label("Resize", exact=True)
    field.fill("50%")
    field.press("Tab")
    until(lambda: set(tool.values) == {"straighten", "straighten-corners", "resize"}, "all three values are there")
    tool.button("Done").click()
    tool.steps(undo=1)
    assert set(filters_of(photo)) == {"straighten", "resize"}
    tool.settled()
    assert tool.state("s.frame.full.width") < 1200


def test_grids(tool):
    lines = tool.tab.locator(".crop-grid")
    seen = set()
    for _ in range(4):
        seen.add(lines.get_attribute("d"))
        tool.press("o")
    assert len(seen) == 4 and "" in seen
