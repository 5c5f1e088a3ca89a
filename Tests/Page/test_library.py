"""The grid, and work on many photos."""

import os

import photos
import pytest
from driver import filters_of, sidecar, xmp
from studio import safelight, until
from test_access import check


@pytest.fixture
def page(shoot, start, browse):
    page = browse(start(shoot))
    page.grid()
    return page


def test_a_grid_of_many(tmp_path, scene, start, browse):
    folder = tmp_path / "many"
    folder.mkdir()
    photos.write_shoot(folder, scene, 300)
    page = browse(start(folder))
    page.grid()
    cells = page.tab.locator(".cell")
    assert 12 < cells.count() < 120, "only cells in sight exist"
    assert page.cell("photo-001.jpg").get_attribute("aria-posinset") == "1"
    assert page.cell("photo-001.jpg").get_attribute("aria-setsize") == "300"
    page.press("End")
    page.pictured()
    assert page.cell("photo-300.jpg").get_attribute("aria-selected") == "true"
    assert 12 < cells.count() < 120
    page.press("ArrowUp", "ArrowLeft")
    name = page.chosen[0]
    place = page.ask("() => document.querySelector('.grid').scrollTop")
    page.press("Enter")
    page.opened(name)
    until(lambda: page.tab.locator(".cell").first.is_hidden(), "the grid has faded out")
    page.press("g")
    until(lambda: page.state("s.room") == "grid", "the grid is open again")
    assert abs(page.ask("() => document.querySelector('.grid').scrollTop") - place) < 1, "at the same place"
    assert page.chosen == [name]
    # With larger cells the photo under the pointer stays at its height.
    page.press("Home", "PageDown", "PageDown")
    page.tab.mouse.move(600, 400)
    below = page.ask("() => document.elementFromPoint(600, 400).closest('.cell').title")
    page.tab.keyboard.down("Control")
    page.tab.mouse.wheel(0, -100)
    page.tab.keyboard.up("Control")
    until(lambda: page.ask("() => safelightStudio.library.grid.size") == 4, "the cells are larger")
    page.pictured()
    box = page.cell(below).bounding_box()
    assert box["y"] < 400 < box["y"] + box["height"]


def test_choosing(page):
    page.cell("photo-003.jpg").click()
    page.cell("photo-006.jpg").click(modifiers=["Shift"])
    assert page.chosen == [f"photo-00{number}.jpg" for number in (3, 4, 5, 6)]
    page.cell("photo-004.jpg").click(modifiers=["Control"])
    page.shows("3 selected")
    page.press("Escape")
    assert page.chosen == ["photo-004.jpg"]
    page.press("Shift+ArrowRight", "Shift+ArrowRight")
    assert page.chosen == [f"photo-00{number}.jpg" for number in (4, 5, 6)]
    page.press("Control+a")
    assert len(page.chosen) == 12
    # A rectangle over the first four, begun in the gap beside them.
    first, fourth = (page.cell(f"photo-00{number}.jpg").bounding_box() for number in (1, 4))
    page.stroke((first["x"] - 2, first["y"] + 4), (fourth["x"] + 20, fourth["y"] + 40))
    assert page.chosen == [f"photo-00{number}.jpg" for number in (1, 2, 3, 4)]
    page.cell("photo-002.jpg").dblclick()
    page.opened("photo-002.jpg")


def brighten(page):
    """Edits the first photo, and goes back to the grid."""
    page.press("Enter")
    page.opened("photo-001.jpg")
    page.drag("exposure", 0.3)
    page.steps(undo=1)
    page.press("g")
    until(lambda: page.cell("photo-001.jpg, edited").count() == 1, "the grid knows of the edit")


def test_an_edit_for_many(page, shoot):
    brighten(page)
    page.press("Control+c")
    page.cell("photo-004.jpg").click()
    page.cell("photo-008.jpg").click(modifiers=["Shift"])
    page.press("Control+v")
    until(lambda: all("exposure" in filters_of(shoot / f"photo-{n:03}.jpg") for n in range(4, 9)), "five have it")
    assert sidecar(shoot / "photo-003.jpg") is None
    until(lambda: page.cell("photo-006.jpg, edited").count() == 1, "the grid shows it")
    until(lambda: page.state("s.job") is None, "no message is left behind")
    # From a photo that is not the one open, too.
    page.cell("photo-006.jpg, edited").click()
    page.press("Control+c")
    page.shows("The edit of photo-006.jpg is copied.")
    page.cell("photo-012.jpg").click()
    page.press("Control+v")
    until(lambda: "exposure" in filters_of(shoot / "photo-012.jpg"), "it was pasted")
    # It is one step of each photo's own history.
    page.cell("photo-006.jpg").dblclick()
    page.opened("photo-006.jpg")
    page.steps(1, 0)
    page.button("Undo").click()
    page.steps(0, 1)
    # Parts: without light, nothing of this edit is left to paste.
    page.press("g", "Control+Shift+V")
    sheet = page.tab.get_by_role("dialog", name="Paste onto 1 photo")
    sheet.get_by_label("Light", exact=True).uncheck()
    sheet.get_by_role("button", name="Paste", exact=True).click()
    until(lambda: page.state("s.job") is None or page.state("s.job.result !== null"), "it is done")
    assert "exposure" not in filters_of(shoot / "photo-006.jpg")


