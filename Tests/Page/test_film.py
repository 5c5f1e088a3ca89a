"""The strip of photos, and photos that cannot be read."""

import pathlib

import photos
import pytest
from driver import filters_of, sidecar
from studio import until

COUNT = 60


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "shoot"
    folder.mkdir()
    return folder


@pytest.fixture
def film(folder, start, browse):
    photos.write_small(folder, COUNT)
    return browse(start(folder))


def test_arrow_keys_and_thumbnails(film, folder):
    film.opened("photo-1.png")
    assert film.tab.locator(".photo-place").inner_text() == f"1 of {COUNT}"
    cells = film.tab.locator(".film-cell")
    # Only what is in sight exists.
    assert 10 < cells.count() < COUNT
    until(lambda: film.tab.locator(".film-cell img.there").count() == cells.count(), "each cell has its picture")
    film.press("ArrowRight")
    film.opened("photo-2.png")
    film.press(*["ArrowRight"] * 40)
    film.opened("photo-42.png")
    assert film.tab.locator(".film-cell[aria-current]").get_attribute("aria-label") == "photo-42.png"
    until(lambda: film.tab.locator(".film-cell img.there").count() == cells.count(), "each cell has its picture")
    film.press("ArrowLeft")
    film.opened("photo-41.png")
    film.press(*["ArrowRight"] * COUNT)
    film.opened(f"photo-{COUNT}.png")
    film.tab.get_by_role("button", name="photo-57.png").click()
    film.opened("photo-57.png")


def test_edits_stay_with_their_photos(film, folder):
    film.opened("photo-1.png")
    film.drag("exposure", 0.3)
    # At once on, while the step may still be on its way.
    film.look_away()
    film.press("ArrowRight")
    film.opened("photo-2.png")
    assert film.values == {}
    until(lambda: "exposure" in filters_of(folder / "photo-1.png"), "the first photo has its edit")
    film.press("Control+c", "ArrowLeft")
    film.opened("photo-1.png")
    until(lambda: "exposure" in film.values, "the edit is still there")
    film.press("Control+c", "ArrowRight")
    film.opened("photo-2.png")
    film.press("Control+v")
    until(lambda: "exposure" in filters_of(folder / "photo-2.png"), "the edit was pasted")
    assert sidecar(folder / "photo-3.png") is None


def test_deleted_while_open(film, folder):
    film.opened("photo-1.png")
    (folder / "photo-1.png").unlink()
    film.shows("photo-1.png is no longer in the folder.")
    # There is nothing left to be edited.
    film.drag("exposure", 0.3)
    assert film.values == {} and not list(folder.glob("*.json"))
    film.look_away()
    film.press("ArrowRight")
    film.opened("photo-2.png")
    film.drag("exposure", 0.3)
    until(lambda: filters_of(folder / "photo-2.png"), "other photos can be edited")
    film.look_away()
    # Once it is left it is gone from the strip too.
    film.press(*["ArrowRight"] * 10)
    film.opened("photo-12.png")
    film.press(*["ArrowLeft"] * 11)
    film.opened("photo-2.png")
    until(
        lambda: film.tab.locator(".photo-place").inner_text() == f"1 of {COUNT - 1}", "the list is one photo shorter")


def test_unreadable_photo(folder, start, browse):
    photos.write_small(folder, 3)
    (folder / "photo-2.png").write_bytes(b"this is no picture")
    page = browse(start(folder))
    page.opened("photo-1.png")
    page.press("ArrowRight")
    page.tab.locator(".problem").wait_for()
    assert page.state("s.frame") is None, "under its name no other photo is shown"
    page.press("ArrowRight")
    page.opened("photo-3.png")
    page.tab.locator(".problem").wait_for(state="hidden")


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"safelight-sidecar": 1'])
def test_unreadable_edit(folder, start, browse, content):
    photos.write_small(folder, 2)
    file = folder / "photo-1.png.safelight.json"
    file.write_text(content)
    page = browse(start(folder), opens=False)
    page.tab.locator(".problem").wait_for()
    page.press("ArrowRight")
    page.opened("photo-2.png")
    assert pathlib.Path(file).read_text() == content, "what cannot be read is left alone"


def test_cleared_edit(folder, start, browse):
    """An edit without filters, but with a past."""
    photos.write_small(folder, 1)
    studio = start(folder)
    page = browse(studio)
    page.drag("exposure", 0.3)
    page.steps(undo=1)
    page.button("Undo").click()
    page.steps(0, 1)
    page.tab.reload()
    page.opened()
    page.steps(0, 1)
    assert page.values == {}
    page.button("Redo").click()
    page.steps(1, 0)


def swipe(page, start, end, steps=8):
    """A finger's drag over the page."""
    touch = page.tab.context.new_cdp_session(page.tab)
    points = [[a + (b - a) * step / steps for a, b in zip(start, end)] for step in range(steps + 1)]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": points[0][0], "y": points[0][1]}]})
    for x, y in points[1:]:
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_swipe_goes_on_to_the_next_photo(start, browse, shoot):
    page = browse(start(shoot), size=(390, 844), ratio=2, has_touch=True, is_mobile=True)
    page.opened("photo-001.jpg")
    x, y, width, height = page.picture
    middle = y + height / 2
    page.tab.get_by_role("tab", name="Photos").tap()
    swipe(page, (x + 0.8 * width, middle), (x + 0.3 * width, middle))
    page.opened("photo-002.jpg")
    swipe(page, (x + 0.2 * width, middle), (x + 0.7 * width, middle))
    page.opened("photo-001.jpg")
    # Not after a short one, and an edit is changed by none.
    swipe(page, (x + 0.5 * width, middle), (x + 0.5 * width - 30, middle))
    page.tab.wait_for_timeout(200)
    assert page.state("s.info.name") == "photo-001.jpg" and page.values == {}


def test_a_drag_on_the_picture_is_of_a_slider_that_was_moved_on_it(start, browse, shoot):
    page = browse(start(shoot)).opened("photo-001.jpg")
    page.drag("exposure", 0.1)
    page.steps(undo=1)
    x, y, width, height = page.picture
    page.stroke((x + 0.3 * width, y + 0.5 * height), (x + 0.5 * width, y + 0.5 * height))
    page.steps(undo=2)
    page.look_away()
    page.press("ArrowRight")
    page.opened("photo-002.jpg")
    page.stroke((x + 0.3 * width, y + 0.5 * height), (x + 0.5 * width, y + 0.5 * height))
    page.settled()
    assert page.values == {} and page.state("s.undo") == 0
