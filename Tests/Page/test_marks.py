"""Stars, flags and colours: read and written as other programs do, followed by the filter, given by keys."""

import pytest
from driver import xmp
from studio import until

@pytest.fixture
def page(shoot, start, browse):
    page = browse(start(shoot))
    page.grid()
    return page


def test_marks_are_written_for_others(page, shoot):
    page.press("4", "6", "p")
    one = shoot / "photo-001.jpg"
    until(lambda: xmp(one, "xmp:Rating") == "4", "four stars")
    until(lambda: xmp(one, "xmp:Label") == "Red", "red")
    until(lambda: xmp(one, "digiKam:PickLabel") == "3", "picked")
    assert page.cell("photo-001.jpg").get_attribute("aria-label") == "photo-001.jpg, 4 stars, picked, red"
    # Rejected: as Adobe's programs write it. Taken back, the stars are there again.
    page.press("x")
    until(lambda: xmp(one, "xmp:Rating") == "-1", "rejected")
    page.press("u")
    until(lambda: xmp(one, "xmp:Rating") == "4", "the stars are back")
    until(lambda: page.mark("photo-001.jpg") == [4, "none", "red"], "in the page too")
    # Many at once; Ctrl+Z takes it back.
    page.press("Control+a", "2")
    until(lambda: all(xmp(shoot / f"photo-{n:03}.jpg", "xmp:Rating") == "2" for n in range(1, 13)), "all have two")
    page.press("Control+z")
    until(lambda: xmp(one, "xmp:Rating") == "4", "as before")
    until(lambda: xmp(shoot / "photo-002.jpg", "xmp:Rating") in (None, "0"), "as before")


def test_marks_of_others_are_shown(page, shoot):
    text = (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5" xmp:Label="Blue"/>'
        "</rdf:RDF></x:xmpmeta>")
    (shoot / "photo-007.jpg.xmp").write_text(text)
    until(lambda: page.mark("photo-007.jpg") == [5, "none", "blue"], "another program's mark is seen")
    page.tab.reload()
    page.opened()
    until(lambda: page.mark("photo-007.jpg") == [5, "none", "blue"], "and known after a new start")


def test_culling_in_the_single_view(page, shoot):
    page.press("Enter")
    page.opened("photo-001.jpg")
    # With Shift, as with Caps Lock, the next photo follows.
    page.press("Shift+Digit3")
    page.opened("photo-002.jpg")
    assert page.mark("photo-001.jpg") == [3, "none", "none"]
    page.press("Shift+X")
    page.opened("photo-003.jpg")
    until(lambda: xmp(shoot / "photo-002.jpg", "xmp:Rating") == "-1", "rejected")
    stars = page.tab.locator(".bar .stars")
    box = stars.bounding_box()
    page.tab.mouse.click(box["x"] + 0.7 * box["width"], box["y"] + box["height"] / 2)
    until(lambda: xmp(shoot / "photo-003.jpg", "xmp:Rating") == "4", "a click on the fourth star")
    strip = page.tab.get_by_role("button", name="photo-003.jpg, 4 stars")
    assert strip.get_attribute("data-rating") == "4"
    assert page.values == {}, "marks are no edits"


def test_the_filter_is_followed(page):
    for name in ("photo-002.jpg", "photo-005.jpg", "photo-009.jpg"):
        page.cell(name).click()
        page.press("p")
    page.cell("photo-005.jpg").click()
    page.press("x")
    page.tab.get_by_role("button", name="Picked, 2").click()
    until(lambda: page.tab.locator(".cell").count() == 2, "two are shown")
    page.shows("2 of 12 photos")
    page.cell("photo-002.jpg").dblclick()
    page.opened("photo-002.jpg")
    page.press("ArrowRight")
    page.opened("photo-009.jpg")
    assert page.tab.locator(".film-cell").count() == 2
    # What is marked away is left, and the next one that is shown follows.
    page.press("u", "ArrowLeft")
    page.opened("photo-002.jpg")
    page.press("g")
    until(lambda: page.tab.locator(".cell").count() == 1, "one is left")
    page.press("u")
    page.shows("No photo matches this filter.")
    page.tab.locator(".nothing").get_by_role("button", name="Show all").click()
    until(lambda: page.tab.locator(".cell").count() == 12, "all are shown")


def test_a_mark_that_cannot_be_written_is_put_back(page, shoot):
    (shoot / "photo-001.jpg.xmp").mkdir()
    page.press("5")
    page.tab.locator(".library-problem").wait_for()
    assert page.tab.locator(".library-problem p").first.inner_text()
    until(lambda: page.mark("photo-001.jpg") == [0, "none", "none"], "it is put back")
    page.button("OK").click()
    page.tab.locator(".library-problem").wait_for(state="hidden")