def test_what_was_pasted_is_taken_back_from_all(page, shoot):
    brighten(page)
    page.press("4", "Control+c")
    page.cell("photo-004.jpg").click()
    page.cell("photo-008.jpg").click(modifiers=["Shift"])
    page.press("Control+v")
    page.shows("Pasted onto 5 photos. Ctrl+Z takes it back.")
    pasted = [shoot / f"photo-{number:03}.jpg" for number in range(4, 9)]
    until(lambda: all("exposure" in filters_of(one) for one in pasted), "five have it")
    page.press("Control+z")
    until(lambda: not any(filters_of(one) for one in pasted), "none has it")

    def done():
        return page.state("!s.job || s.job.result !== null")

    until(done, "that is over")
    # The stars, which were given before, stay.
    assert page.mark("photo-001.jpg")[0] == 4
    page.press("Control+Shift+z")
    until(lambda: all("exposure" in filters_of(one) for one in pasted), "all have it again")
    until(done, "that is over")
    page.press("Control+z")
    until(lambda: not any(filters_of(one) for one in pasted), "none has it")
    until(done, "that is over")
    page.press("Control+z")
    until(lambda: page.mark("photo-001.jpg")[0] == 0, "then the stars go")
    assert "exposure" in filters_of(shoot / "photo-001.jpg")


def test_many_are_exported(page, shoot):
    page.press("Shift+ArrowRight", "Shift+ArrowRight", "Control+e")
    sheet = page.tab.get_by_role("dialog", name="Export 3 photos")
    sheet.get_by_label("Format", exact=True).select_option("png")
    sheet.get_by_role("button", name="Export", exact=True).click()
    page.button("3 exported").click()
    page.shows("3 photos in")
    files = sorted(os.listdir(shoot / "edited"))
    assert files == ["photo-001.png", "photo-002.png", "photo-003.png"]
    command = page.tab.locator(".job-panel .code").inner_text()
    assert command.startswith("safelight ")
    page.button("Done").click()
    page.tab.locator(".job").wait_for(state="hidden")


def test_an_export_is_cancelled(shoot, scene, start, browse):
    for number in range(13, 60):
        (shoot / f"photo-{number:03}.jpg").write_bytes(scene.read_bytes())
    page = browse(start(shoot))
    page.grid()
    page.press("Control+a", "Control+e")
    page.tab.get_by_role("dialog").get_by_role("button", name="Export", exact=True).click()
    until(lambda: (shoot / "edited").exists() and len(os.listdir(shoot / "edited")) > 2, "it has begun")
    page.button("Cancel").click()
    until(lambda: page.state("s.job?.result !== null"), "it ends")
    done = page.state("s.job.done.size")
    assert 2 < done < 59
    files = os.listdir(shoot / "edited")
    assert len(files) == done, "nothing is half written"


