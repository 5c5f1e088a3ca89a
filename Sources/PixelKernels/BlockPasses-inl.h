// How the pixels of a block are weighed: in two passes, or directly. Included only by BlockResample.cc, once
// for every instruction set.
#if defined(SAFELIGHT_BLOCK_PASSES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_BLOCK_PASSES_INL_H
#undef SAFELIGHT_BLOCK_PASSES_INL_H
#else
#define SAFELIGHT_BLOCK_PASSES_INL_H
#endif

#include <string.h>

#include <type_traits>

#include "BlockColumns-inl.h"
#include "BlockMemory.h"
#include "BlockTarget-inl.h"
#include "BlockWindow-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// MARK: In two passes

// What a part is made of, ready for its passes.
template <class Sums>
struct Samples {
  Window<Sums> window;
  typename Sums::Spread spread;
  typename Sums::Sample *line;
};

// The number of vectors that hold a phase's weights.
template <class Sums>
HWY_INLINE int Vectors(const WideWeights &weights) {
  return (weights.taps + Sums::kPixels - 1) / Sums::kPixels;
}

// The first pass: a pixel for each row of the source.
template <int kVectors>
HWY_INLINE void PassAcross(const Samples<FixedSums> &samples, const WideWeights &weights, const Taps &taps,
                           int32_t first, int32_t count) {
  const int16_t *table = FixedSums::Table(weights);
  const FixedSums::Spread spread = samples.spread;
  const auto stride = static_cast<ptrdiff_t>(samples.window.stride);
  const int16_t *row = samples.window.At(0, first);
  const int vectors = Vectors<FixedSums>(weights);
  int16_t *to = samples.line;
  // Up to three rows past the last one are read, and what is made of them is not.
  for (int32_t r = 0; r < count; r += 4, row += 4 * stride, to += 16) {
    const auto sum = [&](int k) HWY_ATTR {
      return SumAlong<kVectors>(row + k * stride + 4 * static_cast<ptrdiff_t>(taps.first[r + k]),
                                table + taps.weights[r + k], vectors, spread);
    };
    FourPixels::Fold(sum(0), sum(1), sum(2), sum(3)).Store(to);
  }
}
template <int>
HWY_INLINE void PassAcross(const Samples<FloatSums> &samples, const WideWeights &weights, const Taps &taps,
                           int32_t first, int32_t count) {
  const float *table = FloatSums::Table(weights);
  const float *row = samples.window.At(0, first);
  const int vectors = Vectors<FloatSums>(weights);
  for (int32_t r = 0; r < count; r++, row += samples.window.stride) {
    const auto sum = WeighAlong<FloatSums, 0>(row + 4 * static_cast<ptrdiff_t>(taps.first[r]),
                                              table + taps.weights[r], vectors, samples.spread);
    hn::StoreU(sum, D4(), samples.line + 4 * r);
  }
  // Vectors read past the last pixel, with weights of 0.
  memset(samples.line + 4 * count, 0, 4 * WideWeights::kGroup * sizeof(float));
}

// The second: the pixels of the column. `first` is the row of the source that the line begins with.
template <int kVectors>
HWY_INLINE void PassDown(const Samples<FixedSums> &samples, const WideWeights &weights, const Taps &taps,
                         int32_t first, int32_t count, const Target &target, char *to) {
  const int16_t *table = FixedSums::Table(weights), *line = samples.line;
  const FixedSums::Spread spread = samples.spread;
  const int vectors = Vectors<FixedSums>(weights);
  for (int32_t j = 0; j < count; j += 4, to += 4 * target.row_bytes) {
    // Pixels past the last one repeat it.
    const auto sum = [&](int k) HWY_ATTR {
      return SumAlong<kVectors>(line + 4 * static_cast<ptrdiff_t>(taps.first[j + k] - first),
                                table + taps.weights[j + k], vectors, spread);
    };
    target.Store(FourPixels::Fold(sum(0), sum(1), sum(2), sum(3)), HWY_MIN(count - j, 4), to);
  }
}
template <int>
HWY_INLINE void PassDown(const Samples<FloatSums> &samples, const WideWeights &weights, const Taps &taps,
                         int32_t first, int32_t count, const Target &target, char *to) {
  const float *table = FloatSums::Table(weights);
  const int vectors = Vectors<FloatSums>(weights);
  for (int32_t j = 0; j < count; j++, to += target.row_bytes) {
    const float *p = samples.line + 4 * static_cast<ptrdiff_t>(taps.first[j] - first);
    target.Store(WeighAlong<FloatSums, 0>(p, table + taps.weights[j], vectors, samples.spread), to);
  }
}

// Calls `pass` with the number of vectors as a constant, if it is a usual one. Float, for samples that are
// deep or have alpha, has only the general one.
template <class Sums, class Pass>
HWY_INLINE void WithVectors(int vectors, const Pass &pass) {
  if constexpr (sizeof(typename Sums::Sample) == 2) {
    if (vectors == 1) return pass(std::integral_constant<int, 1>());
    if (vectors == 2) return pass(std::integral_constant<int, 2>());
    if (vectors == 3) return pass(std::integral_constant<int, 3>());
    if (vectors == 4) return pass(std::integral_constant<int, 4>());
  }
  pass(std::integral_constant<int, 0>());
}

// Taps by column: of where it crosses rows `first[i]`… of the source, and of its pixels.
struct ColumnTaps {
  Taps x, y;
  size_t x_stride, y_stride;
  int32_t first[SL_LARGEST_BLOCK], count[SL_LARGEST_BLOCK];
  Range columns, rows;  // of samples

