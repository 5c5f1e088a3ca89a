// A function of each channel separately, odd: f(-x) = -f(x).
//
//     parametric  x <= toe ? slope·x : scale·(gain·x + offset)^exponent + shift
//     sampled     straight lines through equally spaced samples of 0…1, beyond 1 a straight line
//
// Sources of the parameters: IEC 61966-2-1 (sRGB), ITU-R BT.709-6 and BT.2020-2, profiles (`TransferFunction`).

// x^y for x >= 0; 0 for x = 0. Vulkan guarantees exp2 and log2 to within a few units in the last place.
float power(float x, float y) {
  // Infinity must not become a plausible number's exponent.
  float exponent = clamp(y * log2(clamp(x, 1e-30, 3e38)), -125.0, 125.0);
  return x > 1e-30 ? exp2(exponent) : 0.0;
}

// Words: toe, slope, scale, gain, offset, exponent, shift.
float parametric(uint at, float x) {
  float a = abs(x);
  float base = tableFloat(at + 3) * a + tableFloat(at + 4);
  float curved = tableFloat(at + 2) * power(base, tableFloat(at + 5)) + tableFloat(at + 6);
  float value = a <= tableFloat(at) ? a * tableFloat(at + 1) : curved;
  return keepNaN(copySign(value, x), x);
}

vec3 parametric(uint at, vec3 v) { return vec3(parametric(at, v.r), parametric(at, v.g), parametric(at, v.b)); }

// Words: the start of red's samples, followed by green's and blue's; their count; whether sample i is at (i /
// (count - 1))², for curves that are steep near black; the three slopes beyond 1.
float sampledChannel(uint at, uint channel, float x) {
  uint count = tables[at + 1];
  uint first = tables[at] + channel * count;
  float a = abs(x);
  // The last interval also covers 1 itself.
  float index = clip(tables[at + 2] != 0 ? sqrt(a) : a, 1.0) * float(count - 1);
  uint below = min(uint(index), count - 2);
  float low = tableFloat(first + below), high = tableFloat(first + below + 1);
  float inside = low + (index - float(below)) * (high - low);
  float above = tableFloat(first + count - 1) + (a - 1.0) * tableFloat(at + 3 + channel);
  return keepNaN(copySign(a > 1.0 ? above : inside, x), x);
}

vec3 sampled(uint at, vec3 v) {
  return vec3(sampledChannel(at, 0, v.r), sampledChannel(at, 1, v.g), sampledChannel(at, 2, v.b));
}
