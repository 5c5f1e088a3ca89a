// Moving pixels between sample types and layouts.
#include <string.h>

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Convert.cc"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "PlainCode-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;
using DI = hn::RebindToSigned<DF>;

struct Rgba {
  VF r, g, b, a;
};

// MARK: One vector of pixels in, one out; floats are 0…1 of full scale.
SL_SHARED Rgba LoadPixels(const uint8_t *src) {
  const DF d;
  const DI di;
  const hn::RebindToUnsigned<DF> du;
  const auto p = hn::BitCast(di, hn::LoadU(du, reinterpret_cast<const uint32_t *>(src)));
  const auto byte = hn::Set(di, 0xff);
  const VF scale = hn::Set(d, 1.0f / 255.0f);
  const auto channel = [&](hn::Vec<DI> v)
                           HWY_ATTR { return hn::Mul(hn::ConvertTo(d, hn::And(v, byte)), scale); };
  return {channel(p), channel(hn::ShiftRight<8>(p)), channel(hn::ShiftRight<16>(p)),
          channel(hn::ShiftRight<24>(p))};
}

SL_SHARED Rgba LoadPixels(const uint16_t *src) {
  const DF d;
  const DI di;
  const hn::RebindToUnsigned<DF> du;
  // Two samples per lane: fewer shuffles than four planes of words.
  hn::Vec<decltype(du)> red_green, blue_alpha;
  hn::LoadInterleaved2(du, reinterpret_cast<const uint32_t *>(src), red_green, blue_alpha);
  const VF scale = hn::Set(d, 1.0f / 65535.0f);
  const auto channel = [&](hn::Vec<decltype(du)> v)
                           HWY_ATTR { return hn::Mul(hn::ConvertTo(d, hn::BitCast(di, v)), scale); };
  const auto low = [&](hn::Vec<decltype(du)> v) HWY_ATTR { return channel(hn::And(v, hn::Set(du, 0xffff))); };
  const auto high = [&](hn::Vec<decltype(du)> v) HWY_ATTR { return channel(hn::ShiftRight<16>(v)); };
  return {low(red_green), high(red_green), low(blue_alpha), high(blue_alpha)};
}

HWY_INLINE Rgba LoadPixels(const float *src) {
  const DF d;
  Rgba p;
  hn::LoadInterleaved4(d, src, p.r, p.g, p.b, p.a);
  return p;
}

// Full-scale integers, rounded and clipped; NaN becomes 0 (Max returns its second operand for NaN).
HWY_INLINE hn::Vec<DI> Quantize(VF v, VF dither, float full) {
  const DF d;
  const VF scaled = hn::MulAdd(v, hn::Set(d, full), dither);
  const VF number = hn::IfThenElseZero(hn::Eq(scaled, scaled), scaled);
  return hn::NearestInt(hn::Min(hn::Max(number, hn::Zero(d)), hn::Set(d, full)));
}

SL_SHARED void StorePixels(const Rgba &p, VF dither, uint8_t *dst) {
  const DF d;
  const hn::RebindToUnsigned<DF> du;
  const auto r = Quantize(p.r, dither, 255.0f), g = Quantize(p.g, dither, 255.0f),
             b = Quantize(p.b, dither, 255.0f), a = Quantize(p.a, hn::Zero(d), 255.0f);
  const auto rgba =
      hn::Or(hn::Or(r, hn::ShiftLeft<8>(g)), hn::Or(hn::ShiftLeft<16>(b), hn::ShiftLeft<24>(a)));
  hn::StoreU(hn::BitCast(du, rgba), du, reinterpret_cast<uint32_t *>(dst));
}

SL_SHARED void StorePixels(const Rgba &p, VF dither, uint16_t *dst) {
  const hn::RebindToUnsigned<DF> du;
  const auto channel = [&](VF v, VF noise) HWY_ATTR { return hn::BitCast(du, Quantize(v, noise, 65535.0f)); };
  const auto pair = [&](hn::Vec<decltype(du)> low, hn::Vec<decltype(du)> high)
                        HWY_ATTR { return hn::Or(low, hn::ShiftLeft<16>(high)); };
  hn::StoreInterleaved2(pair(channel(p.r, dither), channel(p.g, dither)),
                        pair(channel(p.b, dither), channel(p.a, hn::Zero(DF()))), du,
                        reinterpret_cast<uint32_t *>(dst));
}

HWY_INLINE void StorePixels(const Rgba &p, VF, float *dst) {
  const DF d;
  hn::StoreInterleaved4(p.r, p.g, p.b, p.a, d, dst);
}

