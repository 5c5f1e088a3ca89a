// Tables over light and over hue, on linear RGB.

// MARK: Curves of light
//
//     channels     f of each channel
//     hue-keeping  f(min) + (f(max) - f(min)) · (c - min) / (max - min)
//     luminance    f(0) + c · (f(Y) - f(0)) / Y
//
// f is a straight line between samples at (i / (count - 1))², and beyond black and white.
// Source of the second: the tone curve of the DNG SDK, `RefBaselineRGBTone`.

const uint CURVES_CHANNELS = 0, CURVES_HUE_KEEPING = 1;

float known(float x) { return isNumber(x) ? x : 0.0; }

// Words: the start of the samples; their count; what the curves act on; three slopes below black and three above
// white; the weights of luminance.
float lightCurve(uint at, uint channel, float x) {
  uint count = tables[at + 1];
  uint first = tables[at] + channel * count;
  float index = sqrt(clip(x, 1.0)) * float(count - 1);
  uint i = min(uint(index), count - 2);
  float low = tableFloat(first + i), high = tableFloat(first + i + 1);
  float y = low + (index - float(i)) * (high - low);
  y += tableFloat(at + 3 + channel) * max(min(x, 0.0), -1e30);
  return y + tableFloat(at + 6 + channel) * min(max(x - 1.0, 0.0), 1e30);
}

vec3 lightCurves(uint at, vec3 rgb) {
  vec3 k = vec3(known(rgb.r), known(rgb.g), known(rgb.b));
  uint mode = tables[at + 2];
  vec3 result;
  if (mode == CURVES_CHANNELS) {
    result = vec3(lightCurve(at, 0, k.r), lightCurve(at, 1, k.g), lightCurve(at, 2, k.b));
  } else if (mode == CURVES_HUE_KEEPING) {
    float low = min(k.r, min(k.g, k.b)), high = max(k.r, max(k.g, k.b));
    float darkest = lightCurve(at, 0, low), brightest = lightCurve(at, 0, high);
    float scale = (brightest - darkest) / max(high - low, 1e-30);
    result = vec3(darkest) + scale * (k - vec3(low));
  } else {
    vec3 weights = vec3(tableFloat(at + 9), tableFloat(at + 10), tableFloat(at + 11));
    float y = max(known(dot(weights, k)), 1e-4);
    float black = tableFloat(tables[at]);
    result = vec3(black) + (lightCurve(at, 0, y) - black) / y * k;
  }
  return vec3(keepNaN(result.r, rgb.r), keepNaN(result.g, rgb.g), keepNaN(result.b, rgb.b));
}

// MARK: Hues
//
//     up    = 1 + C²/(C² + fade) · (turn + vibrance/(1 + C²/weak))      complex
//     gain  = 1 + lightness · C²/(C² + strong)
//     L'    = gain·L,  (a + ib)' = min(gain, 1) · down · up · (a + ib)
//
// turn, vibrance, down and lightness are tables over the hue; see `HueAdjustment`.
// Source of the space: Björn Ottosson, "A perceptual color space for image processing", 2020.

float hueEntry(uint first, uint i, float part) {
  float low = tableFloat(first + i), high = tableFloat(first + i + 1);
  return low + part * (high - low);
}

// Words: the start of the numbers: from RGB to LMS, from cube roots to Lab, back, and back to RGB; fade, weak,
// strong; the count of a table's entries less 1; then five tables.
vec3 huesChanged(uint at, vec3 rgb) {
  uint first = tables[at];
  vec3 lms = multiplied(first, rgb);
  vec3 lab = multiplied(first + 9, vec3(cubeRoot(lms.x), cubeRoot(lms.y), cubeRoot(lms.z)));
  float a = lab.y, b = lab.z;
  float sum = abs(a) + abs(b);
  float p = isNumber(sum) && sum > 1e-30 ? b / sum : 0.0;
  float t = a < 0.0 ? 3.0 - p : 1.0 + p;
  uint count = tables[first + 39];
  float index = clip(t, 4.0) * (float(count) / 4.0);
  uint i = min(uint(index), count - 1);
  float part = index - float(i);
  uint entries = first + 40;
  float square = a * a + b * b;
  float faded = square / (square + tableFloat(first + 36));
  float weak = 1.0 / (1.0 + square / tableFloat(first + 37));
  float strong = square / (square + tableFloat(first + 38));
  float real = 1.0 + faded * (hueEntry(entries, i, part) + weak * hueEntry(entries + 2 * (count + 1), i, part));
  float imaginary = faded * hueEntry(entries + count + 1, i, part);
  float gain = 1.0 + strong * hueEntry(entries + 4 * (count + 1), i, part);
  float scale = min(gain, 1.0) * hueEntry(entries + 3 * (count + 1), i, part);
  vec3 changed = vec3(gain * lab.x, scale * (real * a - imaginary * b), scale * (real * b + imaginary * a));
  vec3 roots = multiplied(first + 18, changed);
  return multiplied(first + 27, roots * roots * roots);
}
