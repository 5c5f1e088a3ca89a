// Reads and writes samples in the words of a buffer. Addresses are in bytes, modulo 2^32.

uint sourceByte(uint address) { return bitfieldExtract(source[address >> 2], int(8 * (address & 3)), 8); }

// The address of column 0 of a row. If the buffer holds a part of the picture that begins further right, it is
// before the buffer, modulo 2^32. Only the addresses of samples in the buffer may be used as indices.
uint rowAddress(uint plane, int y) {
  return parameters.plane_bytes[plane] + uint(y) * parameters.plane_stride[plane];
}

// The word of column x in a row with `bytes` bytes per column, a multiple of 4.
uint wordAt(uint plane, ivec2 at, uint bytes) { return (rowAddress(plane, at.y) + bytes * uint(at.x)) >> 2; }

// A pixel of an RGBA format, 0…1 of full scale.
vec4 loadRGBA(ivec2 at) {
  if (INPUT == RGBA8) return unpackUnorm4x8(source[wordAt(0, at, 4)]);
  if (INPUT == RGBA16) {
    uint word = wordAt(0, at, 8);
    return vec4(unpackUnorm2x16(source[word]), unpackUnorm2x16(source[word + 1]));
  }
  uint word = wordAt(0, at, 16);
  return uintBitsToFloat(uvec4(source[word], source[word + 1], source[word + 2], source[word + 3]));
}

// The code of luma or grey, 0…255.
float loadLuma(ivec2 at) {
  uint row = rowAddress(0, at.y);
  if (INPUT == YUYV) return float(sourceByte(row + 2 * uint(at.x)));
  if (INPUT == UYVY) return float(sourceByte(row + 2 * uint(at.x) + 1));
  return float(sourceByte(row + uint(at.x)));
}

// The codes of Cb and Cr, 0…255, at column x and row y of the chroma samples.
vec2 loadChroma(ivec2 at) {
  if (INPUT == YUYV || INPUT == UYVY) {
    uint group = source[wordAt(0, at, 4)];
    if (INPUT == YUYV) group >>= 8;
    return vec2(group & 0xff, (group >> 16) & 0xff);
  }
  if (INPUT == I420 || INPUT == I422 || INPUT == I444) {
    return vec2(sourceByte(rowAddress(1, at.y) + uint(at.x)), sourceByte(rowAddress(2, at.y) + uint(at.x)));
  }
  uint address = rowAddress(1, at.y) + 2 * uint(at.x);
  uint pair = source[address >> 2] >> (8 * (address & 2));
  vec2 codes = vec2(pair & 0xff, (pair >> 8) & 0xff);
  return INPUT == NV21 ? codes.yx : codes;
}

// The pixels that a colour difference covers: 1 << chromaShift.
ivec2 chromaShift() {
  if (INPUT == NV12 || INPUT == NV21 || INPUT == I420) return ivec2(1, 1);
  if (INPUT == I444) return ivec2(0, 0);
  return ivec2(1, 0);
}

// The nearest code; 0 for NaN.
uint quantized(float value, float full, float noise) { return uint(clip(value * full + noise, full) + 0.5); }
uint quantizedPair(float low, float high, float noise, float high_noise) {
  return quantized(low, 65535.0, noise) | quantized(high, 65535.0, high_noise) << 16;
}

// Stores a pixel of the tile.
void storePixel(uvec2 at, vec4 pixel, float noise) {
  uint row = parameters.target_word + at.y * parameters.target_stride;
  if (OUTPUT == RGBA8) {
    target[row + at.x] = quantized(pixel.r, 255.0, noise) | quantized(pixel.g, 255.0, noise) << 8 |
                         quantized(pixel.b, 255.0, noise) << 16 | quantized(pixel.a, 255.0, 0.0) << 24;
  } else if (OUTPUT == RGBA16) {
    target[row + 2 * at.x] = quantizedPair(pixel.r, pixel.g, noise, noise);
    target[row + 2 * at.x + 1] = quantizedPair(pixel.b, pixel.a, noise, 0.0);
  } else {
    uvec4 words = floatBitsToUint(pixel);
    for (uint channel = 0; channel < 4; channel++) target[row + 4 * at.x + channel] = words[channel];
  }
}
