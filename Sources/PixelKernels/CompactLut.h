#pragma once
#include <stddef.h>
#include <stdint.h>

#include "PixelKernels.h"

namespace safelight {
// Samples of 8 bit lie at whole 255ths between the nodes of a uniform grid: at x·(size - 1) of them. So the
// weights of a cell's eight corners, four of them 0, are whole 255ths as well; their sum is 255. With corners
// as bytes above the cell's lowest, a pixel is eight products of bytes a channel, and one cell serves all six
// tetrahedra:
//
//   code = lowest + step · Σ weight·corner / 255
//
// A step is as many node codes as make the corners fit: what they are rounded by is half of that.
constexpr int32_t kPart = 255;

// Two slots of 16 bytes: for R, G, B the corners 0…3 (blue's near side) or 4…7, bit 0 being the far side of
// red and bit 1 of green; then 16-bit R and G, or B and 257 times the step. Corners are int8, 128 less than
// what they are above the lowest; the lowest is in codes and has the half level that rounds.
constexpr int32_t kCompactCellBytes = 32;
constexpr int32_t kCornerBias = 128;
constexpr int32_t kStepScale = 257;

// Rounds corners by a tenth of a level at most. Cells that need more are steep: their step is 0, and their
// pixels are interpolated between the nodes themselves.
constexpr int32_t kMaxStep = 6;
// More steep cells than one in so many, and compact ones gain too little.
constexpr int32_t kCellsToOneSteep = 20;

// Larger tables would leave the caches: 65 nodes an edge make 8.4 MB.
constexpr int32_t kMaxCompactNodes = 65;

struct CompactLut {
  alignas(64) int32_t has_steep_cells;

  // Red fastest.
  const int8_t *Cells() const { return reinterpret_cast<const int8_t *>(this + 1); }
  int8_t *Cells() { return reinterpret_cast<int8_t *>(this + 1); }
  // Of the cell so many bytes from the first.
  bool IsSteep(size_t cell) const {
    const int8_t *step = Cells() + cell + kCompactCellBytes - 2;
    return (step[0] | step[1]) == 0;
  }
};

// RGBA8 → RGBA8; `dst` may be `src`.
void ApplyCompactLut(const sl_baked_lut &lut, const uint32_t *src, uint32_t *dst, size_t n);
}  // namespace safelight