// MARK: Rows

// Calls function(offset, count) for whole vectors, then once for the rest.
template <class Function>
HWY_INLINE void ForVectors(size_t n, Function function) {
  const size_t lanes = hn::Lanes(DF());
  for (size_t i = 0; i < n; i += lanes) function(i, HWY_MIN(lanes, n - i));
}

template <typename Sample>
HWY_INLINE Rgba LoadSome(const Sample *src, size_t i, size_t count) {
  if (HWY_LIKELY(count == hn::Lanes(DF()))) return LoadPixels(src + 4 * i);
  Sample some[64] = {};
  memcpy(some, src + 4 * i, 4 * count * sizeof(Sample));
  return LoadPixels(some);
}

template <typename Sample>
HWY_INLINE void StoreSome(const Rgba &p, VF dither, Sample *dst, size_t i, size_t count) {
  if (HWY_LIKELY(count == hn::Lanes(DF()))) return StorePixels(p, dither, dst + 4 * i);
  Sample some[64];
  StorePixels(p, dither, some);
  memcpy(dst + 4 * i, some, 4 * count * sizeof(Sample));
}

HWY_INLINE VF LoadPlane(const float *src, size_t i, size_t count) {
  const DF d;
  if (HWY_LIKELY(count == hn::Lanes(d))) return hn::LoadU(d, src + i);
  float some[16] = {};
  memcpy(some, src + i, count * sizeof(float));
  return hn::LoadU(d, some);
}

HWY_INLINE void StorePlane(VF v, float *dst, size_t i, size_t count) {
  const DF d;
  if (HWY_LIKELY(count == hn::Lanes(d))) return hn::StoreU(v, d, dst + i);
  float some[16];
  hn::StoreU(v, d, some);
  memcpy(dst + i, some, count * sizeof(float));
}

template <typename Sample>
void UnpackRow(const void *src, float *r, float *g, float *b, float *a, size_t n) {
  ForVectors(n, [&](size_t i, size_t count) HWY_ATTR {
    const Rgba p = LoadSome(static_cast<const Sample *>(src), i, count);
    StorePlane(p.r, r, i, count);
    StorePlane(p.g, g, i, count);
    StorePlane(p.b, b, i, count);
    if (a != nullptr) StorePlane(p.a, a, i, count);
  });
}

template <typename AlphaSample, typename Sample>
void PackRow(const float *r, const float *g, const float *b, const void *alpha, const float *dither,
             void *dst, size_t n) {
  ForVectors(n, [&](size_t i, size_t count) HWY_ATTR {
    const Rgba p = {LoadPlane(r, i, count), LoadPlane(g, i, count), LoadPlane(b, i, count),
                    LoadSome(static_cast<const AlphaSample *>(alpha), i, count).a};
    const VF noise = dither == nullptr ? hn::Zero(DF()) : LoadPlane(dither, i, count);
    StoreSome(p, noise, static_cast<Sample *>(dst), i, count);
  });
}

template <typename From, typename To>
void ConvertRow(const void *src, void *dst, size_t n) {
  ForVectors(n, [&](size_t i, size_t count) HWY_ATTR {
    StoreSome(LoadSome(static_cast<const From *>(src), i, count), hn::Zero(DF()), static_cast<To *>(dst), i,
              count);
  });
}

template <typename AlphaSample>
void InterleaveRow(const float *r, const float *g, const float *b, const void *alpha, bool premultiply,
                   float *dst, size_t n) {
  ForVectors(n, [&](size_t i, size_t count) HWY_ATTR {
    Rgba p = {LoadPlane(r, i, count), LoadPlane(g, i, count), LoadPlane(b, i, count),
              LoadSome(static_cast<const AlphaSample *>(alpha), i, count).a};
    if (premultiply) p = {hn::Mul(p.r, p.a), hn::Mul(p.g, p.a), hn::Mul(p.b, p.a), p.a};
    StoreSome(p, hn::Zero(DF()), dst, i, count);
  });
}

void Unpack(const void *src, sl_sample type, float *r, float *g, float *b, size_t n) {
  switch (type) {
    case SL_U8:
      return UnpackRow<uint8_t>(src, r, g, b, nullptr, n);
    case SL_U16:
      return UnpackRow<uint16_t>(src, r, g, b, nullptr, n);
    case SL_F32:
      return UnpackRow<float>(src, r, g, b, nullptr, n);
  }
}

