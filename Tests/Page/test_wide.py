"""Screens that show more colours than sRGB: the picture has them, as an export to Display P3 has."""

import photos
import pytest
from conftest import launched
from driver import Page
from studio import safelight, until

# Of 255: what a JPEG of high quality costs.
CLOSE = 3


@pytest.fixture(scope="module")
def wide_browser(chromium):
    """As on a screen that shows Display P3. It needs the library that the other browser has started."""
    browser = launched(chromium.browser_type, "--force-color-profile=display-p3-d65")
    yield browser
    browser.close()


@pytest.fixture
def photo(tmp_path):
    """Red, green and blue that sRGB does not have, beside a grey."""
    folder = tmp_path / "wide"
    folder.mkdir()
    plain = photos.write_png(
        tmp_path / "plain.png", 320, 80,
        lambda x, y: [(230, 40, 40), (40, 220, 40), (50, 50, 230), (118, 118, 118)][x // 80])
    safelight("edit", plain, "-o", folder / "wide.png", "--saturation", 60, "--color-space", "display-p3", "--quiet")
    return folder / "wide.png"


@pytest.fixture
def page(wide_browser, studio):
    context = wide_browser.new_context(viewport={"width": 1440, "height": 900})
    page = Page(context, studio.address)
    yield page
    context.close()
    assert not page.complaints, page.complaints


def space(page):
    """Of the pictures that come, and of the canvas."""
    return page.ask(
        """() => {
          const { canvas, painter } = safelightStudio.stage;
          return [painter.frame.header.space, canvas.getContext('2d').getContextAttributes().colorSpace];
        }""")


def colours(page, selector):
    """The red, green and blue of the photo as Display P3, from the middle of what a canvas shows."""
    return page.ask(
        """(selector) => {
          const from = document.querySelector(selector);
          const whole = { x: 0, y: 0, width: from.width, height: from.height };
          const rect = selector === '.canvas' ? safelightStudio.stage.painter.rect : whole;
          const space = { colorSpace: 'display-p3' };
          const context = new OffscreenCanvas(from.width, from.height).getContext('2d', { ...space, willReadFrequently: true });
          context.drawImage(from, 0, 0);
          return [0.125, 0.375, 0.625].map((x) =>
            [...context.getImageData(rect.x + x * rect.width, rect.y + rect.height / 2, 1, 1, space).data].slice(0, 3));
        }""",
        selector)


def test_the_picture_is_that_of_an_export_to_display_p3(page, judge, photo):
    assert page.ask("() => matchMedia('(color-gamut: p3)').matches")
    assert space(page) == ["display-p3", "display-p3"]
    wide = ["--color-space", "display-p3"]
    assert judge.difference(page, photo, *wide) < CLOSE
    # The red of sRGB is 234, 51, 35 there, its green 117, 251, 76.
    red, green, _ = colours(page, ".canvas")
    assert red[0] > 245 and max(red[1:]) < 8 and max(green[0], green[2]) < 8, (red, green)
    page.drag("exposure", -0.06)
    page.steps(undo=1)
    page.settled()
    assert judge.difference(page, photo, *wide, "--exposure", page.values["exposure"]) < CLOSE


def test_frames_of_a_drag_have_the_colours_too(page):
    page.drag("exposure", -0.06, release=False)
    until(lambda: not page.ask("() => document.querySelector('.motion').hidden"), "a frame of the drag is shown")
    _, green, _ = colours(page, ".motion")
    # Of half the quality, but green without red.
    assert green[1] > 100 and green[0] < 0.2 * green[1], green
    page.tab.mouse.up()


def test_scopes_count_what_is_shown(page):
    page.press("s")
    page.settled()
    told, counted = page.ask(
        """async () => {
          const { histogramOf } = await import('/studio/scopes/counts.js');
          const { header, surface } = safelightStudio.stage.painter.frame;
          const context = new OffscreenCanvas(surface.width, surface.height)
            .getContext('2d', { colorSpace: 'display-p3', willReadFrequently: true });
          context.drawImage(surface, 0, 0);
          const { data } = context.getImageData(0, 0, surface.width, surface.height, { colorSpace: 'display-p3' });
          return [header.histogram.lightness, [...histogramOf(data, 'display-p3').lightness]];
        }""")
    parts = lambda counts: [sum(counts[i : i + 8]) / sum(counts) for i in range(0, 256, 8)]
    assert all(abs(a - b) < 0.02 for a, b in zip(parts(told), parts(counted)))


def test_other_screens_get_srgb(browse, studio):
    page = browse(studio)
    assert space(page) == ["srgb", "srgb"]
