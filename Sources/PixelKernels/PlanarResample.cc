// Sampling planes of 8-bit samples along a line with the 6×6 Kaiser-windowed sinc kernel: camera formats.
//
// Lanes are output pixels. For every row that a vector of pixels reaches, one load holds the samples of all of
// them; byte permutes bring each lane its six taps in pairs, multiply-adds weigh them, and a second round of
// multiply-adds weighs the rows, with zero for the rows that a lane does not use. Taps are paired from the ends
// to the middle (0 with 5, 1 with 4, 2 with 3), because the weights of such a pair are the same function of the
// position, read from both ends.
//
// Weights are Q14 and add up to exactly 1, so flat areas stay as they are. Sums of a row are kept at 64 a level;
// what is rounded away stays below 0.1 of a level.
#include "PlanarWeights.h"

// Byte permutes of whole vectors and dot products that accumulate.
#define HWY_WANT_AVX3_DL
#include "InstructionSet.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "PlanarResample.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3_DL
// Highway asks the processor for AVX-512 VNNI before it chooses this target, but does not tell the compiler.
#undef HWY_TARGET_STR
#define HWY_TARGET_STR                                                                          \
  HWY_TARGET_STR_AVX3                                                                           \
  ",vpclmulqdq,avx512vbmi,avx512vbmi2,vaes,avxvnni,avx512vnni,avx512bitalg,avx512vpopcntdq"
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#undef SL_WHOLE_VECTOR_PERMUTES
#if HWY_TARGET == HWY_AVX3_DL
#define SL_WHOLE_VECTOR_PERMUTES 1
constexpr size_t kMaxLanes = 16;
#else
#define SL_WHOLE_VECTOR_PERMUTES 0
// Wider vectors would only take more loads to fill: tables of bytes are looked up within 16.
constexpr size_t kMaxLanes = 8;
#endif

using D32 = hn::CappedTag<int32_t, kMaxLanes>;
using V32 = hn::Vec<D32>;
using D16 = hn::Repartition<int16_t, D32>;
using V16 = hn::Vec<D16>;
using D8 = hn::Repartition<uint8_t, D32>;
using V8 = hn::Vec<D8>;

constexpr int kTaps = 6;
constexpr int kBefore = 2;  // taps ahead of the sample's own place
constexpr int kPairs = 3;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(D32()));
constexpr int kMaxRows = 32;  // that a vector of pixels can reach, see SL_PLANAR_MAX_STEP

// acc + a·b, of the two 16-bit halves of each lane.
HWY_INLINE V32 Dot(V32 acc, V16 a, V16 b) {
#if SL_WHOLE_VECTOR_PERMUTES
  return V32{_mm512_dpwssd_epi32(acc.raw, a.raw, b.raw)};
#else
  const D32 d;
  V32 odd = hn::Zero(d);
  const V32 even = hn::ReorderWidenMulAccumulate(d, a, b, hn::Zero(d), odd);
  return hn::Add(acc, hn::RearrangeToOddPlusEven(even, odd));
#endif
}

// The low halves of `low` beside the high halves of `high`.
HWY_INLINE V16 Halves(V16 low, V16 high) { return hn::OddEven(high, low); }
HWY_INLINE V16 ToHigh(V16 v) { return hn::BitCast(D16(), hn::ShiftLeft<16>(hn::BitCast(D32(), v))); }
HWY_INLINE V16 ToLow(V16 v) {
  const hn::RebindToUnsigned<D32> du;
  return hn::BitCast(D16(), hn::ShiftRight<16>(hn::BitCast(du, v)));
}

// The weights of six taps, in pairs: 0 and 5, 1 and 4, 2 and 3.
struct Weights {
  V16 pair[kPairs];
};

