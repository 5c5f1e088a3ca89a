#include "LaneTables.h"

#include <math.h>
#include <string.h>

#include <algorithm>

namespace safelight {
namespace {

constexpr int kFractionBits = 16, kNodeBits = 10;  // of a place, and of what lies between two nodes
constexpr int kPhaseBits = 6;                      // of what lies between two phases of the kernel's table

// The sharp kernel's weights at any fraction.
struct SharpWeights {
  static constexpr int kTaps = 6, kBefore = 2;  // the latter ahead of the sample's own place
  float phases[8 * (SL_KERNEL_PHASES + 1)];

  SharpWeights() { sl_kernel_table(SL_KERNEL_SHARP, phases); }

  // The weights at a position in Q16 from the tap `kBefore`, up to one node beyond the next sample.
  void At(int32_t place, float *weights) const {
    const int32_t whole = place >> kFractionBits, fraction = place & ((1 << kFractionBits) - 1);
    const float *low = phases + 8 * (fraction >> kPhaseBits), *high = low + 8;
    const float part = static_cast<float>(fraction & ((1 << kPhaseBits) - 1)) / (1 << kPhaseBits);
    for (int k = 0; k < whole; k++) weights[k] = 0;
    for (int k = 0; k + whole < kTaps; k++) weights[k + whole] = low[k] + part * (high[k] - low[k]);
  }

  // Never freed: threads may still be sampling while the process ends.
  static const SharpWeights &Shared() {
    static const auto *const weights = new SharpWeights();
    return *weights;
  }
};

// The position of pixel `i` in Q16, relative to the first.
int32_t PlaceOf(int i, int64_t step) { return static_cast<int32_t>((i * step) >> 16); }

int16_t Fixed(float weight, float one) {
  return static_cast<int16_t>(lrintf(std::min(std::max(weight * one, -32768.0f), 32767.0f)));
}

// The whole and fractional positions of the pixels of a strip, and the kernel there and at the next node.
struct Strip {
  int32_t whole[kStripColumns];
  float here[kStripColumns][8], next[kStripColumns][8];

