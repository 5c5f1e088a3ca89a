"""The wheels of the grading: what the puck is dragged to is what the file beside the photo has, and what the disc shows."""

import base64

from driver import filters_of
from studio import until
from test_tools import CLOSE, box, unfold


def test_a_puck_is_dragged(page, judge, photo):
    grading = unfold(page, "Grading")
    shadows = grading.get_by_role("group", name="Shadows", exact=True)
    disc = box(shadows.locator(".wheel-disc"))
    radius = disc["width"] / 2
    middle = (disc["x"] + radius, disc["y"] + radius)
    # To the left and a little up: teal.
    page.stroke(middle, (middle[0] - 0.6 * radius, middle[1] - 0.16 * radius))
    page.steps(undo=1)
    values = page.values
    assert set(values) == {"grade-shadows-hue", "grade-shadows-saturation"}
    assert abs(values["grade-shadows-hue"] - 165) <= 2 and abs(values["grade-shadows-saturation"] - 62) <= 2, values
    until(lambda: "grading" in filters_of(photo), "the tint is beside the photo")
    assert filters_of(photo)["grading"]["shadows-hue"] == values["grade-shadows-hue"]
    page.settled()
    flags = [text for flag, value in values.items() for text in (f"--{flag}", value)]
    assert judge.difference(page, photo, *flags) < CLOSE
    # Keys turn it, and take it back.
    puck = grading.get_by_role("slider", name="Shadows tint")
    puck.focus()
    page.press("ArrowRight", "Shift+ArrowDown")
    page.steps(undo=2)
    hue, saturation = values["grade-shadows-hue"] + 1, values["grade-shadows-saturation"] - 10
    page.edited({"grade-shadows-hue": hue, "grade-shadows-saturation": saturation})
    until(
        lambda: puck.get_attribute("aria-valuetext") == f"hue {hue}°, saturation {saturation}",
        puck.get_attribute("aria-valuetext"))
    page.tab.mouse.dblclick(middle[0], middle[1] + 0.5 * radius)
    page.edited({})


def test_a_wheel_alone_is_larger(page):
    grading = unfold(page, "Grading")
    wheel = grading.get_by_role("group", name="Mids", exact=True)
    small = box(wheel.locator(".wheel-disc"))["width"]
    grading.get_by_role("tab", name="Mids").click()
    disc = box(wheel.locator(".wheel-disc"))
    assert disc["width"] > 2 * small and grading.locator(".wheel:visible").count() == 1
    # A press beside the puck takes it there, at once: upwards is a hue of 90 degrees.
    page.tab.mouse.click(disc["x"] + disc["width"] / 2, disc["y"] + 0.25 * disc["height"])
    page.steps(undo=1)
    values = page.values
    assert abs(values["grade-mids-hue"] - 90) <= 1 and abs(values["grade-mids-saturation"] - 50) <= 1, values
    assert grading.get_by_role("tab", name="Mids, changed").count() == 1


def test_the_light_of_a_wheel(page):
    grading = unfold(page, "Grading")
    grading.get_by_role("slider", name="Highlights luminance").focus()
    page.press("Shift+ArrowRight")
    page.edited({"grade-highlights-luminance": 10})
    field = grading.get_by_label("Highlights hue, value")
    field.fill("55")
    field.press("Enter")
    page.edited({"grade-highlights-luminance": 10, "grade-highlights-hue": 55})


def test_the_disc_has_the_colours_that_it_makes(page):
    """Blue at the bottom (270°), yellow at the top (90°): as the puck is placed."""
    disc = unfold(page, "Grading").locator(".wheel-disc").first
    shown = disc.bounding_box()
    image = disc.screenshot()

    def colour(x, y):
        return page.ask(
            """async ([bytes, x, y]) => {
              const blob = new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], { type: 'image/png' });
              const image = await createImageBitmap(blob);
              const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
              context.drawImage(image, 0, 0);
              return [...context.getImageData(x * image.width, y * image.height, 1, 1).data].slice(0, 3);
            }""", [base64.b64encode(image).decode(), x, y])

    assert shown["width"] > 50
    red, green, blue = colour(0.5, 0.96)
    assert blue > red and blue > green, "the bottom is blue"
    red, green, blue = colour(0.5, 0.04)
    assert min(red, green) > blue, "the top is yellow"
    red, green, blue = colour(0.04, 0.5)
    assert green > red, "180° is green"
