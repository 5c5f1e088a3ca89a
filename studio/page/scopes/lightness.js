// Perceptual lightness of pixels: OKLab L, as the engine's own histogram counts it.

/** sRGB code value (0…255) to light (IEC 61966-2-1). */
const decode = Float32Array.from({ length: 256 }, (_, code) => {
  const value = code / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** OKLab L (0…1) of an sRGB pixel. Source: Ottosson, "A perceptual color space for image processing", 2020. */
export const lightness = (red, green, blue) => lightnessOf(decode[red], decode[green], decode[blue]);

/** The same of light. */
function lightnessOf(r, g, b) {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
}

/** OKLab `[L, a, b]` of an sRGB pixel; of the same source. */
export function oklab(red, green, blue) {
  const r = decode[red];
  const g = decode[green];
  const b = decode[blue];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/**
 * OKLab L (0…1) of a Display P3 pixel, whose code values mean light as those of sRGB do. Its light in sRGB may be negative
 * (CSS Color 4, section 17). Written out, as it runs for each pixel.
 */
export function lightnessP3(red, green, blue) {
  const r = decode[red];
  const g = decode[green];
  const b = decode[blue];
  return lightnessOf(
    1.2249401763 * r - 0.2249401763 * g,
    1.0420569547 * g - 0.0420569547 * r,
    1.0982736002 * b - 0.0196375546 * r - 0.0786360456 * g,
  );
}

/** The bin (0…255) of each pixel of RGBA data in a colour space. */
export function lightnessBins(data, space = "srgb") {
  const bins = new Uint8Array(data.length / 4);
  const lightnessIn = space === "display-p3" ? lightnessP3 : lightness;
  for (let i = 0, j = 0; j < bins.length; i += 4, j++) {
    bins[j] = Math.min(255, lightnessIn(data[i], data[i + 1], data[i + 2]) * 256);
  }
  return bins;
}
