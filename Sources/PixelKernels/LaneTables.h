// The weights of sixteen neighbouring pixels at once, by the position of the first one between two samples.
//
// Along a row of pixels, the positions among samples increase by a constant step. So the fraction of the
// first position determines those of all sixteen, and with them their weights and how many samples each lies
// from the first. A table has them at 64 fractions, with the difference to the next one; between them weights
// are interpolated. A pixel that passes a sample before the next fraction keeps its taps until there: the
// part of its kernel that then lies outside them is less than a ten-thousandth.
//
// Bilinear weights are the fractions themselves, so their tables contain only the positions.
#ifndef SAFELIGHT_LANE_TABLES_H
#define SAFELIGHT_LANE_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "PixelKernels.h"

namespace safelight {

constexpr int kStripColumns = 16;
constexpr int kLaneNodes = 64;
constexpr int kMaxTapPairs = 3;

// Pixels are kept in groups of four, in the order 0, 2, 1, 3, so that packing two 32-bit vectors, which acts
// on blocks of 16 bytes, restores their order.
constexpr int kGroupOrder[4] = {0, 2, 1, 3};

// Along rows. Taps are in pairs, two per 32 bits: 0 with 5, 1 with 4, 2 with 3. The first tap of the last
// pair is 0 here: its weight is what the others leave of 1 << 14.
struct alignas(64) AcrossNode {
  int16_t value[kMaxTapPairs][2 * kStripColumns];
  int16_t step[kMaxTapPairs][2 * kStripColumns];  // to the next node
  // The positions of the first pair of taps in two pieces of 16 samples each, for pixels 0…7 and 8…15: bytes,
  // every other one of which selects zero. 16 is added to those of the second piece.
  uint32_t taps[kStripColumns];
  int32_t first[2];  // the starts of the pieces, from the whole part of the first position
};

// Down columns: the weights of all rows that the pixels reach except the one from which all differences are
// taken: `rows` - 1 times the value and the step of sixteen pixels, negated and in Q15. A climb of
// SL_PLANAR_MAX_CLIMB reaches this many rows: sixteen columns span 6 of them, the kernel 6 or 2.
constexpr int kMaxDownRows = 12;
constexpr int kMaxBilinearRows = 8;

struct LaneTable {
  int64_t step;  // Q32, from pixel to pixel
  int32_t kind;  // 0: none
  uint32_t last_use;
  int32_t rows;              // down columns: the number of rows used
  int8_t first[kLaneNodes];  // and the first of them, from the whole part of the first position
  // Bilinear: the offset from the whole part of the first position to the start of the pieces, or to the
  // first row; and the positions of pixels from there, minus the first fraction: along rows in Q16 and in the
  // order of groups, down columns in Q14 or (for more than three rows) Q12.
  int32_t start[2];
  alignas(64) int32_t across_places[kStripColumns];
  alignas(64) int16_t down_places[kStripColumns];
  alignas(64) union {
    AcrossNode across[kLaneNodes];
    int16_t down[kLaneNodes * (kMaxDownRows - 1) * 2 * kStripColumns];
  };

  // The row from which differences are taken.
  static constexpr int CentreOf(int rows) { return (rows - 1) / 2; }
  const int16_t *Down(uint32_t node) const {
    return down + node * static_cast<uint32_t>(rows - 1) * 2 * kStripColumns;
  }
};

// As many as one tile needs: rows of three planes, and columns.
struct LaneTables {
  LaneTable tables[4];
  uint32_t uses;

  // Computes a table for this step if there is none, replacing the least recently used one.
  const LaneTable &Across(int64_t step, sl_kernel kernel);
  const LaneTable &Down(int64_t step, sl_kernel kernel);

 private:
  LaneTable &Find(int64_t step, int32_t kind, bool *found);
};

}  // namespace safelight

#endif
