"""Perspective and lenses: in the crop tool, and masks that follow them."""

import json
import shutil

import photos
import pytest
from driver import filters_of, sidecar
from studio import safelight, until

# Mean difference of 255 that JPEG makes.
CLOSE = 1.5


def slide(page, flag, by, release=True):
    """Drags a slider of the crop tool by a part of its length."""
    control = page.tab.locator(f'.crop-panel .control[data-flag="{flag}"]')
    rail = control.locator(".slider-rail")
    rail.scroll_into_view_if_needed()
    box, thumb = rail.bounding_box(), control.locator(".slider-thumb").bounding_box()
    x, y = thumb["x"] + thumb["width"] / 2, box["y"] + box["height"] / 2
    page.stroke((x, y), (x + by * box["width"], y), release=release)


@pytest.fixture
def tower(tmp_path, start, browse):
    """A photo of pillars that run together at the top, open in the crop tool; its path is `page.photo`."""
    folder = tmp_path / "tower"
    folder.mkdir()

    def colour(x, y):
        pillar = int((x - 360) / (1 + (y - 240) / 1200) // 60) % 2
        return (60, 64, 70) if pillar else (190, 186, 180)

    path = photos.write_png(folder / "tower.png", 720, 480, colour)
    page = browse(start(path))
    page.photo = path
    page.crop()
    return page


def test_a_slider_turns_the_camera(page, judge, photo):
    page.crop()
    before = page.state("s.frame.full")
    slide(page, "keystone-vertical", 0.2)
    until(lambda: page.values.get("keystone-vertical"), "the camera is turned")
    page.settled()
    assert page.state("s.frame.full.width") < before["width"]
    page.press("Control+z")
    page.edited({})
    slide(page, "keystone-vertical", 0.2)
    slide(page, "keystone-horizontal", -0.1)
    page.settled()
    angles = dict(page.values)
    assert set(angles) == {"keystone-vertical", "keystone-horizontal"}
    # The page foresees the size, so that a crop fits.
    page.choose("Square")
    until(lambda: "crop" in page.values, "the crop is square")
    page.press("Enter")
    page.steps(undo=1)
    page.settled()
    values = page.values
    flags = [word for flag, value in values.items() for word in (f"--{flag}", value)]
    assert judge.difference(page, photo, *flags) < CLOSE
    assert {"keystone", "crop"} == set(filters_of(photo))
    page.press("Control+z")
    page.steps(0, 1)
    until(lambda: page.state("s.frame.full") == before, "the picture has its size again")
    page.settled()
    assert judge.difference(page, photo) < CLOSE
    page.press("Control+Shift+z")
    page.edited(values)


def test_upright(tower):
    tower.button("Vertical").click()
    until(lambda: tower.values.get("keystone-vertical"), "upright lines were found")
    until(lambda: tower.tab.locator(".crop-evidence line").count() > 3, "they are drawn")
    tower.shows("Made upright: vertical")
    # Upright is upright: each line that is drawn has one x, nearly.
    lean = tower.ask(
        """() => Math.max(...[...document.querySelectorAll('.crop-evidence line.upright')].map((line) =>
          Math.abs((line.x2.baseVal.value - line.x1.baseVal.value) / (line.y2.baseVal.value - line.y1.baseVal.value))))""")
    assert lean < 0.05
    tower.settled()
    found = tower.values["keystone-vertical"]
    wanted = json.loads(safelight("edit", tower.photo, "-o", tower.photo.with_name("out.png"), "--upright", "vertical", "--json"))
    assert found == wanted["auto"]["upright"]["vertical"]
    tower.button("Done").click()
    tower.steps(undo=1)
    assert filters_of(tower.photo)["keystone"]["vertical"] == found


def test_nothing_is_made_upright_without_lines(start, browse, tmp_path):
    path = photos.write_png(tmp_path / "plain.png", 300, 200, lambda x, y: (x * 255 // 300, y * 255 // 200, 90))
    page = browse(start(path))
    page.crop()
    for kind in ("Auto", "Vertical", "Level", "Full"):
        page.tab.locator(".perspective").get_by_role("button", name=kind, exact=True).click()
        page.shows("Not made upright: not sure enough what is level")
    page.edited({})


def test_four_corners(tower):
    tower.button("Four corners").click()
    handles = tower.tab.locator(".corner-handle")
    assert handles.count() == 4
    box = handles.first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tower.stroke((x, y), (x + 60, y))
    # Keys move it, too.
    handles.nth(2).focus()
    tower.press("Shift+ArrowLeft")
    tower.button("Straighten them").click()
    until(lambda: "perspective" in tower.values, "the corners are the picture's")
    tower.settled()
    corners = [tuple(map(float, place.split(","))) for place in tower.values["perspective"].split(" ")]
    _, _, width, _ = tower.picture
    assert corners[1] == (0.85, 0.15) and abs(corners[2][0] - 0.83) < 1e-6
    assert corners[0][0] > 0.2 and corners[0][1] == 0.15
    tower.press("Control+z")
    tower.edited({})
    tower.button("Four corners").click()
    tower.press("Escape")
    assert tower.state("s.mode") == "crop"
    tower.button("Four corners").click()
    tower.press("Enter")
    tower.steps(undo=1)
    tower.settled()
    full = tower.state("s.frame.full")
    assert (full["width"], full["height"]) == (504, 336)
    assert "perspective" in filters_of(tower.photo)


def centre(page, selector):
    box = page.tab.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_masks_follow_a_keystone(page, judge, photo, tmp_path):
    page.crop()
    slide(page, "keystone-vertical", 0.25)
    page.press("Enter")
    page.steps(undo=1)
    page.settled()
    page.tab.locator(".tab-masks").click()
    page.tab.locator(".masks-panel .tool-button", has_text="Radial").click()
    page.steps(undo=2)
    page.settled()
    # A small circle, high up, where the keystone moves most.
    mask = {"kind": "radial", "center": [0.3, 0.2], "radius": 0.05, "feather": 0.2}
    page.ask(
        """(mask) => {
          const { store, editor } = safelightStudio;
          const { edit } = store.state;
          const group = { filter: 'group', mask, filters: [{ filter: 'exposure', stops: 3 }] };
          editor.apply({ ...edit, groups: [group] }, 'Mask');
        }""", mask)
    page.steps(undo=3)
    page.settled()
    # Its handle is in the middle of what the mask brightens.
    x, y, width, height = page.picture
    handle = centre(page, ".mask-handle.centre")
    u, v = (handle[0] - x) / width, (handle[1] - y) / height
    assert abs(u - 0.3) + abs(v - 0.2) > 0.02, "the keystone moved nothing"
    page.tab.get_by_role("tab", name="Adjust").click()
    page.settled()
    plain = {**page.state("s.edit"), "groups": []}
    bright = page.ask(BRIGHTNESS)
    page.ask("(edit) => safelightStudio.editor.apply(edit, 'None')", plain)
    page.steps(undo=4)
    page.settled()
    dark = page.ask(BRIGHTNESS)
    more = [(a - b, index) for index, (a, b) in enumerate(zip(bright["rows"], dark["rows"])) if a - b > 6]
    total = sum(one for one, _ in more)
    found_x = sum(one * (index % bright["width"] + 0.5) for one, index in more) / total / bright["width"]
    found_y = sum(one * (index // bright["width"] + 0.5) for one, index in more) / total / bright["height"]
    assert abs(found_x - u) < 0.01 and abs(found_y - v) < 0.01, ((found_x, found_y), (u, v))
    # What is seen is what the command makes.
    page.press("Control+z")
    page.steps(3, 1)
    path = tmp_path / "recipe.json"
    path.write_text(json.dumps(sidecar(photo)["recipe"]))
    until(lambda: judge.difference(page, photo, "--recipe", path) < CLOSE, "the mask is shown again")


# Green of the picture at a reduced size, by rows.
BRIGHTNESS = """() => {
  const { canvas, painter } = safelightStudio.stage;
  const { x, y, width, height } = painter.rect;
  const small = new OffscreenCanvas(240, 160).getContext('2d', { willReadFrequently: true });
  small.drawImage(canvas, x, y, width, height, 0, 0, 240, 160);
  const { data } = small.getImageData(0, 0, 240, 160);
  return { width: 240, height: 160, rows: Array.from({ length: 240 * 160 }, (_, i) => data[4 * i + 1]) };
}"""


def test_the_lens(tmp_path, start, browse, scene, judge):
    """Off, and on where the photo names a lens that is known; why there is none is told."""
    named = photos.write_with_lens(tmp_path / "named.jpg", scene, "Canon", "Canon EOS 5D Mark III", "EF24-105mm f/4L IS USM")
    for path in (shutil.copy(scene, tmp_path / "plain.jpg"), named):
        page = browse(start(path))
        page.crop()
        lens = page.tab.locator(".lens")
        off, auto = (lens.get_by_role("radio", name=name) for name in ("Off", "Auto"))
        assert off.get_attribute("aria-checked") == "true"
        auto.click()
        until(lambda: lens.locator(".notice").inner_text(), "what was found is told")
        told = lens.locator(".notice").inner_text()
        if path != named or "Lensfun" in told:
            # Without Lensfun the package that is missing is named.
            assert told.startswith("No lens correction:") or "liblensfun" in told, told
            page.edited({})
            assert off.get_attribute("aria-checked") == "true"
            continue
        assert told.startswith("Lens: Canon EF 24-105mm f/4L IS USM") and "distortion" in told
        assert lens.locator(".lens-name").inner_text() == "Canon EF 24-105mm f/4L IS USM, 24 mm, f/4"
        assert auto.get_attribute("aria-checked") == "true"
        page.button("Done").click()
        page.steps(undo=1)
        page.settled()
        assert judge.difference(page, path, "--lens", "auto") < CLOSE < judge.difference(page, path, "--lens", "off")
        page.crop()
        off.click()
        page.button("Done").click()
        page.steps(undo=2)
        assert not filters_of(path)
