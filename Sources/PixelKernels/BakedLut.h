#pragma once
#include <stddef.h>
#include <stdint.h>

#include "PixelKernels.h"

namespace safelight {
// The interpolated value within a tetrahedron is a plane,
//
//   out = n0 + fr·dr + fg·dg + fb·db
//
// with the fractions of the position in its cell and, for each axis, the step between the two corners that
// the path of descending fractions crosses on that axis. A cell has six tetrahedra; each takes two slots of
// 16 bytes that are multiplied with pairs of 16-bit weights and added:
//
//   (dr, dg) of R, G, B, 0           with (fr, fg)
//   (db, -n0 - 16) of R, G, B, 0     with (fb, -32768)
//
// n0 is negated because 1 in Q15 is not an int16, and includes the half level for rounding. Differences of
// nodes within -2…2 fit.
constexpr int32_t kLevel = SL_NODE_UNIT / 255;
constexpr int32_t kSlotBytes = 16;
constexpr int32_t kTetrahedronBytes = 2 * kSlotBytes;
constexpr int32_t kTetrahedra = 6;

// The index of each order of fractions' tetrahedron: 1 - [r > g] + 3·[g > b] + [b > r]. If all are equal, any
// will do.
enum Tetrahedron : int32_t {
  kRedBlueGreen = 0,
  kBlueRedGreen = 1,
  kBlueGreenRed = 2,
  kRedGreenBlue = 3,
  kGreenRedBlue = 4,
  kGreenBlueRed = 5,
};

// Larger tables would exceed the caches: 49 nodes per edge take 21 MB.
constexpr int32_t kMaxCellNodes = 33;

// The positions of all 256 8-bit samples, then the cells, red fastest.
struct PreparedLut {
  // Fractions in Q15, their ranks in the order of all that occur, and the cell.
  alignas(64) uint8_t low[256], high[256], rank[256], cell[256];

  const int16_t *Cells() const { return reinterpret_cast<const int16_t *>(this + 1); }
  int16_t *Cells() { return reinterpret_cast<int16_t *>(this + 1); }
};

// Q15 positions in nodes of samples whose full scale is `full`: min(x·steep, x·gentle + offset), rounded.
struct LutAxis {
  float steep, gentle, offset;

  LutAxis(const sl_baked_lut &lut, float full) {
    // Slightly below the top, so that the far corner of the last cell stays inside the table; the error is
    // 1/32768 cell.
    const float top = 32768.0f * (1.0f - 1.0f / (32768.0f * static_cast<float>(lut.size - 1)));
    steep = lut.steep * top / full;
    gentle = lut.gentle * top / full;
    offset = lut.offset * top;
  }

  bool IsUniform() const { return steep == gentle && offset == 0; }
};

// Added to a position, it leaves the nearest integer in the low 23 bits: a conversion that only rounds.
constexpr float kRoundingUnit = 8388608.0f;
}  // namespace safelight
