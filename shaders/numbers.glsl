// Drivers may ignore NaN: arithmetic on it and comparisons with it may be optimized away, so it is detected by its
// bits (Vulkan 1.3, “Precision and operation of SPIR-V instructions”).

bool isNumber(float x) { return (floatBitsToUint(x) & 0x7fffffffu) <= 0x7f800000u; }

// y, or NaN if x is NaN: a NaN must not become a plausible colour.
float keepNaN(float y, float x) { return isNumber(x) ? y : x; }

// Clamped to 0…top; 0 for NaN.
float clip(float x, float top) { return isNumber(x) ? clamp(x, 0.0, top) : 0.0; }
vec3 clip(vec3 v, float top) { return vec3(clip(v.x, top), clip(v.y, top), clip(v.z, top)); }

// y with the sign of x.
float copySign(float y, float x) { return x < 0.0 ? -y : y; }