// Weights at positions in Q16; only their fraction counts.
HWY_INLINE Weights WeightsAt(const PlanarWeights &table, V32 position) {
  const D32 d;
  const D16 d16;
  Weights w;
#if SL_WHOLE_VECTOR_PERMUTES
  // The fraction f in Q15 in the low half, 1 - f (less one) in the high half: tap 5 - t weighs at f what tap t
  // weighs at 1 - f. Weights are interpolated between 65 nodes, 64 of which fill two vectors.
  const V32 f = hn::And(hn::ShiftRight<1>(position), hn::Set(d, 0x7fff));
  const V16 both = hn::BitCast(d16, hn::Or(f, hn::ShiftLeft<16>(hn::Xor(f, hn::Set(d, 0x7fff)))));
  const V16 node = hn::ShiftRight<9>(both);
  const V16 part = hn::ShiftLeft<5>(
      hn::Add(hn::And(both, hn::Set(d16, 511)), hn::BitCast(d16, hn::Set(d, 0x10000))));
  for (int k = 0; k < kPairs; k++) {
    const V16 value{_mm512_permutex2var_epi16(hn::Load(d16, table.node[k]).raw, node.raw,
                                              hn::Load(d16, table.node[k] + 32).raw)};
    const V16 step{_mm512_permutex2var_epi16(hn::Load(d16, table.step[k]).raw, node.raw,
                                             hn::Load(d16, table.step[k] + 32).raw)};
    w.pair[k] = hn::Add(value, hn::MulFixedPoint15(step, part));
  }
  // What rounding left over goes to tap 2.
  const V16 sum = hn::Add(hn::Add(w.pair[0], w.pair[1]), w.pair[2]);
  const V32 rest = hn::Sub(hn::Set(d, 1 << 14), Dot(hn::Zero(d), sum, hn::Set(d16, int16_t{1})));
  w.pair[2] = hn::Add(w.pair[2], hn::BitCast(d16, hn::And(rest, hn::Set(d, 0xffff))));
#else
  const V32 phase = hn::And(hn::ShiftRight<6>(position), hn::Set(d, SL_KERNEL_PHASES - 1));
  const V32 index = hn::ShiftLeft<2>(phase);
  for (int k = 0; k < kPairs; k++) {
    w.pair[k] = hn::BitCast(d16, hn::GatherIndex(d, table.phase + k, index));
  }
#endif
  return w;
}

// Half of the last place of what WeightsAt distinguishes, in Q16.
#if SL_WHOLE_VECTOR_PERMUTES
constexpr int64_t kHalfPhase = 0;
#else
constexpr int64_t kHalfPhase = 32;
#endif

// Where the taps of each lane lie in the loaded samples of a row.
struct Taps {
  V8 pair[kPairs];
  // First sample of every block of lanes that is loaded at once, from the start of the row.
  ptrdiff_t block[2];
};

HWY_INLINE Taps TapsOf(V32 column, const int32_t *columns) {
  const D32 d;
  Taps taps;
  V32 offset;
#if SL_WHOLE_VECTOR_PERMUTES
  taps.block[0] = taps.block[1] = HWY_MIN(columns[0], columns[kLanes - 1]);
  offset = hn::Sub(column, hn::Set(d, static_cast<int32_t>(taps.block[0])));
#else
  HWY_ALIGN int32_t first[kLanes];
  for (int b = 0; b < 2; b++) {
    const int lane = b * 4 < kLanes ? b * 4 : 0;
    taps.block[b] = HWY_MIN(columns[lane], columns[lane + 3]);
  }
  for (int i = 0; i < kLanes; i++) first[i] = static_cast<int32_t>(taps.block[i / 4]);
  offset = hn::Sub(column, hn::Load(d, first));
#endif
  const V32 halves = hn::Or(offset, hn::ShiftLeft<16>(offset));
  // Odd bytes ask for zero.
  for (int k = 0; k < kPairs; k++) {
    const int32_t pair = k | (kTaps - 1 - k) << 16;
    taps.pair[k] =
        hn::BitCast(D8(), hn::Add(halves, hn::Set(d, static_cast<int32_t>(pair | 0x80008000))));
  }
  return taps;
}

