// Colours with a channel above 1 brought below along lines of OKLab, on linear RGB.
//
//     d     = L - ½,  e = ½ + |d| + 2·C,  grey = ½·(1 + sign(d)·2|d| / (e + √(e² - 2|d|)))
//     roots = grey + t·(roots - grey),  t the largest in 0…1 without a channel above 1
//
// roots are the cube roots of LMS; see `GamutMapping`.
// Source: Björn Ottosson, "Gamut clipping", 2021.

// `GamutMapping.alpha` and `halvings` in Swift.
const float GAMUT_ALPHA = 2.0;
const int GAMUT_HALVINGS = 18;

// Words: from RGB to LMS, from their cube roots to Lab, and from LMS to RGB.
vec3 inGamut(uint at, vec3 rgb) {
  // Drivers may take any comparison with NaN for true.
  vec3 lit = clip(rgb, 1e30);
  if (max(lit.r, max(lit.g, lit.b)) <= 1.0) return rgb;
  vec3 lms = multiplied(at, lit);
  vec3 roots = vec3(cubeRoot(lms.x), cubeRoot(lms.y), cubeRoot(lms.z));
  vec3 lab = multiplied(at + 9, roots);
  float offset = lab.x - 0.5, distance = abs(offset);
  float sum = 0.5 + distance + GAMUT_ALPHA * sqrt(lab.y * lab.y + lab.z * lab.z);
  float shift = min(2.0 * distance / (sum + sqrt(max(sum * sum - 2.0 * distance, 0.0))), 1.0);
  float grey = 0.5 + 0.5 * copySign(shift, offset);
  // Each channel is a cubic of t, since the cube roots of LMS are linear.
  vec3 away = roots - grey;
  vec3 first = 3.0 * grey * grey * multiplied(at + 18, away);
  vec3 second = 3.0 * grey * multiplied(at + 18, away * away);
  vec3 third = multiplied(at + 18, away * away * away);
  float start = grey * grey * grey;
  float inside = 0.0, part = 1.0;
  // Unrolled it would be larger than all other stages together.
  [[dont_unroll]] for (int i = 0; i < GAMUT_HALVINGS; i++) {
    part *= 0.5;
    float middle = inside + part;
    vec3 c = start + middle * (first + middle * (second + middle * third));
    if (max(c.r, max(c.g, c.b)) <= 1.0) inside = middle;
  }
  vec3 found = start + inside * (first + inside * (second + inside * third));
  return vec3(keepNaN(found.r, rgb.r), keepNaN(found.g, rgb.g), keepNaN(found.b, rgb.b));
}
