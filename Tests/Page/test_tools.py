"""Curves and bands: what is dragged is what the file beside the photo has, and what the command makes of it."""

import photos
import pytest
from driver import filters_of
from studio import until

# Mean difference of 255 that JPEG makes of the landscape.
CLOSE = 1.5
# CSS pixels between the edge of a plot and its square.
PAD = 8


def unfold(page, name):
    """Opens a tool of the adjust panel; returns it."""
    panel = page.tab.locator("#adjust-panel")
    panel.get_by_role("button", name=name, exact=True).click()
    tool = panel.get_by_role("group", name=name, exact=True)
    tool.scroll_into_view_if_needed()
    return tool


def box(element):
    element.scroll_into_view_if_needed()
    return element.bounding_box()


# The curve


@pytest.fixture
def curve(page):
    return unfold(page, "Tone curve")


def place(curve, x, y):
    """Where a tone is in the window."""
    plot = box(curve.locator(".curve-plot"))
    side = plot["width"] - 2 * PAD
    return plot["x"] + PAD + x * side, plot["y"] + PAD + (1 - y) * side


def points(page, flag="curve"):
    return [tuple(map(float, pair.split(","))) for pair in page.values[flag].split()]


def near(found, wanted):
    return len(found) == len(wanted) and all(
        abs(a - b) < 0.006 for one, other in zip(found, wanted) for a, b in zip(one, other))


def test_a_point_is_added_and_dragged(page, judge, photo, curve):
    page.stroke(place(curve, 0.3, 0.3), place(curve, 0.3, 0.2))
    page.steps(undo=1)
    assert near(points(page), [(0, 0), (0.3, 0.2), (1, 1)]), page.values
    until(lambda: "curve" in filters_of(photo), "the curve is beside the photo")
    assert near(filters_of(photo)["curve"]["points"], points(page))
    page.settled()
    assert judge.difference(page, photo, "--curve", page.values["curve"]) < CLOSE
    assert judge.difference(page, photo) > CLOSE, "the curve changed nothing"
    # A second one, which stops at the first.
    page.stroke(place(curve, 0.7, 0.7), place(curve, 0.1, 0.1))
    page.steps(undo=2)
    assert near(points(page), [(0, 0), (0.3, 0.2), (0.31, 0.2), (1, 1)]), page.values
    page.press("Control+z", "Control+z")
    page.steps(0, 2)
    assert page.values == {}
    until(lambda: curve.get_by_role("slider").count() == 2, "only the ends are left")


def test_a_typed_number_stays_with_its_point(page, curve):
    page.stroke(place(curve, 0.3, 0.3), place(curve, 0.3, 0.2))
    page.stroke(place(curve, 0.7, 0.7), place(curve, 0.7, 0.754))
    before = page.values["curve"]
    out = curve.get_by_role("textbox", name="Tone curve, output")
    page.tab.mouse.click(*place(curve, 0.3, 0.2))
    out.click()
    page.tab.mouse.click(*place(curve, 0.7, 0.754))
    page.tab.wait_for_timeout(300)
    assert page.values["curve"] == before, "nothing was typed"
    page.tab.mouse.click(*place(curve, 0.3, 0.2))
    out.fill("40")
    page.tab.mouse.click(*place(curve, 0.7, 0.754))
    until(lambda: near(points(page), [(0, 0), (0.3, 0.4), (0.7, 0.754), (1, 1)]), "the first point has moved")


def test_the_line_is_what_the_engine_does(browse, studio, judge, tmp_path):
    page = browse(studio, ratio=2)
    curve = unfold(page, "Tone curve")
    page.stroke(place(curve, 0.2, 0.2), place(curve, 0.2, 0.08))
    page.stroke(place(curve, 0.6, 0.6), place(curve, 0.55, 0.7))
    page.settled()
    box(curve.locator(".curve-plot"))
    ramp = photos.write_png(tmp_path / "ramp.png", 256, 8, lambda x, y: (x, x, x))
    wanted = judge.ramp(ramp, "--curve", page.values["curve"])
    # The middle of what is white in the column of each tone.
    drawn = page.read(
        ".curve-canvas",
        """(context, pad) => {
          const { width, height } = context.canvas;
          // On black, as it is seen.
          context.globalCompositeOperation = 'destination-over';
          context.fillRect(0, 0, width, height);
          const { data } = context.getImageData(0, 0, width, height);
          const side = width - 2 * pad;
          return Array.from({ length: 256 }, (_, tone) => {
            const x = Math.round(pad + (tone / 255) * side);
            let sum = 0;
            let weight = 0;
            for (let y = 0; y < height; y++) {
              const light = Math.max(0, Math.min(...data.slice((y * width + x) * 4, (y * width + x) * 4 + 3)) - 120);
              sum += light * (y + 0.5);
              weight += light;
            }
            return [255 * (x + 0.5 - pad) / side, 255 * (1 - (sum / weight - pad) / side)];
          });
        }""",
        2 * PAD)
    # Of 255, half of which is what the ramp's eight bits hide. The ends of the line are cut off beside the square.
    for tone, value in drawn[4:-4]:
        low, high = wanted[int(tone)], wanted[int(tone) + 1]
        assert abs(value - low - (tone - int(tone)) * (high - low)) < 0.9, (tone, value, low, high)


