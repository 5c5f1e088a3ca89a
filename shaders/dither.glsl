// The pattern added before bit depth is reduced, in units of the last place:
//
//     threshold(x, y) = frac(52.9829189 · frac(0.06711056·x + 0.00583715·y)) - 0.5
//
// with output coordinates. The inner fraction is computed in 32-bit integers, because for large x a float of
// 0.067·x has too few bits left for it.
// Source: Jimenez, "Next generation post processing in Call of Duty: Advanced Warfare", SIGGRAPH 2014
// (interleaved gradient noise).

float ditherThreshold(uvec2 at) {
  // 0.06711056 and 0.00583715, times 2^32.
  uint fraction = at.x * 288237660u + at.y * 25070368u;
  return fract(52.9829189 * (float(fraction >> 8) / 16777216.0)) - 0.5;
}
