// Luma and colour differences of a work group's pixels, stored in whole words:
//
//     (Y', Cb, Cr) = M · (R', G', B') + offset,     codes of 8 bits
//
// Subsampled differences are the mean over a box as large as the pixels that they stand for, centred on their site:
// ½ ½ between two pixels, ¼ ½ ¼ on one.
// Source: ITU-T H.273 (2021), equations 38 to 40 and table 4.

// R, G and B of the pixels, in rows of COLUMNS, from as many before the group on as differences depend on.
shared uint colours[PIXELS];

// Row `row` of the matrix on a pixel of the group; its neighbours before it are at -1.
float targetCode(uint row, ivec2 at) {
  uint colour = colours[(at.y + HALO_Y) * COLUMNS + at.x + HALO_X];
  uint words = TARGET_MATRIX + 3 * row;
  return tableFloat(words) * float(colour & 0xff) + tableFloat(words + 1) * float(colour >> 8 & 0xff) +
         tableFloat(words + 2) * float(colour >> 16) + tableFloat(TARGET_OFFSET + row);
}

// The pixels that a colour difference of the target stands for: 1 << targetShift.
ivec2 targetShift() {
  if (OUTPUT == NV12 || OUTPUT == NV21 || OUTPUT == I420) return ivec2(1, 1);
  if (OUTPUT == I444 || OUTPUT == GRAY8) return ivec2(0, 0);
  return ivec2(1, 0);
}

uint code(float value) { return uint(clamp(value, 0.0, 255.0) + 0.5); }

// The weight of pixel 0 (before), 1 or 2 along an axis, for the box of a colour difference that stands for 1 << shift
// pixels and may depend on the one before.
float boxWeight(int place, int shift, uint halo) {
  if (shift == 0) return place == 1 ? 1.0 : 0.0;
  if (halo == 1) return place == 1 ? 0.5 : 0.25;
  return place == 0 ? 0.0 : 0.5;
}

// Cb (1) or Cr (2) in column x and row y of the group's colour differences.
uint difference(uint channel, ivec2 at) {
  ivec2 shift = targetShift(), first = at << shift;
  float sum = 0.0;
  for (int y = 1 - int(HALO_Y); y < 2 + shift.y; y++) {
    for (int x = 1 - int(HALO_X); x < 2 + shift.x; x++) {
      float weight = boxWeight(x, shift.x, HALO_X) * boxWeight(y, shift.y, HALO_Y);
      sum += weight * targetCode(channel, first + ivec2(x, y) - 1);
    }
  }
  return code(sum);
}

// Byte `byte` of row `row` of the group's part of a plane.
uint planeByte(uint plane, int byte, int row) {
  if (OUTPUT == YUYV || OUTPUT == UYVY) {
    uint place = uint(byte & 3) ^ (OUTPUT == UYVY ? 1u : 0u);
    if ((place & 1) == 0) return code(targetCode(0, ivec2(byte >> 1, row)));
    return difference(place == 1 ? 1 : 2, ivec2(byte >> 2, row));
  }
  if (plane == 0) return code(targetCode(0, ivec2(byte, row)));
  if (OUTPUT == I420 || OUTPUT == I422 || OUTPUT == I444) return difference(plane, ivec2(byte, row));
  uint channel = uint(byte & 1) ^ (OUTPUT == NV21 ? 1u : 0u);
  return difference(1 + channel, ivec2(byte >> 1, row));
}

// Stores a group's part of a plane: `bytes` of each of `rows` rows, in words. The last word of a row may go beyond the
// picture's samples, but not beyond the row.
void storePlane(uint plane, uint word, uint stride, uint bytes, uint rows) {
  uint words = (bytes + 3) >> 2;
  for (uint index = gl_LocalInvocationIndex; index < words * rows; index += gl_WorkGroupSize.x) {
    uint column = index % words, row = index / words;
    uint value = 0;
    for (uint part = 0; part < 4; part++) {
      uint byte = min(4 * column + part, bytes - 1);
      value |= planeByte(plane, int(byte), int(row)) << (8 * part);
    }
    target[word + row * stride + column] = value;
  }
}

// Stores the samples of the group's pixels, `size` of them from `first` of the tile on.
void storePlanes(uvec2 first, uvec2 size) {
  uvec2 shift = uvec2(targetShift());
  bool is_packed = OUTPUT == YUYV || OUTPUT == UYVY;
  uint luma = parameters.target_word + first.y * parameters.target_stride + (is_packed ? 2 * first.x : first.x) / 4;
  storePlane(0, luma, parameters.target_stride, is_packed ? (size.x + 1) / 2 * 4 : size.x, size.y);
  if (is_packed || OUTPUT == GRAY8) return;
  uvec2 place = first >> shift, count = (size + (uvec2(1) << shift) - 1) >> shift;
  bool is_planar = OUTPUT == I420 || OUTPUT == I422 || OUTPUT == I444;
  uint bytes = is_planar ? 1 : 2;
  for (uint plane = 1; plane < (is_planar ? 3 : 2); plane++) {
    uint stride = parameters.chroma_stride[plane - 1];
    uint word = parameters.chroma_word[plane - 1] + place.y * stride + bytes * place.x / 4;
    storePlane(plane, word, stride, bytes * count.x, count.y);
  }
}
