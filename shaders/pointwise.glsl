// Functions of a colour that are neither a matrix nor a table, on linear RGB.

// MARK: OKLab, a and b scaled
//
//     out = M3 · (M2 · ∛(M1 · rgb))³
//
// M1: RGB to cone responses; M2: their cube roots to Lab, a and b scaled, and back to cube roots; M3: the inverse
// of M1.
// Source: Björn Ottosson, "A perceptual color space for image processing", 2020.

// The cube root of 1e-27…1e37: an estimate from the exponent, within 4 %, then two Halley steps, each of which
// cubes the error. pow(x, 1/3) would only be as accurate as the driver's logarithm.
float positiveCubeRoot(float x) {
  float y = intBitsToFloat(int(float(floatBitsToInt(x)) * (1.0 / 3.0)) + 0x2a514067);
  [[unroll]] for (int step = 0; step < 2; step++) {
    float cube = y * y * y;
    y *= (cube + 2.0 * x) / (2.0 * cube + x);
  }
  return y;
}

// Signed; 0 below 1e-27.
float cubeRoot(float x) {
  float a = min(abs(x), 1e37);
  return keepNaN(a > 1e-27 ? copySign(positiveCubeRoot(clamp(a, 1e-27, 1e37)), x) : 0.0, x);
}

// Words: M1, M2, M3.
vec3 oklabMixed(uint at, vec3 rgb) {
  vec3 lms = multiplied(at, rgb);
  vec3 roots = multiplied(at + 9, vec3(cubeRoot(lms.x), cubeRoot(lms.y), cubeRoot(lms.z)));
  return multiplied(at + 18, roots * roots * roots);
}

// MARK: Tone
//
//     n   = Σ|c|³ / Σ c²
//     out = gain(log2 n) · c + offset(log2 n)
//
// Gain and offset are tables over the logarithm; see `ToneCurve` for their formulas.
// Source of the brightness n: the power norm of darktable's filmic module.

// Words: the start of the gains, followed by the offsets; their count; scale and bias from log2 to the index.
vec3 toned(uint at, vec3 rgb) {
  // The cubes of larger values overflow, those of much smaller ones underflow.
  vec3 level = min(abs(rgb), 1e6);
  vec3 square = level * level;
  float squares = square.r + square.g + square.b;
  float cubes = dot(square, level);
  bool visible = isNumber(cubes) && squares > 1e-22;
  float norm = visible ? cubes / squares : 1e-12;
  uint first = tables[at], count = tables[at + 1];
  float index = clip(log2(norm) * tableFloat(at + 2) + tableFloat(at + 3), float(count - 1));
  uint below = min(uint(index), count - 2);
  float part = index - float(below);
  float gain = mix(tableFloat(first + below), tableFloat(first + below + 1), part);
  first += count;
  float offset = mix(tableFloat(first + below), tableFloat(first + below + 1), part);
  return gain * rgb + offset;
}
