// Look-up tables on interleaved pixels: what Lookup.cc does, without planes between.
//
// Vertices are loaded and weighed as in Lookup.cc, a pixel in each block of 16 bytes; weighed blocks of
// pixels that follow each other are what is stored.
//
// Where pixels are located, lanes are in the order that transposing within blocks makes of pixels as they lie
// in memory: block b of vector v is lane 4·b + v. Transposing the weights back brings each pixel's four into
// its block, from where they are spread without leaving it.
#include <string.h>

#include "PixelKernels.h"
#include "PrefetchAhead.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "LookupPixels.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "LookupPlaces-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Of `Sample`s, four vectors of blocks that are `kLanes` pixels.
template <typename Sample>
struct Pixels;

template <>
struct Pixels<float> {
  static HWY_INLINE Rgb Load(const float *src) {
    VF v[4];
    for (size_t k = 0; k < 4; k++) v[k] = LoadVector(src, k);
    Transpose(v);
    return {v[0], v[1], v[2]};
  }
  static HWY_INLINE VF LoadVector(const float *src, size_t vector) {
    return hn::LoadU(DF(), src + vector * kLanes);
  }
  static HWY_INLINE void StorePair(VF low, VF high, size_t pair, const float *src, float *dst) {
    const DF d;
    const DI di;
    const auto is_alpha = hn::RebindMask(d, hn::Eq(hn::And(hn::Iota(di, 0), hn::Set(di, 3)), hn::Set(di, 3)));
    const size_t i = 2 * pair * kLanes;
    hn::StoreU(hn::IfThenElse(is_alpha, hn::LoadU(d, src + i), low), d, dst + i);
    hn::StoreU(hn::IfThenElse(is_alpha, hn::LoadU(d, src + i + kLanes), high), d, dst + i + kLanes);
  }
};

template <>
struct Pixels<uint16_t> {
  using DW = hn::Repartition<uint16_t, DF>;
  static HWY_INLINE VF Scaled(hn::Vec<DI> v) {
    const DF d;
    return hn::Mul(hn::ConvertTo(d, v), hn::Set(d, 1.0f / 65535.0f));
  }
  static HWY_INLINE Rgb Load(const uint16_t *src) {
    VF v[4];
    for (size_t k = 0; k < 4; k++) v[k] = LoadVector(src, k);
    Transpose(v);
    return {v[0], v[1], v[2]};
  }
  static HWY_INLINE VF LoadVector(const uint16_t *src, size_t vector) {
    const hn::Rebind<uint16_t, DF> dh;
    return Scaled(hn::PromoteTo(DI(), hn::LoadU(dh, src + vector * kLanes)));
  }
  // Full-scale integers, rounded and clipped; NaN becomes 0, in Max (x86) or in the conversion (Arm).
  static HWY_INLINE hn::Vec<DI> Quantize(VF v) {
    const DF d;
    const VF full = hn::Set(d, 65535.0f);
    return hn::NearestInt(hn::Min(hn::Max(hn::Mul(v, full), hn::Zero(d)), full));
  }
  static HWY_INLINE hn::Vec<DW> Narrow(hn::Vec<DI> low, hn::Vec<DI> high) {
#if HWY_TARGET <= HWY_AVX3
    const __m512i blocks = _mm512_packus_epi32(low.raw, high.raw);
    return hn::Vec<DW>{_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), blocks)};
#elif HWY_TARGET == HWY_AVX2
    return hn::Vec<DW>{_mm256_permute4x64_epi64(_mm256_packus_epi32(low.raw, high.raw), 0xd8)};
#else
    const hn::Half<DW> half;
    return hn::Combine(DW(), hn::DemoteTo(half, high), hn::DemoteTo(half, low));
#endif
  }
  static HWY_INLINE void StorePair(VF low, VF high, size_t pair, const uint16_t *src, uint16_t *dst) {
    const DW dw;
    const hn::Repartition<uint64_t, DF> d64;
    const auto is_alpha = hn::BitCast(dw, hn::Set(d64, 0xffff000000000000u));
    const size_t i = 2 * pair * kLanes;
    const auto colour = hn::AndNot(is_alpha, Narrow(Quantize(low), Quantize(high)));
    hn::StoreU(hn::Or(colour, hn::And(hn::LoadU(dw, src + i), is_alpha)), dw, dst + i);
  }
};

// A node in each block, of every fourth of the lanes that `places` begins with.
template <class D>
HWY_INLINE hn::Vec<D> LoadVertices(D d, const float *nodes, const int32_t *places) {
  const hn::FixedTag<float, 4> dn;
  const auto node = [&](size_t block) HWY_ATTR { return hn::LoadU(dn, nodes + places[4 * block]); };
  if constexpr (hn::MaxLanes(D()) == 16) {
    const hn::Half<D> half;
    return hn::Combine(d, hn::Combine(half, node(3), node(2)), hn::Combine(half, node(1), node(0)));
  } else if constexpr (hn::MaxLanes(D()) == 8) {
    return hn::Combine(d, node(1), node(0));
  } else {
    return node(0);
  }
}

