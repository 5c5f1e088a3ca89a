"""Two tabs on one photo, and a program that dies in the middle of a drag."""

from driver import filters_of
from studio import until


def test_two_tabs_stay_in_step(browse, studio, judge, photo):
    one, two = browse(studio), browse(studio)
    one.drag("exposure", 0.2)
    one.steps(undo=1)
    two.steps(undo=1)
    two.edited(one.values)
    two.drag("tint", -0.3)
    one.steps(undo=2)
    one.edited(two.values)
    one.button("Undo").click()
    for page in (one, two):
        page.steps(1, 1)
        until(lambda: set(page.values) == {"exposure"}, "both went back")
    values = one.values
    for page in (one, two):
        until(
            lambda: judge.difference(page, photo, "--exposure", values["exposure"]) < 3, "both show the same picture")


def test_a_drag_is_not_disturbed_by_another_tab(browse, studio):
    one, two = browse(studio), browse(studio)
    one.tab.bring_to_front()
    one.drag("exposure", 0.3, release=False)
    value = one.values["exposure"]
    two.slider("contrast").locator("input").focus()
    two.press("ArrowRight")
    two.steps(undo=1)
    one.steps(undo=1)
    assert one.values["exposure"] == value
    one.tab.mouse.up()
    one.steps(undo=2)
    two.steps(undo=2)
    until(lambda: two.values.get("exposure") == value, "the drag arrived in the other tab")


def test_a_drag_keeps_what_another_tab_has_changed(browse, studio, photo):
    one, two = browse(studio), browse(studio)
    one.tab.bring_to_front()
    one.drag("exposure", 0.3, release=False)
    two.slider("contrast").locator("input").focus()
    two.press("ArrowRight")
    two.steps(undo=1)
    until(lambda: "contrast" in one.values, "the other tab's change is seen in the middle of the drag")
    one.tab.mouse.up()
    one.steps(undo=2)
    for page in (one, two):
        until(lambda: set(page.values) == {"contrast", "exposure"}, "both have both")
    until(lambda: set(filters_of(photo)) == {"contrast", "exposure"}, "so has the file")


def test_killed_during_a_drag(browse, start, studio, photo):
    page = browse(studio, calm=False)
    page.drag("contrast", 0.2)
    page.steps(undo=1)
    page.drag("exposure", 0.2, release=False)
    studio.kill()
    # The drag goes on without the program.
    x, y = page.ask("() => { const b = document.querySelector('.dragging .slider-thumb').getBoundingClientRect(); return [b.x + 12, b.y + 12]; }")
    page.tab.mouse.move(x + 30, y, steps=5)
    page.tab.mouse.up()
    values = page.values
    page.shows("Reconnecting…")
    again = start(photo, studio.port)
    page.enter(again.address)
    page.steps(undo=2)
    page.edited(values)
    until(lambda: set(filters_of(photo)) == {"contrast", "exposure"}, "the drag is saved")
    assert filters_of(photo)["exposure"]["stops"] == values["exposure"]
    page.settled()


def test_edited_while_the_program_is_away(browse, start, studio, photo):
    page = browse(studio, calm=False)
    studio.kill()
    page.shows("Reconnecting…")
    page.drag("saturation", 0.3)
    values = page.values
    again = start(photo, studio.port)
    page.enter(again.address)
    page.steps(undo=1)
    page.edited(values)
    until(lambda: "saturation" in filters_of(photo), "it is saved")