  ColumnTaps(const Block &block, const Part &part, sl_block_memory &memory) {
    const auto parts = static_cast<size_t>(part.columns);
    y_stride = SL_LARGEST_BLOCK + kPastPlaces;
    y.first = memory.y.Get(2 * parts * y_stride);
    y.weights = y.first + parts * y_stride;
    double nodes[SL_LARGEST_BLOCK][4];
    const double node = 1 / block.y.column_step;
    int32_t most = 0;
    for (int32_t i = 0; i < part.columns; i++) {
      const int32_t column = part.column + i;
      NodeWeights((column + 0.5) * node, nodes[i]);
      const WideWeights &down = *block.down[column];
      const Range range =
          StoreTaps(block.rows.At(nodes[i]), Centre(part.row), part.rows, down, At(y, y_stride, i));
      first[i] = range.low;
      count[i] = range.high + down.taps - range.low;
      most = HWY_MAX(most, count[i]);
      rows.Add({range.low, range.high + down.taps - 1});
    }
    x_stride = static_cast<size_t>(most + kPastPlaces);
    x.first = memory.x.Get(2 * parts * x_stride);
    x.weights = x.first + parts * x_stride;
    for (int32_t i = 0; i < part.columns; i++) {
      const WideWeights &across = *block.across[part.column + i];
      const Range range = StoreTaps(block.crossings.At(nodes[i]), static_cast<float>(first[i]), count[i],
                                    across, At(x, x_stride, i));
      columns.Add({range.low, range.high + across.taps - 1});
    }
  }

  static Taps At(const Taps &taps, size_t stride, int32_t column) {
    const size_t begin = static_cast<size_t>(column) * stride;
    return {taps.first + begin, taps.weights + begin};
  }
};

template <class Sums>
HWY_NOINLINE void SampleColumns(const Block &block, const Part &part, const ColumnTaps &taps,
                                const Samples<Sums> &samples, const Target &target) {
  for (int32_t i = 0; i < part.columns; i++) {
    const WideWeights &across = *block.across[part.column + i], &down = *block.down[part.column + i];
    const Taps x = ColumnTaps::At(taps.x, taps.x_stride, i), y = ColumnTaps::At(taps.y, taps.y_stride, i);
    const int32_t first = taps.first[i];
    WithVectors<Sums>(Vectors<Sums>(across), [&](auto vectors) HWY_ATTR {
      PassAcross<decltype(vectors)::value>(samples, across, x, first, taps.count[i]);
    });
    WithVectors<Sums>(Vectors<Sums>(down), [&](auto vectors) HWY_ATTR {
      PassDown<decltype(vectors)::value>(samples, down, y, first, part.rows, target, target.At(i, 0));
    });
  }
}

// MARK: Directly

// Places by row of the block.
struct PixelPlaces {
  int32_t *x, *y;
  static constexpr size_t kStride = SL_LARGEST_BLOCK + kPastPlaces;
  Range columns, rows;  // of samples

  PixelPlaces(const Block &block, const Part &part, sl_block_memory &memory) {
    x = memory.x.Get(SL_LARGEST_BLOCK * kStride);
    y = memory.y.Get(SL_LARGEST_BLOCK * kStride);
    Range all_x, all_y;
    for (int32_t j = 0; j < part.rows; j++) {
      double at[4];
      block.x.Row(part.row + j, at);
      all_x.Add(StorePlaces(Cubic::Through(at, block.x.column_step), Centre(part.column), part.columns,
                            x + static_cast<size_t>(j) * kStride));
      block.y.Row(part.row + j, at);
      all_y.Add(StorePlaces(Cubic::Through(at, block.y.column_step), Centre(part.column), part.columns,
                            y + static_cast<size_t>(j) * kStride));
    }
    for (int32_t i = part.column; i < part.column + part.columns; i++) {
      columns.Add(Samples(*block.across[i], all_x));
      rows.Add(Samples(*block.down[i], all_y));
    }
  }

 private:
  static Range Samples(const WideWeights &weights, const Range &places) {
    return {weights.First(weights.Rounded(places.low)),
            weights.First(weights.Rounded(places.high)) + weights.taps - 1};
  }
};

// `covered` is the picture whose edges make pixels transparent; NULL if none are.
template <class Sums>
HWY_NOINLINE void SampleDirectly(const Block &block, const Part &part, const PixelPlaces &places,
                                 const Samples<Sums> &samples, const sl_image *covered,
                                 const Target &target) {
  for (int32_t j = 0; j < part.rows; j++) {
    const int32_t *x = places.x + static_cast<size_t>(j) * PixelPlaces::kStride;
    const int32_t *y = places.y + static_cast<size_t>(j) * PixelPlaces::kStride;
    for (int32_t i = 0; i < part.columns; i++) {
      const WideWeights &across = *block.across[part.column + i], &down = *block.down[part.column + i];
      const int32_t px = across.Rounded(x[i]), py = down.Rounded(y[i]);
      const auto sum =
          WeighWindow<Sums>(samples.window.At(across.First(px), down.First(py)), samples.window.stride,
                            down.taps, Sums::Table(down) + down.Phase(py),
                            Sums::Table(across) + across.Phase(px), Vectors<Sums>(across), samples.spread);
      if constexpr (sizeof(typename Sums::Sample) == 2) {
        target.Store(sum, target.At(i, j));
      } else {
        float coverage = 1;
        if (covered != nullptr) {
          const auto wide = [](int32_t anchor, int32_t place) {
            return static_cast<int64_t>(anchor) * 4294967296 + static_cast<int64_t>(place) * 65536;
          };
          const int32_t width = block.is_turned ? covered->height : covered->width;
          const int32_t height = block.is_turned ? covered->width : covered->height;
          coverage =
              Coverage(wide(block.x.anchor, x[i]), width) * Coverage(wide(block.y.anchor, y[i]), height);
        }
        target.Store(sum, target.At(i, j), coverage);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