// The weighted sums of one row, 64 · 256 a level.
HWY_INLINE V32 WeighRow(const uint8_t *row, const Taps &taps, const Weights &w) {
  const D32 d;
  const D16 d16;
  V32 sum = hn::Set(d, 128);  // rounds what the shift by 8 takes away
#if SL_WHOLE_VECTOR_PERMUTES
  const __m512i samples = _mm512_castsi256_si512(
      _mm256_loadu_si256(reinterpret_cast<const __m256i *>(row + taps.block[0])));
  for (int k = 0; k < kPairs; k++) {
    const V16 pair{
        _mm512_maskz_permutexvar_epi8(0x5555555555555555, taps.pair[k].raw, samples)};
    sum = Dot(sum, pair, w.pair[k]);
  }
#else
  V8 samples;
  if constexpr (kLanes == 8) {
    const hn::Half<D8> half;
    samples = hn::Combine(D8(), hn::LoadU(half, row + taps.block[1]), hn::LoadU(half, row + taps.block[0]));
  } else {
    samples = hn::LoadU(D8(), row + taps.block[0]);
  }
  for (int k = 0; k < kPairs; k++) {
    sum = Dot(sum, hn::BitCast(d16, hn::TableLookupBytesOr0(samples, taps.pair[k])), w.pair[k]);
  }
#endif
  return sum;
}

// Two rows' sums at 64 a level, in the low and the high halves.
HWY_INLINE V16 JoinRows(V32 even, V32 odd) {
  const D16 d16;
  return Halves(hn::BitCast(d16, hn::ShiftRight<8>(even)), hn::BitCast(d16, hn::ShiftLeft<8>(odd)));
}

HWY_INLINE void StoreSums(V32 sum, int16_t *dst) {
  const D32 d;
  const hn::Rebind<int16_t, D32> dh;
  hn::StoreU(hn::DemoteTo(dh, hn::ShiftRight<14>(hn::Add(sum, hn::Set(d, 1 << 13)))), dh, dst);
}

// The rows of one vector of pixels: `first` and how many more than six; their weights, two rows a lane.
struct Rows {
  int first, count;
  V16 pair[(kTaps + 2) / 2];        // where all lanes begin at row 0 or 1
  alignas(64) int16_t weights[kMaxRows * 2 * kLanes / 2];  // else: pairs of rows, lanes, halves
};

HWY_INLINE void RowsOf(const PlanarWeights &table, V32 position, V32 row, const int32_t *rows, Rows *out) {
  const D32 d;
  const D16 d16;
  out->first = HWY_MIN(rows[0], rows[kLanes - 1]);
  const int span = HWY_MAX(rows[0], rows[kLanes - 1]) - out->first;
  out->count = kTaps + span;
  const Weights w = WeightsAt(table, position);
  const V16 a = w.pair[0], b = w.pair[1], c = w.pair[2];  // 0 5, 1 4, 2 3
  if (HWY_LIKELY(span <= 1)) {
    const V16 is_late = hn::BitCast(d16, hn::VecFromMask(d, hn::Ne(row, hn::Set(d, out->first))));
    const auto mask = hn::MaskFromVec(is_late);
    out->count = kTaps + 1;
    out->pair[0] = hn::IfThenElse(mask, ToHigh(a), Halves(a, ToHigh(b)));
    out->pair[1] = hn::IfThenElse(mask, Halves(b, ToHigh(c)), c);
    out->pair[2] = hn::IfThenElse(mask, Halves(ToLow(c), b), Halves(ToLow(b), a));
    out->pair[3] = hn::IfThenElse(mask, ToLow(a), hn::Zero(d16));
    return;
  }
  HWY_ALIGN int16_t pairs[kPairs][2 * kLanes];
  for (int k = 0; k < kPairs; k++) hn::Store(w.pair[k], d16, pairs[k]);
  HWY_ALIGN int32_t lane_rows[kLanes];
  hn::Store(row, d, lane_rows);
  for (int i = 0; i < (out->count + 1) / 2 * 2 * kLanes; i++) out->weights[i] = 0;
  for (int lane = 0; lane < kLanes; lane++) {
    for (int tap = 0; tap < kTaps; tap++) {
      const int r = lane_rows[lane] - out->first + tap;
      const int16_t weight =
          tap < kPairs ? pairs[tap][2 * lane] : pairs[kTaps - 1 - tap][2 * lane + 1];
      out->weights[(r / 2 * kLanes + lane) * 2 + (r & 1)] = weight;
    }
  }
}

