"""The strip of looks: this photo in each of them."""

import json

from driver import filters_of
from studio import safelight, until


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
    page.tab.locator(".look[aria-label=None]").click()
    page.steps(undo=3)
    assert page.state("s.edit.look") is None and not filters_of(photo)


def test_arrow_keys(page):
    page.tab.locator(".look[aria-label=None]").focus()
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


DROP = """([name, text]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], name));
  for (const type of ['dragenter', 'dragover', 'drop']) {
    document.querySelector('.stage').dispatchEvent(
      new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }
}"""


def presets_of(page):
    return page.state("s.welcome.presets.map((one) => one.preset)")


def test_keep_a_look(page, photo, own_folder, tmp_path):
    page.drag("exposure", 0.4)
    page.steps(undo=1)
    page.tab.get_by_role("button", name="Your looks").click()
    page.tab.get_by_label("Name of the look").fill("Harbour Dusk")
    page.press("Enter")
    until(lambda: "harbour-dusk" in presets_of(page), "the look is in the strip")
    assert [one["filter"] for one in json.loads((own_folder / "harbour-dusk.json").read_text())["filters"]] == ["exposure"]
    # The command line knows it by the same name.
    assert "harbour-dusk" in safelight("presets")
    page.press("Escape")
    page.choose("Harbour Dusk")
    page.steps(undo=2)
    page.tab.get_by_role("button", name="Your looks").click()
    page.tab.get_by_role("button", name="Remove Harbour Dusk").click()
    until(lambda: "harbour-dusk" not in presets_of(page), "the look is gone")
    assert not (own_folder / "harbour-dusk.json").exists()


def test_drop_a_table(browse, studio, photo, own_folder):
    # The browser itself complains of what the server refuses.
    page = browse(studio, calm=False)
    table = "LUT_3D_SIZE 2\n" + "".join(
        f"{1 - r} {1 - g} {1 - b}\n" for b in (0, 1) for g in (0, 1) for r in (0, 1))
    page.tab.evaluate(DROP, ["In_Negative.cube", table])
    page.steps(undo=1)
    assert page.state("s.edit.look") == {"preset": "in-negative", "strength": 100}
    assert list(filters_of(photo)) == ["lut"]
    assert sorted(one.suffix for one in own_folder.iterdir()) == [".cube", ".json"]
    # A table that is damaged, and a file that is none, are refused in a sentence; nothing is kept.
    page.tab.evaluate(DROP, ["Broken.cube", "LUT_3D_SIZE 2\n0 0 0\n"])
    until(lambda: "Broken" in (page.state("s.problem?.message") or ""), "the damaged table is refused")
    page.tab.evaluate(DROP, ["notes.txt", "hello"])
    until(lambda: "notes.txt" in (page.state("s.problem?.message") or ""), "the text is refused")
    page.tab.evaluate(DROP, ["Noir.cube", table])
    until(lambda: "ships" in (page.state("s.problem?.message") or ""), "the name of a shipped look is refused")
    assert len(list(own_folder.iterdir())) == 2