def test_points_by_keys(page, curve):
    page.stroke(place(curve, 0.5, 0.5), place(curve, 0.5, 0.6))
    page.steps(undo=1)
    point = curve.get_by_role("slider", name="RGB, point 2 of 3")
    point.focus()
    x, y = points(page)[1]
    page.press("ArrowRight", "Shift+ArrowUp")
    page.steps(undo=2)
    assert near(points(page)[1:2], [(x + 0.01, y + 0.1)]), page.values
    until(
        lambda: point.get_attribute("aria-valuetext") == f"input {100 * x + 1:.1f} %, output {100 * y + 10:.1f} %",
        point.get_attribute("aria-valuetext"))
    # One more, halfway to the next, on the line; gone again.
    page.press("Enter")
    page.steps(undo=3)
    assert len(points(page)) == 4 and page.ask("() => document.activeElement.ariaLabel") == "RGB, point 3 of 4"
    page.press("Delete", "Delete")
    page.edited({})
    assert curve.get_by_role("slider").count() == 2


def test_double_click_removes_and_channels_are_apart(page, photo, curve):
    curve.get_by_role("tab", name="Blue").click()
    page.stroke(place(curve, 0, 0), place(curve, 0, 0.1))
    page.steps(undo=1)
    assert near(points(page, "curve-blue"), [(0, 0.1), (1, 1)]) and len(page.values) == 1
    curve.get_by_role("tab", name="RGB").click()
    page.tab.mouse.click(*place(curve, 0.4, 0.5))
    page.steps(undo=2)
    assert near(points(page), [(0, 0), (0.4, 0.5), (1, 1)])
    page.tab.mouse.dblclick(*place(curve, 0.4, 0.5))
    page.steps(undo=3)
    assert set(page.values) == {"curve-blue"}
    page.button("Reset Tone curve").click()
    page.edited({})
    until(lambda: not filters_of(photo), "the file has no filter left")


def test_points_are_typed(page, curve):
    page.tab.mouse.click(*place(curve, 0.5, 0.5))
    page.steps(undo=1)
    output = curve.get_by_label("Tone curve, output")
    output.fill("62,5")
    output.press("Enter")
    page.steps(undo=2)
    assert points(page)[1][1] == 0.625


def test_a_curve_in_a_mask(page, photo):
    page.tab.locator(".tab-masks").click()
    page.tab.locator(".masks-panel .tool-button", has_text="Linear").click()
    page.steps(undo=1)
    panel = page.tab.locator(".masks-panel")
    panel.get_by_role("button", name="Tone curve", exact=True).click()
    curve = panel.get_by_role("group", name="Tone curve", exact=True)
    page.stroke(place(curve, 0.5, 0.5), place(curve, 0.5, 0.7))
    page.steps(undo=2)
    until(lambda: "group" in filters_of(photo), "the mask is beside the photo")
    found = filters_of(photo)["group"]["filters"]
    assert found[0]["filter"] == "curve" and near(found[0]["points"], [(0, 0), (0.5, 0.7), (1, 1)]), found


# Bands


def test_a_band_is_dragged(page, judge, photo):
    bands = unfold(page, "HSL")
    page.drag("blue-hue", -0.2)
    page.steps(undo=1)
    bands.get_by_role("tab", name="Saturation").click()
    page.drag("blue-saturation", 0.25)
    page.steps(undo=2)
    values = page.values
    assert set(values) == {"blue-hue", "blue-saturation"} and values["blue-hue"] < 0 < values["blue-saturation"]
    until(lambda: filters_of(photo).get("hsl", {}).get("blue-saturation"), "the bands are beside the photo")
    assert filters_of(photo)["hsl"]["blue-saturation"] == values["blue-saturation"]
    page.settled()
    flags = [text for flag, value in values.items() for text in (f"--{flag}", value)]
    assert judge.difference(page, photo, *flags) < CLOSE
    # All eight of the kind are there, and none of the others.
    assert bands.locator(".band:visible").count() == 8
    assert bands.get_by_role("button", name="Blue, changed").count() == 1
    page.button("Reset HSL").click()
    page.edited({})


def test_a_mix_of_black_and_white(page, photo):
    panel = page.tab.locator("#adjust-panel")
    page.slider("black-and-white").locator("input").focus()
    page.press("End")
    panel.get_by_role("button", name="More of Black and white").click()
    page.drag("black-and-white-orange", 0.25)
    page.steps(undo=2)
    until(lambda: filters_of(photo).get("black-and-white", {}).get("orange"), "the mix is beside the photo")


@pytest.fixture
def patches(tmp_path):
    """An orange beside a blue and a grey."""
    folder = tmp_path / "patches"
    folder.mkdir()
    return photos.write_png(
        folder / "patches.png", 600, 200, lambda x, y: [(230, 130, 40), (50, 80, 220), (120, 120, 120)][x // 200])


def test_bands_are_picked_on_the_photo(browse, start, patches):
    page = browse(start(patches))
    bands = unfold(page, "HSL")
    bands.get_by_role("tab", name="Lightness").click()
    bands.get_by_role("button", name="Drag up or down").click()
    x, y, width, height = page.picture
    page.stroke((x + 0.5 * width, y + 0.5 * height), (x + 0.5 * width, y + 0.5 * height + 60))
    page.steps(undo=1)
    assert page.values["blue-lightness"] == -30 and not any("orange" in flag for flag in page.values), page.values
    # Grey is in no band.
    page.stroke((x + 0.85 * width, y + 0.5 * height), (x + 0.85 * width, y + 0.2 * height))
    page.stroke((x + 0.15 * width, y + 0.5 * height), (x + 0.15 * width, y + 0.5 * height - 40))
    page.steps(undo=2)
    assert page.values["orange-lightness"] == 20, page.values
    page.press("Escape")
    assert page.state("s.picking") is None