HWY_INLINE V32 WeighRows(const uint8_t *window, size_t row_bytes, const Taps &taps, const Weights &across,
                         const Rows &rows) {
  const D32 d;
  const uint8_t *row = window + rows.first * static_cast<ptrdiff_t>(row_bytes);
  V32 sum = hn::Zero(d);
  if (HWY_LIKELY(rows.count == kTaps + 1)) {
    for (int r = 0; r < kTaps; r += 2, row += 2 * row_bytes) {
      const V32 even = WeighRow(row, taps, across), odd = WeighRow(row + row_bytes, taps, across);
      sum = Dot(sum, JoinRows(even, odd), rows.pair[r / 2]);
    }
    return Dot(sum, JoinRows(WeighRow(row, taps, across), hn::Zero(d)), rows.pair[3]);
  }
  const D16 d16;
  for (int r = 0; r < rows.count; r += 2, row += 2 * row_bytes) {
    const V32 even = WeighRow(row, taps, across);
    const V32 odd = r + 1 < rows.count ? WeighRow(row + row_bytes, taps, across) : hn::Zero(d);
    sum = Dot(sum, JoinRows(even, odd), hn::Load(d16, rows.weights + r * kLanes));
  }
  return sum;
}

void ResamplePlanes(const uint8_t *const *windows, size_t planes, size_t row_bytes, const sl_line *line,
                    int16_t *const *dst, size_t n) {
  const D32 d;
  const PlanarWeights &table = PlanarWeights::Shared();
  // A lane's distance from the first one, in Q16.
  HWY_ALIGN int32_t x_steps[kLanes], y_steps[kLanes];
  for (int i = 0; i < kLanes; i++) {
    x_steps[i] = static_cast<int32_t>((i * line->dx) >> 16);
    y_steps[i] = static_cast<int32_t>((i * line->dy) >> 16);
  }
  const V32 x_lanes = hn::Load(d, x_steps), y_lanes = hn::Load(d, y_steps);
  int64_t x = line->x, y = line->y;
  Rows rows;
  for (size_t i = 0; i < n; i += kLanes, x += kLanes * line->dx, y += kLanes * line->dy) {
    const int32_t x0 = static_cast<int32_t>((x >> 16) + kHalfPhase);
    const int32_t y0 = static_cast<int32_t>((y >> 16) + kHalfPhase);
    const V32 px = hn::Add(hn::Set(d, x0), x_lanes), py = hn::Add(hn::Set(d, y0), y_lanes);
    HWY_ALIGN int32_t first_columns[kLanes], first_rows[kLanes];
    for (int lane : {0, 3, 4, kLanes - 1}) {
      if (lane >= kLanes) continue;
      first_columns[lane] = ((x0 + x_steps[lane]) >> 16) - kBefore;
      first_rows[lane] = ((y0 + y_steps[lane]) >> 16) - kBefore;
    }
    const V32 before = hn::Set(d, kBefore);
    const Taps taps = TapsOf(hn::Sub(hn::ShiftRight<16>(px), before), first_columns);
    const Weights across = WeightsAt(table, px);
    RowsOf(table, py, hn::Sub(hn::ShiftRight<16>(py), before), first_rows, &rows);
    for (size_t plane = 0; plane < planes; plane++) {
      StoreSums(WeighRows(windows[plane], row_bytes, taps, across, rows), dst[plane] + i);
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ResamplePlanes);
}
extern "C" void sl_resample_planes(const uint8_t *const *windows, size_t planes, size_t row_bytes,
                                   const sl_line *line, int16_t *const *dst, size_t n) {
  safelight::ChooseInstructionSetOnce();
  HWY_DYNAMIC_DISPATCH(safelight::ResamplePlanes)(windows, planes, row_bytes, line, dst, n);
}
#endif
