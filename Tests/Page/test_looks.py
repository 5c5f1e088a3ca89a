"""The strip of looks: this photo in each of them."""

from driver import filters_of
from studio import until


def test_thumbnails_arrive(page):
    pictures = page.tab.locator(".look img.there")
    looks = page.tab.locator(".look").count()
    assert looks > 12
    until(lambda: pictures.count() == looks, "each look has its picture")
    # Each of them is decoded and square; no two of them are one picture.
    sums = page.ask(
        """async () => {
          const sums = [];
          for (const image of document.querySelectorAll('.look img')) {
            await image.decode();
            const context = new OffscreenCanvas(64, 64).getContext('2d', { willReadFrequently: true });
            context.drawImage(image, 0, 0, 64, 64);
            const { data } = context.getImageData(0, 0, 64, 64);
            sums.push([image.naturalWidth - image.naturalHeight, data.reduce((sum, value, i) => (sum * 31 + value) % 1e9, 7)]);
          }
          return sums;
        }""")
    assert all(difference == 0 for difference, _ in sums)
    assert len({total for _, total in sums}) == looks


def test_choose_and_weaken(page, photo):
    page.choose("Warm Film")
    page.steps(undo=1)
    assert page.state("s.edit.look") == {"preset": "warm-film", "strength": 100}
    assert filters_of(photo)
    rail = page.tab.locator(".strength .slider-rail").bounding_box()
    y = rail["y"] + rail["height"] / 2
    page.stroke((rail["x"] + rail["width"] - 1, y), (rail["x"] + rail["width"] * 0.3, y))
    page.steps(undo=2)
    assert 20 < page.state("s.edit.look.strength") < 40
    page.choose("None")
    page.steps(undo=3)
    assert page.state("s.edit.look") is None and not filters_of(photo)


def test_arrow_keys(page):
    page.tab.get_by_role("radio", name="None", exact=True).focus()
    page.press("ArrowRight", "ArrowRight")
    presets = page.state("s.welcome.presets.map((one) => one.preset)")
    until(lambda: page.state("s.edit.look?.preset") == presets[1], "the second look is chosen")
    page.press("ArrowLeft")
    until(lambda: page.state("s.edit.look?.preset") == presets[0], "the first look is chosen")


def test_pictures_follow_the_edit(page):
    images = page.tab.locator(".look img.there")
    until(lambda: images.count() == page.tab.locator(".look").count(), "each look has its picture")
    before = images.evaluate_all("(all) => all.map((one) => one.src)")
    page.drag("exposure", 0.4)
    until(
        lambda: not set(before) & set(images.evaluate_all("(all) => all.map((one) => one.src)")),
        "each look has its picture of the new edit")
