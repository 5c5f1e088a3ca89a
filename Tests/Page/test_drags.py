"""Drags: the newest state wins, a sharp frame follows, one drag is one step. Steps go back and forth, across days."""

import pytest
from driver import filters_of
from studio import until


def test_newest_state_wins(page):
    page.ask("() => { safelightStudio.latencies.length = 0; }")
    page.drag("exposure", 0.4, steps=60)
    page.steps(undo=1)
    page.settled()
    frames = page.ask("() => safelightStudio.latencies.filter((one) => one.id)")
    inputs = [frame["id"] for frame in frames]
    assert inputs == sorted(inputs) and len({frame["frame"] for frame in frames}) == len(frames)
    assert len(frames) > 2, "the picture did not follow the drag"
    assert frames[-1]["final"] and inputs[-1] == page.ask("() => safelightStudio.editor.lastInput")
    assert all(frame["drawn"] >= frame["decoded"] >= frame["received"] for frame in frames)


def test_one_step_a_drag_and_all_ways_back(page, photo):
    page.drag("exposure", 0.2)
    page.steps(undo=1, redo=0)
    first = page.values
    page.drag("saturation", 0.2)
    page.steps(undo=2, redo=0)
    second = page.values
    page.look_away()
    page.press("Control+z")
    page.steps(1, 1)
    page.edited(first)
    page.button("Undo").click()
    page.steps(0, 2)
    page.edited({})
    page.press("Control+Shift+z")
    page.steps(1, 1)
    page.button("Redo").click()
    page.steps(2, 0)
    page.edited(second)
    assert page.button("Redo").is_disabled()
    assert filters_of(photo)["exposure"]["stops"] == second["exposure"]
    # A new step ends what could be done again.
    page.press("Control+z")
    page.steps(1, 1)
    page.drag("contrast", 0.2)
    page.steps(2, 0)


def test_a_drag_that_returns_is_no_step(page):
    page.drag("exposure", 0.2, release=False)
    assert page.values
    box = page.slider("exposure").locator(".slider-rail").bounding_box()
    page.tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
    page.tab.mouse.up()
    page.edited({})
    page.settled()
    page.steps(undo=0, redo=0)


def test_ten_keys_are_one_step(page):
    page.slider("exposure").locator("input").focus()
    page.press(*["ArrowRight"] * 10)
    page.steps(undo=1)
    page.settled()
    page.steps(undo=1)


def test_drag_across_the_picture(page):
    page.slider("shadows").locator("input").focus()
    x, y, width, height = page.picture
    start = (x + width * 0.4, y + height / 2)
    page.stroke(start, (start[0] + 120, start[1] + 5), release=False)
    until(lambda: page.tab.locator(".hud").is_visible(), "the value stands on the picture")
    page.tab.mouse.up()
    page.steps(undo=1)
    assert page.values["shadows"] > 0 and page.tab.locator(".hud").is_hidden()


def test_history_across_a_reload(page):
    page.drag("exposure", 0.2)
    page.steps(undo=1)
    page.drag("contrast", 0.2)
    page.steps(undo=2)
    values = page.values
    page.tab.reload()
    page.opened()
    page.steps(undo=2, redo=0)
    assert page.values == values
    page.press("Control+z")
    page.steps(1, 1)
    assert "contrast" not in page.values


@pytest.mark.parametrize("how", ["kill", "stop"])
def test_history_across_a_restart(browse, start, studio, photo, how):
    page = browse(studio, calm=False)
    page.drag("exposure", 0.2)
    page.steps(undo=1)
    page.drag("tint", 0.2)
    page.steps(undo=2)
    values = page.values
    getattr(studio, how)()
    page.shows("Reconnecting…")
    again = start(photo, studio.port)
    page.enter(again.address)
    page.opened()
    page.steps(undo=2, redo=0)
    assert page.values == values
    page.button("Undo").click()
    page.steps(1, 1)
    page.drag("saturation", 0.2)
    page.steps(2, 0)
    assert set(filters_of(photo)) == {"exposure", "saturation"}
