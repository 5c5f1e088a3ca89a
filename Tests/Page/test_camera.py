"""The camera: live frames of the drawn scene, what is done to them, and what is taken of them."""

import pathlib

import pytest
from studio import safelight, until
from test_access import check, tabbed


def now(page, name):
    return page.state(f"s.camera.{name}")


def canvas(page):
    """What the picture is on: frames that only follow each other are handed to a canvas of their own."""
    return ".motion" if page.tab.locator(".motion").is_visible() else ".canvas"


def colours(page):
    """Mean red, green and blue of the picture, and how far apart they are on average."""
    where = canvas(page)
    whole = "() => { const { width, height } = document.querySelector('.motion'); return { x: 0, y: 0, width, height }; }"
    return page.read(
        where,
        """(context, rect) => {
          const { data } = context.getImageData(rect.x, rect.y, rect.width, rect.height);
          const sum = [0, 0, 0, 0];
          for (let i = 0; i < data.length; i += 4) {
            for (let c = 0; c < 3; c++) sum[c] += data[i + c];
            sum[3] += Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]);
          }
          return sum.map((value) => value / (data.length / 4));
        }""",
        page.ask(whole if where == ".motion" else
            """() => {
              const { x, y, width, height } = safelightStudio.stage.painter.rect;
              return { x: Math.max(0, x), y: Math.max(0, y), width, height };
            }"""))


# The viewfinder


def test_frames_move(finder):
    read = """(context) => context.getImageData(0, 0, context.canvas.width, context.canvas.height).data
      .reduce((sum, value, index) => (sum * 31 + value * (index % 4 < 3)) | 0, 7)"""
    before = finder.ask("() => safelightStudio.latencies.length")
    first = finder.read(canvas(finder), read)
    until(lambda: finder.ask("() => safelightStudio.latencies.length") > before + 15, "frames are drawn")
    assert finder.read(canvas(finder), read) != first
    until(lambda: finder.state("s.camera.live?.fps > 0"), "the rate is told")
    assert "fps" in finder.tab.locator(".camera-line").inner_text()


def test_the_picture_fills_the_window(finder):
    x, y, width, height = finder.picture
    assert (width == 1440) or (height == 900)
    assert finder.tab.locator(".bar").is_hidden() and finder.tab.locator(".shutter").is_visible()


def test_a_look_shows_on_live_frames(finder):
    *_, spread = colours(finder)
    assert spread > 4, "the scene has colour"
    finder.press("f")
    until(lambda: finder.tab.locator(".look img.there").count() > 6, "looks of the live picture")
    finder.choose("Infrared")
    until(lambda: colours(finder)[3] < 1.5, "the picture has no colour")
    finder.press("Control+z")
    until(lambda: colours(finder)[3] > 4, "the colour is back")


def test_the_thumbnails_of_looks_are_live(finder):
    finder.press("f")
    address = lambda: finder.tab.locator(".look img").first.get_attribute("src")
    until(address, "a thumbnail")
    first = address()
    until(lambda: address() != first, "a newer one")


def test_adjusting_live_frames(finder):
    before = sum(colours(finder)[:3])
    finder.press("e")
    finder.drag("exposure", 0.2)
    until(lambda: sum(colours(finder)[:3]) > before + 30, "the picture is brighter")
    finder.steps(1)
    assert finder.values["exposure"] > 0.3


def test_keys_of_photos_mean_nothing_in_the_camera(finder):
    finder.press("r", "w", "j", "m")
    assert finder.state("[s.mode, s.picksGrey]") == ["camera", False]
    finder.live()


def test_zoom(finder):
    finder.press("2")
    until(lambda: now(finder, "zoom") == 2, "2×")
    assert finder.tab.get_by_role("button", name="Zoom 2×").get_attribute("aria-pressed") == "true"
    x, y, width, height = finder.picture
    finder.tab.mouse.move(x + width / 2, y + height / 2)
    finder.tab.mouse.wheel(0, -300)
    until(lambda: now(finder, "zoom") > 3, "further in")
    for _ in range(8):
        finder.tab.mouse.wheel(0, 400)
    until(lambda: now(finder, "zoom") == 1, "all the way out")


def test_the_original_while_a_key_is_held(finder):
    finder.press("f")
    finder.choose("Infrared")
    until(lambda: colours(finder)[3] < 1.5, "the picture has no colour")
    finder.look_away()
    finder.tab.keyboard.down("\\")
    finder.shows("Original")
    until(lambda: colours(finder)[3] > 4, "the original has")
    finder.tab.keyboard.up("\\")
    until(lambda: colours(finder)[3] < 1.5, "the look again")
    finder.press("v")
    until(lambda: finder.state("s.compare") == "split", "a split")
    until(lambda: 2 < colours(finder)[3], "half of it has colour")
    finder.press("v")
    until(lambda: finder.state("s.compare") == "off", "no split")


