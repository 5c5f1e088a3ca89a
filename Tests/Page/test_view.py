"""Zoom and comparison."""

import re

import pytest
from photos import write_png
from studio import until


def place_in(page):
    """Where a place of the window is in the picture, 0…1 along both axes."""
    x, y, width, height = page.picture
    return lambda px, py: ((px - x) / width, (py - y) / height)


def test_wheel_zooms_to_the_cursor(page):
    x, y, width, height = page.picture
    point = (x + width * 0.3, y + height * 0.6)
    page.tab.mouse.move(*point)
    before = place_in(page)(*point)
    for _ in range(6):
        page.tab.mouse.wheel(0, -200)
    until(lambda: page.picture[2] > 2 * width, "the picture is larger")
    page.settled()
    after = place_in(page)(*point)
    assert all(abs(a - b) < 0.004 for a, b in zip(before, after)), (before, after)
    for _ in range(12):
        page.tab.mouse.wheel(0, 200)
    until(lambda: page.state("s.view.mode") == "fit", "it fits again")
    page.settled()
    assert all(abs(a - b) <= 1 for a, b in zip(page.picture, (x, y, width, height)))


def test_above_full_size(page):
    """The server sends the pixels, the page enlarges them: smoothly at first, then as squares."""
    page.press("z", *["+"] * 4)
    until(lambda: page.state("s.view.scale") > 2, "more than 100 %")
    page.settled()
    assert page.picture[2] == pytest.approx(1920 * page.state("s.view.scale"), abs=1)
    assert page.state("s.frame.zoom") == pytest.approx(page.state("s.view.scale"))
    page.press(*["+"] * 8)
    until(lambda: page.state("s.view.scale") == 8, "800 %")
    page.settled()
    # Squares: the same colour eight times in a row.
    runs = """(context) => {
      const { data } = context.getImageData(0, 300, 800, 1);
      let changes = 0;
      for (let x = 1; x < 800; x++) changes += [0, 1, 2].some((c) => data[4 * x + c] !== data[4 * x - 4 + c]);
      return changes;
    }"""
    assert 10 < page.read(".canvas", runs) <= 101


@pytest.mark.parametrize("ratio", [1, 2])
def test_a_small_photo_is_enlarged_to_css_pixels(browse, start, tmp_path, ratio):
    write_png(tmp_path / "small.png", 160, 120, lambda x, y: (x, y, 99))
    page = browse(start(tmp_path), ratio=ratio)
    x, y, width, height = page.picture
    assert (width, height) == (160, 120)
    stage = page.tab.locator(".stage").bounding_box()
    assert abs(x + 80 - stage["x"] - stage["width"] / 2) <= 1 and abs(y + 60 - stage["y"] - stage["height"] / 2) <= 1
    page.crop()
    frame = page.tab.locator(".crop-border").bounding_box()
    assert all(abs(frame[side] - size) <= 1.5 for side, size in [("x", x), ("y", y), ("width", 160), ("height", 120)])


def test_full_size_and_pan(page):
    page.press("z")
    until(lambda: page.state("s.view.scale") == 1, "100 %")
    page.settled()
    assert page.state("s.frame.zoom") == pytest.approx(1)
    assert page.tab.locator(".zoom-button").inner_text() == "100 %"
    x, y, width, height = page.picture
    assert (width, height) == (1920, 1280)
    page.stroke((700, 400), (600, 350))
    page.settled()
    moved = page.picture
    assert abs(moved[0] - x + 100) <= 2 and abs(moved[1] - y + 50) <= 2
    page.press("z")
    until(lambda: page.state("s.view.mode") == "fit", "it fits again")


def test_double_click(page):
    page.tab.mouse.dblclick(500, 400)
    until(lambda: page.state("s.view.mode") == "zoom", "100 %")
    page.settled()
    page.tab.mouse.dblclick(500, 400)
    until(lambda: page.state("s.view.mode") == "fit", "it fits again")


def test_keys_zoom(page):
    page.press("+")
    until(lambda: page.state("s.view.mode") == "zoom", "zoomed in")
    page.press("-", "-")
    until(lambda: page.state("s.view.mode") == "fit", "zoomed out")


def test_hold_shows_the_original(page, judge, photo):
    page.drag("exposure", 0.4)
    page.settled()
    until(lambda: page.ask("() => safelightStudio.stage.painter.hasOriginal"), "the original is there")
    page.look_away()
    edited = judge.difference(page, photo)
    page.tab.keyboard.down("\\")
    page.tab.get_by_text("Original", exact=True).first.wait_for()
    until(lambda: judge.difference(page, photo) < 3, "the original is shown")
    page.tab.keyboard.up("\\")
    until(lambda: abs(judge.difference(page, photo) - edited) < 0.5, "the edit is shown again")
    # On the picture itself.
    x, y, width, height = page.picture
    page.tab.mouse.move(x + width / 2, y + height / 2)
    page.tab.mouse.down()
    until(lambda: page.state("s.holding"), "holding the picture")
    until(lambda: judge.difference(page, photo) < 3, "the original is shown")
    page.tab.mouse.up()
    until(lambda: not page.state("s.holding"), "let go")