  Strip(const SharpWeights &kernel, int64_t step, int node) {
    for (int i = 0; i < kStripColumns; i++) {
      const int32_t place = PlaceOf(i, step) + (node << kNodeBits);
      whole[i] = place >> kFractionBits;
      const int32_t fraction = place & ((1 << kFractionBits) - 1);
      kernel.At(fraction, here[i]);
      kernel.At(fraction + (1 << kNodeBits), next[i]);
    }
  }
  int32_t Lowest(int from, int to) const { return *std::min_element(whole + from, whole + to); }
  int32_t Highest(int from, int to) const { return *std::max_element(whole + from, whole + to); }
};

void FillAcross(const SharpWeights &kernel, int64_t step, LaneTable *table) {
  constexpr float kOne = 1 << 14;
  constexpr int kLastTap = SharpWeights::kTaps - 1;
  for (int n = 0; n < kLaneNodes; n++) {
    const Strip strip(kernel, step, n);
    AcrossNode &node = table->across[n];
    for (int half = 0; half < 2; half++) node.first[half] = strip.Lowest(8 * half, 8 * half + 8);
    for (int group = 0; group < 4; group++) {
      for (int k = 0; k < 4; k++) {
        const int lane = 4 * kGroupOrder[group] + k, half = lane / 8, at = 4 * group + k;
        const auto offset = static_cast<uint32_t>(strip.whole[lane] - node.first[half] + 16 * half);
        node.taps[at] = 0x80008000u | offset | (offset + static_cast<uint32_t>(kLastTap)) << 16;
        for (int pair = 0; pair < kMaxTapPairs; pair++) {
          const int taps[2] = {pair, kLastTap - pair};
          for (int side = 0; side < 2; side++) {
            const bool is_rest = side == 0 && pair == kMaxTapPairs - 1;
            const int16_t here = Fixed(strip.here[lane][taps[side]], kOne);
            const int16_t next = Fixed(strip.next[lane][taps[side]], kOne);
            node.value[pair][2 * at + side] = is_rest ? int16_t{0} : here;
            node.step[pair][2 * at + side] = is_rest ? int16_t{0} : static_cast<int16_t>(next - here);
          }
        }
      }
    }
    for (int half = 0; half < 2; half++) node.first[half] -= kernel.kBefore;
  }
}

void FillDown(const SharpWeights &kernel, int64_t step, LaneTable *table) {
  constexpr float kOne = 1 << 15;
  table->rows = 0;
  for (int n = 0; n < kLaneNodes; n++) {
    const Strip strip(kernel, step, n);
    const int32_t first = strip.Lowest(0, kStripColumns);
    table->first[n] = static_cast<int8_t>(first - kernel.kBefore);
    table->rows = std::max(table->rows, strip.Highest(0, kStripColumns) - first + kernel.kTaps);
  }
  table->rows = std::min(table->rows, kMaxDownRows);
  int16_t *to = table->down;
  for (int n = 0; n < kLaneNodes; n++) {
    const Strip strip(kernel, step, n);
    for (int row = 0; row < table->rows; row++) {
      if (row == LaneTable::CentreOf(table->rows)) continue;
      for (int i = 0; i < kStripColumns; i++) {
        const int tap = row - (strip.whole[i] - table->first[n] - kernel.kBefore);
        const bool is_reached = tap >= 0 && tap < kernel.kTaps;
        const int16_t here = is_reached ? Fixed(-strip.here[i][tap], kOne) : int16_t{0};
        const int16_t next = is_reached ? Fixed(-strip.next[i][tap], kOne) : int16_t{0};
        to[i] = here;
        to[i + kStripColumns] = static_cast<int16_t>(next - here);
      }
      to += 2 * kStripColumns;
    }
  }
}

void FillBilinearAcross(int64_t step, LaneTable *table) {
  for (int half = 0; half < 2; half++) {
    table->start[half] = std::min(PlaceOf(8 * half, step), PlaceOf(8 * half + 7, step)) >> kFractionBits;
  }
  for (int at = 0; at < kStripColumns; at++) {
    const int lane = 4 * kGroupOrder[at / 4] + at % 4;
    table->across_places[at] = PlaceOf(lane, step) - table->start[lane / 8] * (1 << kFractionBits);
  }
}

void FillBilinearDown(int64_t step, LaneTable *table) {
  const int32_t last = PlaceOf(kStripColumns - 1, step);
  const int32_t start = std::min(0, last) >> kFractionBits;
  const int32_t end = std::max(0, last) - start * (1 << kFractionBits) + (1 << kFractionBits) - 1;
  table->start[0] = table->start[1] = start;
  table->rows = std::min((end >> kFractionBits) + 2, kMaxBilinearRows);
  const int bits = table->rows <= 3 ? 14 : 12;
  for (int i = 0; i < kStripColumns; i++) {
    const int32_t place = PlaceOf(i, step) - start * (1 << kFractionBits);
    table->down_places[i] = static_cast<int16_t>(place >> (kFractionBits - bits));
  }
}

}  // namespace

LaneTable &LaneTables::Find(int64_t step, int32_t kind, bool *found) {
  uses++;
  LaneTable *oldest = tables;
  for (LaneTable &table : tables) {
    if (table.kind == kind && table.step == step) {
      *found = true;
      table.last_use = uses;
      return table;
    }
    if (uses - table.last_use > uses - oldest->last_use) oldest = &table;
  }
  *found = false;
  oldest->step = step;
  oldest->kind = kind;
  oldest->last_use = uses;
  return *oldest;
}

const LaneTable &LaneTables::Across(int64_t step, sl_kernel kernel) {
  bool found;
  LaneTable &table = Find(step, kernel == SL_KERNEL_BILINEAR ? 1 : 2, &found);
  if (found) return table;
  if (kernel == SL_KERNEL_BILINEAR) {
    FillBilinearAcross(step, &table);
  } else {
    FillAcross(SharpWeights::Shared(), step, &table);
  }
  return table;
}

const LaneTable &LaneTables::Down(int64_t step, sl_kernel kernel) {
  bool found;
  LaneTable &table = Find(step, kernel == SL_KERNEL_BILINEAR ? 3 : 4, &found);
  if (found) return table;
  if (kernel == SL_KERNEL_BILINEAR) {
    FillBilinearDown(step, &table);
  } else {
    FillDown(SharpWeights::Shared(), step, &table);
  }
  return table;
}

}  // namespace safelight

extern "C" size_t sl_lane_tables_bytes(void) { return sizeof(safelight::LaneTables); }
