#pragma once
#include <stddef.h>
#include <stdint.h>

#include "PixelKernels.h"

namespace safelight {
// 8-bit samples lie at whole 255ths between the nodes of a uniform grid: at x·(size - 1) of them. So the
// weights of a cell's eight corners, four of them 0, are whole 255ths as well; their sum is 255. With corners
// as bytes above the cell's lowest, a pixel takes eight products of bytes per channel, and one cell serves
// all six tetrahedra:
//
//   code = lowest + step · Σ weight·corner / 255
//
// A step is the number of node codes that makes the corners fit: the rounding error is half of it.
constexpr int32_t kPart = 255;

// Two slots of 16 bytes: for R, G, B the corners 0…3 (blue's near side) or 4…7, where bit 0 is the far side
// of red and bit 1 that of green; then 16-bit R and G, or B and 257 times the step. Corners are int8, 128
// less than their height above the lowest; the lowest is in codes and includes the half level for rounding.
constexpr int32_t kCompactCellBytes = 32;
constexpr int32_t kCornerBias = 128;
constexpr int32_t kStepScale = 257;

// Rounds corners by at most a tenth of a level. Cells that need more are steep: their step is 0, and their
// pixels are interpolated between the nodes themselves.
constexpr int32_t kMaxStep = 6;
// With a larger share of steep cells, compact ones gain too little.
constexpr int32_t kCellsToOneSteep = 20;

// Larger tables would exceed the caches: 65 nodes per edge take 8.4 MB.
constexpr int32_t kMaxCompactNodes = 65;

struct CompactLut {
  alignas(64) int32_t has_steep_cells;

  // Red fastest.
  const int8_t *Cells() const { return reinterpret_cast<const int8_t *>(this + 1); }
  int8_t *Cells() { return reinterpret_cast<int8_t *>(this + 1); }
  // Whether the cell at that byte offset from the first is steep.
  bool IsSteep(size_t cell) const {
    const int8_t *step = Cells() + cell + kCompactCellBytes - 2;
    return (step[0] | step[1]) == 0;
  }
};

// RGBA8 → RGBA8; `dst` may be `src`.
void ApplyCompactLut(const sl_baked_lut &lut, const uint32_t *src, uint32_t *dst, size_t n);
}  // namespace safelight