def test_a_tap_exposes(finder):
    x, y, width, height = finder.picture
    place = (x + width / 2, y + height / 3)

    def drag():
        # The sun is there for a moment only, which a slow machine may miss.
        finder.tab.mouse.click(*place)
        finder.stroke(place, (place[0], place[1] - 70), steps=4)
        return finder.values.get("exposure", 0) > 0.8

    until(drag, "brighter by the look, since this camera has no bias")
    assert "No focus points on this camera" in finder.tab.locator(".focus-note").text_content()
    until(lambda: finder.state("s.undo") > 0, "a step of the history")
    until(lambda: finder.tab.locator(".focus-square").is_hidden(), "the square goes by itself")


def test_aids(finder):
    finder.press("g", "z", "p")
    assert finder.tab.locator(".thirds").is_visible()
    seen = """(context) =>
      context.getImageData(0, 0, context.canvas.width, context.canvas.height).data.some((value) => value > 0)"""
    until(lambda: finder.read(".pixel-aids", seen), "edges or stripes")
    frames = finder.ask("() => safelightStudio.latencies.length")
    until(lambda: finder.ask("() => safelightStudio.latencies.length") > frames + 10, "frames go on beside them")
    finder.press("z", "p")
    until(lambda: not finder.read(".pixel-aids", seen), "neither")
    finder.press("l")
    finder.tab.locator(".roll-degrees").wait_for()
    finder.press("s")
    finder.tab.locator(".scopes").wait_for()


# States


@pytest.mark.parametrize(
    "state, reason", [("interrupted", "The camera was unplugged"), ("failed", "No frame came in 5 seconds")])
def test_interruptions_come_and_go(finder, state, reason):
    change = """([state, reason]) => safelightStudio.store.update(({ camera }) => ({
      camera: { ...camera, device: { ...camera.device, state, reason, remedy: 'Plug it in.' } } }))"""
    finder.ask(change, [state, reason])
    finder.shows(reason)
    assert finder.tab.locator(".shutter").is_disabled()
    assert finder.button("Try again").is_visible() == (state == "failed")
    finder.ask(change, ["running", ""])
    until(lambda: finder.tab.locator(".camera-screen").is_hidden(), "it is gone")
    assert finder.tab.locator(".shutter").is_enabled()


def test_a_reload_shows_the_camera_again(browse, camera, finder):
    finder.tab.reload()
    finder.live()


def test_beside_photos(browse, start, photo, taken):
    """The camera is reached from photos, and leads back."""
    if "synthetic" not in safelight("studio", "--help"):
        pytest.skip("this program's studio has no camera")
    page = browse(start(pathlib.Path(photo).parent, 0, "--camera", "synthetic", "--output", taken), opens=False)
    until(lambda: page.ask("() => Boolean(window.safelightStudio?.store.state.welcome)"), "the page is there")
    if page.state("s.mode") != "camera":
        page.opened("harbour.jpg")
        page.button("Camera").click()
    page.live()
    page.press("Escape")
    page.opened("harbour.jpg")
    page.press("k")
    page.live()


# For all


def test_keys_and_panels(finder):
    for key, name in [("c", "Controls"), ("d", "Camera"), ("e", "Adjust")]:
        finder.press(key)
        until(lambda: finder.tab.get_by_role("heading", name=name, exact=True).is_visible(), f"{name} is open")
    finder.button("Close Adjust").click()
    assert now(finder, "drawer") is None
    finder.press("?")
    finder.shows("Shutter, on the press")
    finder.press("Escape")


@pytest.mark.parametrize("size", [(1440, 900), (360, 800), (800, 360)])
def test_axe(browse, camera, size):
    page = browse(camera, size=size, opens=False, reduced_motion="reduce").live()
    check(page)
    for key in "fecd":
        page.press(key)
        check(page)
    page.press("Escape", "ArrowLeft", "Space")
    until(lambda: (now(page, "recording") or {}).get("seconds"), "it records")
    check(page)
    page.press("Space")
    until(lambda: now(page, "recording") is None, "it has ended")


def test_tab_reaches_everything(finder):
    count, missed = tabbed(finder)
    assert count > 12 and not missed, missed


def test_motion_can_be_reduced(browse, camera, taken):
    page = browse(camera, opens=False, reduced_motion="reduce").live()
    page.press("Space")
    until(lambda: page.tab.locator(".gallery.filled").count(), "the photo is there")
    assert page.tab.locator(".flight").count() == 0
