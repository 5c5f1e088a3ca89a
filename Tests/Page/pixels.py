"""Compares what is on the canvas with what a command writes, in a page of its own that has no policy."""

import base64

import studio

COMPARE = """async ([canvas, rect, file]) => {
  const load = async (address) => createImageBitmap(await (await fetch(address)).blob(), { colorSpaceConversion: 'none' });
  const [shown, wanted] = await Promise.all([load(canvas), load(file)]);
  const read = (draw) => {
    const context = new OffscreenCanvas(rect.width, rect.height).getContext('2d', { willReadFrequently: true });
    context.imageSmoothingQuality = 'high';
    draw(context);
    return context.getImageData(0, 0, rect.width, rect.height).data;
  };
  const a = read((context) => context.drawImage(shown, -rect.x, -rect.y));
  const b = read((context) => context.drawImage(wanted, 0, 0, rect.width, rect.height));
  let sum = 0;
  let spread = 0;
  for (let i = 0; i < a.length; i++) {
    if (i % 4 === 3) continue;
    sum += Math.abs(a[i] - b[i]);
    spread += Math.abs(b[i] - 128);
  }
  const count = rect.width * rect.height * 3;
  return { mean: sum / count, spread: spread / count, size: [wanted.width, wanted.height] };
}"""


GREENS = """async (file) => {
  const image = await createImageBitmap(await (await fetch(file)).blob(), { colorSpaceConversion: 'none' });
  const context = new OffscreenCanvas(image.width, 1).getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return [...context.getImageData(0, 0, image.width, 1).data].filter((_, i) => i % 4 === 1);
}"""


class Judge:
    def __init__(self, browser, folder):
        self.page = browser.new_page()
        self.folder = folder
        self.files = 0

    def ramp(self, ramp, *flags):
        """What becomes of the first row of a grey picture: its values, 0…255."""
        self.files += 1
        path = self.folder / f"ramp-{self.files}.png"
        studio.safelight("edit", ramp, "-o", path, *flags)
        return self.page.evaluate(GREENS, "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode())

    def difference(self, page, photo, *flags):
        """Mean difference, of 255, between the canvas and `safelight edit photo flags` of the same size."""
        address, rect = page.pixels()
        self.files += 1
        path = self.folder / f"wanted-{self.files}.png"
        size = f"{rect['width']}x{rect['height']}"
        studio.safelight("edit", photo, "-o", path, "--max-size", size, *flags)
        file = "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode()
        found = self.page.evaluate(COMPARE, [address, rect, file])
        # Rounding may differ by a pixel; a picture of another shape is another picture.
        assert all(abs(a - b) <= 2 for a, b in zip(found["size"], (rect["width"], rect["height"]))), (found, rect)
        return found["mean"]