// The pixels of vector `vector` of four that are located.
HWY_INLINE VF WeighVertices(const sl_lookup &lut, const LookupPlaces &places, size_t i, size_t vector) {
  const DF d;
  const ptrdiff_t size = lut.size;
  const float *nodes = lut.nodes, *farthest = nodes + 4 * (1 + size + size * size);
  const size_t at = i + vector;
  const VF w = hn::Load(d, places.weights[0] + 4 * i + vector * kLanes);
  const VF near = hn::MulAdd(hn::Broadcast<1>(w), LoadVertices(d, nodes, places.a + at),
                             hn::Mul(hn::Broadcast<0>(w), LoadVertices(d, nodes, places.nearest + at)));
  return hn::MulAdd(hn::Broadcast<3>(w), LoadVertices(d, farthest, places.nearest + at),
                    hn::MulAdd(hn::Broadcast<2>(w), LoadVertices(d, nodes, places.b + at), near));
}

// A vector of pixels.
template <typename Sample>
HWY_INLINE void PrefetchPixels(const Sample *pixels) {
  for (size_t at = 0; at < 4 * kLanes; at += 64 / sizeof(Sample)) PrefetchAhead(pixels + at);
}

// At most a block, a multiple of the vector's length.
template <typename Sample, bool kFades>
HWY_INLINE void LookUpPixels(const sl_lookup &t, const Sample *src, Sample *dst, size_t count,
                             LookupPlaces *places) {
  using P = Pixels<Sample>;
  const VF strength = hn::Set(DF(), t.strength);
  for (size_t i = 0; i < count; i += kLanes) {
    PrefetchPixels(src + 4 * i);
    Located at = Locate(t, Shaped(t, P::Load(src + 4 * i)));
    StoreVertices(at, places, i);
    Transpose(at.weights);
    for (size_t k = 0; k < 4; k++) hn::Store(at.weights[k], DF(), places->weights[0] + 4 * i + k * kLanes);
  }
  for (size_t i = 0; i < count; i += kLanes) {
    PrefetchPixels(dst + 4 * i);
    const auto faded = [&](VF v, size_t vector) HWY_ATTR {
      // Integers are numbers.
      if (!kFades && !hwy::IsFloat<Sample>()) return v;
      const VF from = P::LoadVector(src + 4 * i, vector);
      if (!kFades) return hn::IfThenElse(hn::Eq(from, from), v, from);
      return hn::MulAdd(strength, hn::Sub(v, from), from);
    };
    const VF v0 = faded(WeighVertices(t, *places, i, 0), 0);
    const VF v1 = faded(WeighVertices(t, *places, i, 1), 1);
    const VF v2 = faded(WeighVertices(t, *places, i, 2), 2);
    const VF v3 = faded(WeighVertices(t, *places, i, 3), 3);
    P::StorePair(v0, v1, 0, src + 4 * i, dst + 4 * i);
    P::StorePair(v2, v3, 1, src + 4 * i, dst + 4 * i);
  }
}

template <typename Sample, bool kFades>
void LookUpRow(const sl_lookup &t, const Sample *src, Sample *dst, size_t n) {
  LookupPlaces places;
  const size_t whole = n - n % kLanes;
  for (size_t i = 0; i < whole; i += kBlock) {
    LookUpPixels<Sample, kFades>(t, src + 4 * i, dst + 4 * i, HWY_MIN(kBlock, whole - i), &places);
  }
  if (whole < n) {
    Sample last[4 * kLanes] = {};
    const size_t bytes = 4 * (n - whole) * sizeof(Sample);
    memcpy(last, src + 4 * whole, bytes);
    LookUpPixels<Sample, kFades>(t, last, last, kLanes, &places);
    memcpy(dst + 4 * whole, last, bytes);
  }
}

template <typename Sample>
void LookUp(const sl_lookup &t, const void *src, void *dst, size_t n) {
  const auto *from = static_cast<const Sample *>(src);
  auto *to = static_cast<Sample *>(dst);
  if (t.strength == 1) return LookUpRow<Sample, false>(t, from, to, n);
  LookUpRow<Sample, true>(t, from, to, n);
}

void LookUpPixelsOf(const sl_lookup *t, const void *src, void *dst, sl_sample type, size_t n) {
  if (type == SL_U16) return LookUp<uint16_t>(*t, src, dst, n);
  LookUp<float>(*t, src, dst, n);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
namespace {
HWY_EXPORT(LookUpPixelsOf);
}
}  // namespace safelight
extern "C" void sl_look_up_pixels(const sl_lookup *table, const void *src, void *dst, sl_sample type,
                                  size_t n) {
  SL_KERNEL(safelight::LookUpPixelsOf)(table, src, dst, type, n);
}
#endif