def test_split(page):
    page.drag("saturation", -0.5)
    page.settled()
    until(lambda: page.ask("() => safelightStudio.stage.painter.hasOriginal"), "the original is there")
    page.look_away()
    page.press("v")
    handle = page.tab.get_by_role("slider", name="Split between original and edited")
    handle.wait_for()
    # Grey on the right, coloured on the left of the line.
    colour = """(context, side) => {
      const { x, y, width, height } = safelightStudio.stage.painter.rect;
      const { data } = context.getImageData(x + width * side, y, width * 0.4, height);
      let sum = 0;
      for (let i = 0; i < data.length; i += 4) sum += Math.max(...data.slice(i, i + 3)) - Math.min(...data.slice(i, i + 3));
      return sum / data.length * 4;
    }"""
    until(lambda: page.read(".canvas", colour, 0.05) > 2 * page.read(".canvas", colour, 0.55), "the left side is the original")
    box = handle.bounding_box()
    start = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.stroke(start, (start[0] + 200, start[1]))
    until(lambda: page.state("s.split") > 0.6, "the line moved")
    page.press("v")
    handle.wait_for(state="hidden")


def test_side_by_side(page):
    page.drag("saturation", -0.5)
    page.press("b")
    page.shows("Edited")
    until(lambda: page.state("s.compare") == "side", "side by side")
    page.settled()
    until(lambda: page.ask("() => safelightStudio.stage.painter.hasOriginal"), "the original is there")
    areas = page.ask("() => safelightStudio.stage.layout().areas")
    assert len(areas) == 2
    # Zoom is linked: one view for both.
    page.tab.mouse.move(300, 400)
    page.tab.mouse.wheel(0, -300)
    until(lambda: page.state("s.view.mode") == "zoom", "zoomed in")
    page.settled()
    page.press("b")
    until(lambda: page.state("s.compare") == "off", "one picture again")


def test_scopes(page):
    page.press("s")
    page.tab.locator(".scopes").wait_for()
    inked = """(context) => {
      const { width, height } = context.canvas;
      return context.getImageData(0, 0, width, height).data.some((value) => value > 60);
    }"""
    for name in ["Hist", "Wave", "RGB", "Vect"]:
        page.tab.get_by_role("tab", name=name, exact=True).click()
        until(lambda: page.read(".scope-canvas", inked), name)
    page.press("s")
    page.tab.locator(".scopes").wait_for(state="hidden")


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(
    "window, ratio", [((1440, 900), 1), ((1000, 700), 2), ((2880, 1440), 1), ((390, 760), 3), ((700, 380), 1)]
)
def test_the_first_picture_is_where_the_page_has_it(browse, start, tmp_path, window, ratio, count):
    """Asked for and drawn before the page's script runs, for the very pixels that the stage asks for later."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(count):
        write_png(folder / f"{number}.png", 640, 480, lambda x, y: (x % 256, y % 256, 99))
    page = browse(start(folder), size=window, ratio=ratio)
    [asked] = [url for url in page.requests if "/first-picture?" in url]
    first = {name: int(value) for name, value in re.findall(r"(width|height|film)=(\d+)", asked)}
    pane = page.ask("() => safelightStudio.stage.layout().panes[0]")
    film = first["film"] if count > 1 else 0
    assert (pane["width"], pane["height"]) == (first["width"], first["height"] - film)
    assert page.ask("() => document.querySelectorAll('.skeleton').length") == 0


@pytest.mark.parametrize("ratio", [1, 2])
def test_the_first_picture_needs_no_page(chromium, start, photo, ratio):
    """It is on the screen before the page's script has come."""
    address = start(photo).address
    context = chromium.new_context(viewport={"width": 1200, "height": 800}, device_scale_factor=ratio)
    context.route("**/studio/main.js", lambda route: route.abort())
    tab = context.new_page()
    tab.goto(address)
    until(lambda: tab.evaluate("performance.getEntriesByName('first picture').length"), "the first picture is drawn")
    corner, middle, size = tab.evaluate("""() => {
      const canvas = document.querySelector('.skeleton .canvas');
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
      const at = (x, y) => [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3)];
      return [at(2, 2), at(width >> 1, height >> 1), [width, height]];
    }""")
    assert corner == [0, 0, 0] and sum(middle) > 60, (corner, middle)
    box = tab.locator(".skeleton.stage").bounding_box()
    assert size == [round(box["width"] * ratio), round(box["height"] * ratio)]
    context.close()
