// Weights of sixteen neighbouring pixels at once, by where the first of them lies between two samples.
//
// Along a row of pixels the places among samples rise by the same step. So the fraction of the first place
// tells those of all sixteen, and with them their weights and how many samples each lies from the first. A
// table has them at 64 fractions, with the change to the next one; between them weights are interpolated.
// A pixel that passes a sample on the way to the next fraction keeps its taps until there: what its kernel
// then has outside of them is less than a ten-thousandth.
//
// Bilinear weights are the fractions themselves, so of these there are only the places.
#ifndef SAFELIGHT_LANE_TABLES_H
#define SAFELIGHT_LANE_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "PixelKernels.h"

namespace safelight {

constexpr int kStripColumns = 16;
constexpr int kLaneNodes = 64;
constexpr int kMaxTapPairs = 3;

// Pixels are kept in groups of four, in the order 0, 2, 1, 3: then packing two vectors of 32 bit, which acts
// on blocks of 16 bytes, brings them back into their own.
constexpr int kGroupOrder[4] = {0, 2, 1, 3};

// Along rows. Taps are in pairs, two to 32 bits: 0 with 5, 1 with 4, 2 with 3. The first tap of the last
// pair is 0 here: it weighs what the others leave of 1 << 14.
struct alignas(64) AcrossNode {
  int16_t value[kMaxTapPairs][2 * kStripColumns];
  int16_t step[kMaxTapPairs][2 * kStripColumns];  // to the next node
  // Where the first pair of taps lies within two pieces of 16 samples each, for pixels 0…7 and 8…15: bytes of
  // which every other one asks for zero. Those of the second piece have 16 added.
  uint32_t taps[kStripColumns];
  int32_t first[2];  // where the pieces begin, from the whole part of the first place
};

// Down columns, the weights of the rows that the pixels reach but one, of which all differences are taken:
// `rows` - 1 times the value and the step of sixteen pixels, negated and in Q15. A climb of
// SL_PLANAR_MAX_CLIMB reaches these many rows: sixteen columns span 6 of them, the kernel 6 or 2.
constexpr int kMaxDownRows = 12;
constexpr int kMaxBilinearRows = 8;

struct LaneTable {
  int64_t step;  // Q32, from pixel to pixel
  int32_t kind;  // 0: none
  uint32_t last_use;
  int32_t rows;              // down columns: that are weighed
  int8_t first[kLaneNodes];  // and the first of them, from the whole part of the first place
  // Bilinear: from the whole part of the first place to where pieces begin, or to the first row; and the
  // places of pixels from there, less the first fraction: in Q16 and the order of groups along rows, in Q14
  // or (of more than three rows) Q12 down columns.
  int32_t start[2];
  alignas(64) int32_t across_places[kStripColumns];
  alignas(64) int16_t down_places[kStripColumns];
  alignas(64) union {
    AcrossNode across[kLaneNodes];
    int16_t down[kLaneNodes * (kMaxDownRows - 1) * 2 * kStripColumns];
  };

  // The row of which differences are taken.
  static constexpr int CentreOf(int rows) { return (rows - 1) / 2; }
  const int16_t *Down(uint32_t node) const {
    return down + node * static_cast<uint32_t>(rows - 1) * 2 * kStripColumns;
  }
};

// As many as one tile needs: rows of three planes, and columns.
struct LaneTables {
  LaneTable tables[4];
  uint32_t uses;

  // Computed where no table of this step is there, in the place of the one that was not used for longest.
  const LaneTable &Across(int64_t step, sl_kernel kernel);
  const LaneTable &Down(int64_t step, sl_kernel kernel);

 private:
  LaneTable &Find(int64_t step, int32_t kind, bool *found);
};

}  // namespace safelight

#endif