template <typename AlphaSample>
void PackAs(const float *r, const float *g, const float *b, const void *alpha, const float *dither, void *dst,
            sl_sample type, size_t n) {
  switch (type) {
    case SL_U8:
      return PackRow<AlphaSample, uint8_t>(r, g, b, alpha, dither, dst, n);
    case SL_U16:
      return PackRow<AlphaSample, uint16_t>(r, g, b, alpha, dither, dst, n);
    case SL_F32:
      return PackRow<AlphaSample, float>(r, g, b, alpha, dither, dst, n);
  }
}

void Pack(const float *r, const float *g, const float *b, const void *alpha, sl_sample alpha_type,
          const float *dither, void *dst, sl_sample type, size_t n) {
  switch (alpha_type) {
    case SL_U8:
      return PackAs<uint8_t>(r, g, b, alpha, dither, dst, type, n);
    case SL_U16:
      return PackAs<uint16_t>(r, g, b, alpha, dither, dst, type, n);
    case SL_F32:
      return PackAs<float>(r, g, b, alpha, dither, dst, type, n);
  }
}

template <typename From>
void ConvertFrom(const void *src, void *dst, sl_sample type, size_t n) {
  switch (type) {
    case SL_U8:
      return ConvertRow<From, uint8_t>(src, dst, n);
    case SL_U16:
      return ConvertRow<From, uint16_t>(src, dst, n);
    case SL_F32:
      return ConvertRow<From, float>(src, dst, n);
  }
}

void Convert(const void *src, sl_sample src_type, void *dst, sl_sample dst_type, size_t n) {
  switch (src_type) {
    case SL_U8:
      return ConvertFrom<uint8_t>(src, dst, dst_type, n);
    case SL_U16:
      return ConvertFrom<uint16_t>(src, dst, dst_type, n);
    case SL_F32:
      return ConvertFrom<float>(src, dst, dst_type, n);
  }
}

void Interleave(const float *r, const float *g, const float *b, const void *alpha, sl_sample alpha_type,
                int premultiply, float *dst, size_t n) {
  switch (alpha_type) {
    case SL_U8:
      return InterleaveRow<uint8_t>(r, g, b, alpha, premultiply != 0, dst, n);
    case SL_U16:
      return InterleaveRow<uint16_t>(r, g, b, alpha, premultiply != 0, dst, n);
    case SL_F32:
      return InterleaveRow<float>(r, g, b, alpha, premultiply != 0, dst, n);
  }
}

void Deinterleave(const float *src, int premultiply, float *r, float *g, float *b, float *alpha, size_t n) {
  UnpackRow<float>(src, r, g, b, alpha, n);
  if (!premultiply) return;
  for (size_t i = 0; i < n; i++) {
    // Filters overshoot; coverage cannot.
    alpha[i] = HWY_MIN(HWY_MAX(alpha[i], 0.0f), 1.0f);
    const float inverse = alpha[i] > 1e-6f ? 1.0f / alpha[i] : 0.0f;
    r[i] *= inverse;
    g[i] *= inverse;
    b[i] *= inverse;
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(Unpack);
HWY_EXPORT(Pack);
HWY_EXPORT(Convert);
HWY_EXPORT(Interleave);
HWY_EXPORT(Deinterleave);
}  // namespace safelight

extern "C" void sl_unpack(const void *src, sl_sample type, float *r, float *g, float *b, size_t n) {
  SL_KERNEL(safelight::Unpack)(src, type, r, g, b, n);
}

extern "C" void sl_pack(const float *r, const float *g, const float *b, const void *alpha,
                        sl_sample alpha_type, const float *dither, void *dst, sl_sample type, size_t n) {
  SL_KERNEL(safelight::Pack)(r, g, b, alpha, alpha_type, dither, dst, type, n);
}

extern "C" void sl_convert(const void *src, sl_sample src_type, void *dst, sl_sample dst_type, size_t n) {
  if (src_type == dst_type) {
    memcpy(dst, src, n * (src_type == SL_U8 ? 4 : src_type == SL_U16 ? 8 : 16));
    return;
  }
  SL_KERNEL(safelight::Convert)(src, src_type, dst, dst_type, n);
}

extern "C" void sl_interleave(const float *r, const float *g, const float *b, const void *alpha,
                              sl_sample alpha_type, int premultiply, float *dst, size_t n) {
  SL_KERNEL(safelight::Interleave)(r, g, b, alpha, alpha_type, premultiply, dst, n);
}

extern "C" void sl_deinterleave(const float *src, int premultiply, float *r, float *g, float *b, float *alpha,
                                size_t n) {
  SL_KERNEL(safelight::Deinterleave)(src, premultiply, r, g, b, alpha, n);
}
#endif