def test_two_are_compared(page, shoot):
    page.cell("photo-002.jpg").click()
    page.cell("photo-005.jpg").click(modifiers=["Control"])
    page.press("c")
    sharp = "() => safelightStudio.compare.panes.every(({ pane }) => pane.store.state.frame?.sharp)"
    until(lambda: page.ask(sharp), "both are sharp")
    names = lambda: page.ask("() => [...document.querySelectorAll('.pane-name')].map((one) => one.textContent)")
    assert names() == ["photo-002.jpg", "photo-005.jpg"]
    left = page.tab.get_by_label("Left photo").locator("canvas.canvas").bounding_box()
    page.tab.mouse.move(left["x"] + left["width"] / 2 + 40, left["y"] + left["height"] / 2)
    page.tab.mouse.wheel(0, -400)
    views = lambda: page.ask("() => safelightStudio.compare.panes.map(({ pane }) => pane.store.state.view)")
    until(lambda: views()[0]["mode"] == "zoom", "it is zoomed in")
    assert views()[0] == views()[1], "both show the same place"
    until(lambda: page.ask(sharp), "both are sharp")
    # Marks go to the one that is active; the next photo comes in beside it.
    page.press("p")
    until(lambda: xmp(shoot / "photo-005.jpg", "digiKam:PickLabel") == "3", "the right one is picked")
    page.press("Tab", "x")
    until(lambda: xmp(shoot / "photo-002.jpg", "xmp:Rating") == "-1", "the left one is rejected")
    page.press("ArrowRight")
    until(lambda: names() == ["photo-002.jpg", "photo-006.jpg"], "the next one")
    page.press("ArrowUp")
    until(lambda: names() == ["photo-006.jpg", "photo-007.jpg"], "the right one stays")
    page.press("ArrowDown")
    until(lambda: names() == ["photo-007.jpg", "photo-006.jpg"], "swapped")
    until(lambda: page.ask(sharp), "both are sharp")
    page.press("Escape")
    until(lambda: page.state("s.room") == "grid", "back in the grid")
    assert page.chosen == ["photo-006.jpg", "photo-007.jpg"]
    until(lambda: not page.ask("() => safelightStudio.compare.panes.some(({ pane }) => pane.photo)"), "they are closed")


def test_a_photo_that_cannot_be_read(shoot, start, browse):
    (shoot / "photo-002.jpg").write_bytes(b"no picture at all")
    page = browse(start(shoot))
    page.press("g")
    page.tab.locator(".cell.unread").wait_for()
    assert "photo-002.jpg" in page.tab.locator(".cell.unread").get_attribute("aria-label")
    until(lambda: page.tab.locator(".cell img").count() == 11, "the others are shown")


def test_new_photos_come_in(page, shoot):
    safelight("edit", shoot / "photo-001.jpg", "--exposure", 1, "--output", shoot / "photo-020.jpg", "--quiet")
    until(lambda: page.cell("photo-020.jpg").count() == 1, "it is in the grid")
    (shoot / "photo-003.jpg").unlink()
    until(lambda: page.cell("photo-003.jpg").count() == 0, "it is gone")


def test_on_a_phone(shoot, start, browse):
    page = browse(start(shoot), size=(360, 800), ratio=3, has_touch=True, is_mobile=True)
    page.button("Grid").tap()
    page.pictured()
    columns = page.ask("() => safelightStudio.library.grid.layout.columns")
    assert columns in (2, 3)
    # A tap opens; after Select it chooses.
    page.cell("photo-002.jpg").tap()
    page.opened("photo-002.jpg")
    page.tab.get_by_role("tab", name="Photos").tap()
    stars = page.tab.locator(".mark-row .stars")
    box = stars.bounding_box()
    page.tab.touchscreen.tap(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2)
    until(lambda: xmp(shoot / "photo-002.jpg", "xmp:Rating") == "3", "three stars")
    page.button("Grid").tap()
    page.button("Select").tap()
    page.cell("photo-001.jpg").tap()
    page.cell("photo-004.jpg").tap()
    page.shows("2 selected")
    page.tab.get_by_role("group", name="Marks of the chosen photos").get_by_role("button", name="Pick").tap()
    for name in ("photo-001.jpg", "photo-004.jpg"):
        until(lambda: xmp(shoot / name, "digiKam:PickLabel") == "3", f"{name} is picked")
    page.button("Compare two").tap()
    until(lambda: page.state("s.room") == "compare", "they are compared")
    page.button("Back").tap()
    page.button("Done").tap()
    assert page.state("s.room") == "grid"


@pytest.mark.parametrize("size", [(1440, 900), (360, 800)])
def test_axe(shoot, start, browse, size):
    page = browse(start(shoot), size=size, reduced_motion="reduce")

    check(page)
    page.grid()
    page.press("3")
    check(page)
    page.press("Shift+ArrowRight", "c")
    until(lambda: page.state("s.room") == "compare", "two are compared")
    check(page)


@pytest.mark.parametrize("room", ["grid", "compare"])
def test_everything_has_a_name(page, room):
    if room == "compare":
        page.press("Shift+C")
        until(lambda: page.state("s.room") == "compare", "two are compared")
    unnamed = page.ask(
        """() => [...document.querySelectorAll('button, input, select, [role=slider], [role=radio], [role=option]')]
          .filter((one) => !(one.getAttribute('aria-label') || one.title || one.textContent.trim() || one.labels?.length))
          .map((one) => one.outerHTML.slice(0, 120))""")
    assert unnamed == []
