"""Masks: drawn on the picture, and what is under them is what the command makes."""

import json

import pytest
from driver import sidecar
from studio import until

# Mean difference of 255 that JPEG makes of the landscape.
CLOSE = 1.5


def recipe(photo, folder):
    """The edit beside a photo, as a recipe of its own."""
    path = folder / "recipe.json"
    path.write_text(json.dumps(sidecar(photo)["recipe"]))
    return path


def darken(page):
    """Drags the exposure of the mask that is chosen."""
    x, y = page.ask(
        """() => {
          const box = document.querySelector('.masks-panel .control[data-flag="exposure"] .slider-thumb').getBoundingClientRect();
          return [box.left + box.width / 2, box.top + box.height / 2];
        }""")
    page.stroke((x, y), (x - 60, y))


@pytest.mark.parametrize("kind", ["Linear", "Radial", "Brush", "Luminance"])
def test_a_mask(page, judge, photo, tmp_path, kind):
    page.tab.locator(".tab-masks").click()
    page.tab.locator(".masks-panel .tool-button", has_text=kind).click()
    if kind == "Brush":
        x, y, width, height = page.picture
        page.stroke((x + 0.3 * width, y + 0.4 * height), (x + 0.7 * width, y + 0.5 * height))
    page.steps(undo=1)
    darken(page)
    page.steps(undo=2)
    page.settled()
    until(lambda: sidecar(photo) and "group" in json.dumps(sidecar(photo)), "the mask is beside the photo")
    # Without the veil that shows where the mask is.
    page.press("Escape")
    page.tab.get_by_role("tab", name="Adjust").click()
    page.settled()
    assert judge.difference(page, photo) > CLOSE, "the mask changed nothing"
    assert judge.difference(page, photo, "--recipe", recipe(photo, tmp_path)) < CLOSE
    page.press("Control+z", "Control+z")
    page.steps(0, 2)
    until(lambda: judge.difference(page, photo) < CLOSE, "all is as it was")
