"""What is picked on the picture: grey for the white balance; and where it is clipped."""

import photos
import pytest
from driver import filters_of
from studio import safelight, until


@pytest.fixture
def card(tmp_path):
    """A greenish, warm grey at the left; orange; white that is blown out, and black."""
    colours = [(150, 150, 96), (230, 120, 20), (255, 255, 255), (0, 0, 0)]
    return photos.write_png(tmp_path / "card.png", 400, 200, lambda x, y: colours[x // 100])


def press(page, part):
    x, y, width, height = page.picture
    page.tab.mouse.click(x + part * width, y + height / 2)


def test_grey_is_picked_for_the_white_balance(start, browse, card):
    page = browse(start(card))
    page.press("w")
    page.shows("Press something that is grey or white.")
    press(page, 0.375)
    page.shows("No light makes that colour grey")
    assert page.values == {} and page.state("s.picksGrey")
    press(page, 0.625)
    page.shows("Too bright there")
    press(page, 0.125)
    page.steps(undo=1)
    assert set(page.values) == {"temperature", "tint"} and page.values["temperature"] < 6500
    assert not page.state("s.picksGrey")
    until(lambda: "white-balance" in filters_of(card), "it is beside the photo")
    # What the command line makes of these values is grey.
    safelight(
        "edit", card, "-o", card.with_name("grey.png"), "--temperature", page.values["temperature"], "--tint",
        page.values["tint"])
    page.settled()
    shown = page.read("canvas", "(copy, x, y) => [...copy.getImageData(x, y, 1, 1).data].slice(0, 3)", *middle(page, 0.125))
    assert max(shown) - min(shown) <= 6, shown


def middle(page, part):
    """A place of the picture in pixels of the canvas."""
    _, rect = page.pixels()
    return [int(rect["x"] + part * rect["width"]), int(rect["y"] + rect["height"] / 2)]


def test_picking_ends_with_escape_and_with_other_tools(start, browse, shoot):
    page = browse(start(shoot))
    page.press("w")
    assert page.state("s.picksGrey")
    page.press("Escape")
    assert not page.state("s.picksGrey") and page.state("s.room") == "photo"
    page.press("w", "c")
    until(lambda: not page.state("s.picksGrey"), "the crop tool takes the pointer")


def test_what_is_clipped_is_marked(start, browse, card):
    page = browse(start(card))

    def colour(part):
        script = "(copy, x, y) => [...copy.getImageData(x, y, 1, 1).data].slice(0, 3)"
        return page.read("canvas", script, *middle(page, part))

    assert colour(0.625) == [255, 255, 255] and colour(0.875) == [0, 0, 0]
    plain = colour(0.125)
    page.press("j")
    until(lambda: colour(0.625)[0] > 200 > 100 > colour(0.625)[2], "white is red")
    until(lambda: colour(0.875)[2] > 200 > 150 > colour(0.875)[0], "black is blue")
    assert colour(0.125) == plain
    # In every frame of a drag, and not over the original.
    page.drag("contrast", 0.1, release=False)
    until(lambda: colour(0.625)[0] > 200 > 100 > colour(0.625)[2], "white is red while something is dragged")
    page.tab.mouse.up()
    page.steps(undo=1)
    page.look_away()
    page.tab.keyboard.down("\\")
    until(lambda: colour(0.625) == [255, 255, 255], "the original has no marks")
    page.tab.keyboard.up("\\")
    page.press("Control+z")
    page.edited({})
    page.settled()
    # The triangles of the histogram do the same.
    page.press("s")
    page.tab.get_by_role("button", name="clipped to white").click()
    until(lambda: colour(0.625) == [255, 255, 255], "it is as it was")
