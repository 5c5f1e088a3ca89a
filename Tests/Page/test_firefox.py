"""The page in Firefox: what another engine could draw or hear otherwise. All else is tried in Chromium."""

import firefox
import pytest
from driver import filters_of
from studio import safelight, until

pytestmark = pytest.mark.skipif(
    firefox.PROGRAM is None, reason="Firefox is not installed: apt-get install firefox-esr")

# Of 255: what a JPEG of high quality costs.
CLOSE = 3
MEAN = """(context, x, y, width, height) => {
  const { data } = context.getImageData(x, y, width, height);
  const sum = [0, 0, 0];
  for (let i = 0; i < data.length; i++) if (i % 4 < 3) sum[i % 4] += data[i] / (data.length / 4);
  return sum;
}"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    one = firefox.Firefox(tmp_path_factory.mktemp("firefox") / "profile")
    yield one
    one.close()


@pytest.fixture
def visit(browser):
    """Opens a page, which must not complain: `visit(studio, size=(1440, 900), ratio=1)`."""
    pages = []

    def open_page(studio, **options):
        pages.append(firefox.FirefoxPage(browser, studio.address, **options))
        return pages[-1]

    yield open_page
    complaints = [text for page in pages for text in page.complaints]
    for page in pages:
        page.close()
    assert not complaints, complaints


@pytest.fixture
def page(visit, studio):
    return visit(studio)


def part(page, x, y, size=0.1):
    """The mean colour of a part of the picture; all in 0…1 of it."""
    rect = page.ask("() => safelightStudio.stage.painter.rect")
    return page.read(
        ".canvas", MEAN, round(rect["x"] + (x - size / 2) * rect["width"]),
        round(rect["y"] + (y - size / 2) * rect["height"]), round(size * rect["width"]), round(size * rect["height"]))


def test_pixels_are_those_of_the_command(page, judge, photo):
    assert judge.difference(page, photo) < CLOSE
    page.drag("exposure", 0.1)
    page.steps(undo=1)
    page.settled()
    value = page.values["exposure"]
    assert judge.difference(page, photo) > CLOSE, "the drag changed nothing"
    assert judge.difference(page, photo, "--exposure", value) < CLOSE
    until(lambda: filters_of(photo), "the edit is beside the photo")
    page.press("Control+z")
    page.steps(0, 1)
    until(lambda: judge.difference(page, photo) < CLOSE, "the picture is as it was")


def test_on_a_dense_screen(visit, studio, judge, photo):
    page = visit(studio, size=(900, 700), ratio=2)
    assert page.state("s.canvas.ratio") == 2
    assert judge.difference(page, photo) < CLOSE


def test_frames_follow_a_drag(page):
    page.ask("() => { safelightStudio.latencies.length = 0; }")
    page.drag("exposure", 0.3, steps=60, pause=8, release=False)
    frames = page.ask("() => safelightStudio.latencies.filter((one) => one.id)")
    assert len({one["frame"] for one in frames}) > 5, "the picture did not follow the drag"
    inputs = [one["id"] for one in frames]
    assert inputs == sorted(inputs)
    page.release()
    page.steps(undo=1)
    page.settled()
    assert page.ask("() => safelightStudio.latencies.at(-1).final && document.querySelector('.motion').hidden")


def test_zoom_shows_pixels_of_the_photo(page, judge, photo):
    page.press("z")
    until(lambda: page.state("s.view.mode === 'zoom' && s.view.scale") == 1, "100 %")
    page.settled()
    page.press("z")
    until(lambda: page.state("s.view.mode") == "fit", "all of it")
    page.settled()
    assert judge.difference(page, photo) < CLOSE


def test_crop(page, judge, photo):
    page.crop()
    x, y, width, height = page.picture
    page.stroke((x + width, y + height), (x + width * 0.75, y + height * 0.75))
    until(lambda: "crop" in page.values, "the corner moved")
    page.press("Enter")
    page.steps(undo=1)
    page.settled()
    assert judge.difference(page, photo, "--crop", page.values["crop"]) < CLOSE


def test_a_mask_changes_a_part(page):
    page.click(".tab-masks")
    page.ask(
        """() => [...document.querySelectorAll('.masks-panel .tool-button')]
          .find((one) => one.textContent.includes('Radial')).click()""")
    page.steps(undo=1)
    page.settled()
    inside, outside = part(page, 0.5, 0.5), part(page, 0.03, 0.03, 0.04)
    slider = '.masks-panel .control[data-flag="exposure"] .slider'
    x, y = page.center(slider + " .slider-thumb")
    page.stroke((x, y), (x - 60, y))
    page.steps(undo=2)
    page.settled()
    assert sum(part(page, 0.5, 0.5)) < sum(inside) - 60, "inside it is darker"
    assert all(abs(a - b) < 3 for a, b in zip(part(page, 0.03, 0.03, 0.04), outside)), "outside it is as before"


def test_the_grid_and_marks(visit, start, shoot):
    page = visit(start(shoot))
    page.grid()
    page.press("4", "p", "7")
    until(lambda: page.mark("photo-001.jpg") == [4, "pick", "yellow"], "the marks are there")
    until(lambda: (shoot / "photo-001.jpg.xmp").exists(), "and beside the photo")
    page.press("ArrowRight", "Enter")
    page.opened("photo-002.jpg")


def test_the_camera(visit, start, tmp_path):
    if "synthetic" not in safelight("studio", "--help"):
        pytest.skip("this program's studio has no camera")
    page = visit(start("synthetic", 0, "--output", tmp_path / "taken"), opens=False)
    until(lambda: page.ask("() => Boolean(window.safelightStudio?.store.state.camera.started)"), "a live frame is shown")
    before = page.ask("() => safelightStudio.latencies.length")
    until(lambda: page.ask("() => safelightStudio.latencies.length") > before + 10, "frames are drawn")
    page.press("Space")
    until(lambda: list((tmp_path / "taken").glob("*.jpg")), "a photo is taken")


def test_sheets_and_focus(page):
    for keys, name in [("?", "Keys"), ("Control+e", "Export")]:
        page.press(keys)
        until(lambda: page.ask("() => document.querySelector('dialog[open] h2')?.textContent") == name, name)
        page.press("Escape")
        until(lambda: page.ask("() => document.querySelector('dialog[open]') === null"), f"{name} is closed")
    # A ring is there for keys, of the colour that all rings have.
    page.look_away()
    page.press("Tab", "Tab")
    ring = page.ask(
        """() => { const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
          return [outlineStyle, parseFloat(outlineWidth)]; }""")
    assert ring[0] == "solid" and ring[1] >= 2
