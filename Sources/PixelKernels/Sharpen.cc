// Unsharp masking on luma, row by row: luma, a separable blur, the limited difference, and its addition.
//
// Every kernel works on whole vectors; what lies behind the last pixel is memory of the row that nobody uses.
#include <string.h>

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Sharpen.cc"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, SL_SHARPEN_LANES>;
using V = hn::Vec<D>;

HWY_INLINE V Clipped(V v) { return hn::Min(hn::Max(v, hn::Zero(D())), hn::Set(D(), 1.0f)); }

void Luma(const float *weights, const float *r, const float *g, const float *b, float *y, size_t n) {
  const D d;
  const V red = hn::Set(d, weights[0]), green = hn::Set(d, weights[1]), blue = hn::Set(d, weights[2]);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V sum = hn::MulAdd(red, hn::LoadU(d, r + i),
                             hn::MulAdd(green, hn::LoadU(d, g + i), hn::Mul(blue, hn::LoadU(d, b + i))));
    hn::StoreU(Clipped(hn::IfThenElseZero(hn::Eq(sum, sum), sum)), d, y + i);
  }
}

void LumaRGBA16(const float *weights, const uint16_t *rgba, float *y, size_t n) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto part = [&](int channel) HWY_ATTR { return hn::Set(d, weights[channel] / 65535.0f); };
  const V red = part(0), green = part(1), blue = part(2);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    // Two samples per lane.
    hn::Vec<decltype(du)> red_green, blue_alpha;
    hn::LoadInterleaved2(du, reinterpret_cast<const uint32_t *>(rgba + 4 * i), red_green, blue_alpha);
    const auto value = [&](hn::Vec<decltype(du)> v) HWY_ATTR { return hn::ConvertTo(d, hn::BitCast(di, v)); };
    const auto low = [&](hn::Vec<decltype(du)> v) HWY_ATTR { return value(hn::And(v, hn::Set(du, 0xffff))); };
    const V sum =
        hn::MulAdd(red, low(red_green),
                   hn::MulAdd(green, value(hn::ShiftRight<16>(red_green)), hn::Mul(blue, low(blue_alpha))));
    hn::StoreU(Clipped(sum), d, y + i);
  }
}

void BlurRow(const sl_window *window, const float *src, float *dst, size_t n) {
  const D d;
  const float *weights = window->weights;
  const size_t radius = static_cast<size_t>(window->radius);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    V sum = hn::Mul(hn::Set(d, weights[0]), hn::LoadU(d, src + i));
    for (size_t k = 1; k <= radius; k++) {
      const V both = hn::Add(hn::LoadU(d, src + i - k), hn::LoadU(d, src + i + k));
      sum = hn::MulAdd(hn::Set(d, weights[k]), both, sum);
    }
    hn::StoreU(sum, d, dst + i);
  }
}

void BlurColumn(const sl_window *window, const float *const *rows, float *dst, size_t n) {
  const D d;
  const float *weights = window->weights;
  const size_t radius = static_cast<size_t>(window->radius);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    V sum = hn::Mul(hn::Set(d, weights[0]), hn::LoadU(d, rows[radius] + i));
    for (size_t k = 1; k <= radius; k++) {
      const V both = hn::Add(hn::LoadU(d, rows[radius - k] + i), hn::LoadU(d, rows[radius + k] + i));
      sum = hn::MulAdd(hn::Set(d, weights[k]), both, sum);
    }
    hn::StoreU(sum, d, dst + i);
  }
}

template <bool kHasMask, bool kHasAlpha>
void UnsharpRowAs(const sl_unsharp &unsharp, const float *y, const float *blurred, const float *squares,
                  const float *alpha, float *added, size_t n) {
  const D d;
  const V gain = hn::Set(d, unsharp.gain), dark_gain = hn::Set(d, unsharp.dark_gain);
  const V inverse_limit = hn::Set(d, unsharp.inverse_limit), one = hn::Set(d, 1.0f);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    V mean = hn::LoadU(d, blurred + i), inverse = one;
    // Without alpha around it, a pixel has no mean.
    auto is_known = hn::Eq(one, one);
    if constexpr (kHasAlpha) {
      const V weight = hn::LoadU(d, alpha + i);
      is_known = hn::Gt(weight, hn::Set(d, 1e-6f));
      inverse = hn::Div(one, hn::IfThenElse(is_known, weight, one));
      mean = hn::Mul(mean, inverse);
    }
    const V difference = hn::Sub(hn::LoadU(d, y + i), mean);
    const V t = hn::Mul(hn::Abs(difference), inverse_limit);
    const V limited = hn::Div(difference, hn::MulAdd(hn::Mul(t, t), t, one));
    V value = hn::Mul(limited, hn::IfThenElse(hn::Lt(difference, hn::Zero(d)), dark_gain, gain));
    if constexpr (kHasMask) {
      V square = hn::LoadU(d, squares + i);
      if constexpr (kHasAlpha) square = hn::Mul(square, inverse);
      const V edge = hn::Sqrt(hn::Max(hn::NegMulAdd(mean, mean, square), hn::Zero(d)));
      const V w =
          Clipped(hn::Mul(hn::Sub(edge, hn::Set(d, unsharp.mask_begin)), hn::Set(d, unsharp.mask_scale)));
      value = hn::Mul(value, hn::Mul(hn::Mul(w, w), hn::NegMulAdd(hn::Set(d, 2.0f), w, hn::Set(d, 3.0f))));
    }
    if constexpr (kHasAlpha) value = hn::IfThenElseZero(is_known, value);
    hn::StoreU(hn::Add(hn::LoadU(d, added + i), value), d, added + i);
  }
}

void UnsharpRow(const sl_unsharp *unsharp, const float *y, const float *blurred, const float *squares,
                const float *alpha, float *added, size_t n) {
  if (squares == nullptr && alpha == nullptr) {
    UnsharpRowAs<false, false>(*unsharp, y, blurred, squares, alpha, added, n);
  } else if (alpha == nullptr) {
    UnsharpRowAs<true, false>(*unsharp, y, blurred, squares, alpha, added, n);
  } else if (squares == nullptr) {
    UnsharpRowAs<false, true>(*unsharp, y, blurred, squares, alpha, added, n);
  } else {
    UnsharpRowAs<true, true>(*unsharp, y, blurred, squares, alpha, added, n);
  }
}

void AddToRGB(const float *added, float *r, float *g, float *b, size_t n) {
  const D d;
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V value = hn::LoadU(d, added + i);
    hn::StoreU(hn::Add(hn::LoadU(d, r + i), value), d, r + i);
    hn::StoreU(hn::Add(hn::LoadU(d, g + i), value), d, g + i);
    hn::StoreU(hn::Add(hn::LoadU(d, b + i), value), d, b + i);
  }
}
// Two vectors of pixels in their order.
template <class V16>
struct Pixels {
  V16 first, second;
};

// A 16-bit number for each pixel's red, green and blue, and 0 for its alpha.
template <class D16>
HWY_INLINE Pixels<hn::Vec<D16>> ForColors(D16 d16, hn::Vec<hn::RebindToSigned<D>> numbers) {
  const hn::RebindToUnsigned<D> du;
  const auto one = hn::And(hn::BitCast(du, numbers), hn::Set(du, 0xffff));
  const auto two = hn::Or(one, hn::ShiftLeft<16>(one));
  // In each block of 16 bytes, two of four pixels.
  const auto low = hn::BitCast(d16, hn::InterleaveLower(du, two, one));
  const auto high = hn::BitCast(d16, hn::InterleaveUpper(du, two, one));
  if constexpr (hn::MaxLanes(D()) == 4) {
    return {low, high};
  } else {
    const auto even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high), low);
    const auto odd = hn::OddEvenBlocks(high, hn::SwapAdjacentBlocks(low));
    if constexpr (hn::MaxLanes(D()) == 8) {
      return {even, odd};
    } else {
      return {hn::ConcatLowerLower(d16, odd, even), hn::ConcatUpperUpper(d16, odd, even)};
    }
  }
}

void AddToRGBA16(const float *added, const uint16_t *rgba, uint8_t *dst, size_t n) {
  const D d;
  const hn::Repartition<int16_t, D> d16;
  const hn::RebindToUnsigned<decltype(d16)> du16;
  const hn::Rebind<uint8_t, decltype(d16)> d8;
  const size_t lanes = hn::Lanes(d), half = hn::Lanes(d16);
  for (size_t i = 0; i < n; i += lanes) {
    const V value = hn::Min(hn::Max(hn::LoadU(d, added + i), hn::Set(d, -1.0f)), hn::Set(d, 1.0f));
    const auto numbers = hn::NearestInt(hn::Mul(value, hn::Set(d, 32767.0f)));
    const auto both = ForColors(d16, numbers);
    // In 15 bits, which leave room for the sign; 255 / 2^15 is the step to levels, rounded.
    const auto levels = [&](hn::Vec<decltype(d16)> number, const uint16_t *from) HWY_ATTR {
      const auto sample = hn::BitCast(d16, hn::ShiftRight<1>(hn::LoadU(du16, from)));
      const auto sum = hn::Max(hn::SaturatedAdd(sample, number), hn::Zero(d16));
      return hn::DemoteTo(d8, hn::MulFixedPoint15(sum, hn::Set(d16, 255)));
    };
    const auto first = levels(both.first, rgba + 4 * i), second = levels(both.second, rgba + 4 * i + half);
    if (HWY_LIKELY(i + lanes <= n)) {
      hn::StoreU(first, d8, dst + 4 * i);
      hn::StoreU(second, d8, dst + 4 * i + half);
    } else {
      uint8_t some[4 * SL_SHARPEN_LANES];
      hn::StoreU(first, d8, some);
      hn::StoreU(second, d8, some + half);
      memcpy(dst + 4 * i, some, 4 * (n - i));
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(Luma);
HWY_EXPORT(LumaRGBA16);
HWY_EXPORT(BlurRow);
HWY_EXPORT(BlurColumn);
HWY_EXPORT(UnsharpRow);
HWY_EXPORT(AddToRGB);
HWY_EXPORT(AddToRGBA16);
}  // namespace safelight

extern "C" void sl_luma(const float weights[3], const float *r, const float *g, const float *b, float *y,
                        size_t n) {
  SL_KERNEL(safelight::Luma)(weights, r, g, b, y, n);
}

extern "C" void sl_luma_rgba16(const float weights[3], const uint16_t *rgba, float *y, size_t n) {
  SL_KERNEL(safelight::LumaRGBA16)(weights, rgba, y, n);
}

extern "C" void sl_blur_row(const sl_window *window, const float *src, float *dst, size_t n) {
  SL_KERNEL(safelight::BlurRow)(window, src, dst, n);
}

extern "C" void sl_blur_column(const sl_window *window, const float *const *rows, float *dst, size_t n) {
  SL_KERNEL(safelight::BlurColumn)(window, rows, dst, n);
}

extern "C" void sl_unsharp_row(const sl_unsharp *unsharp, const float *y, const float *blurred,
                               const float *squares, const float *alpha, float *added, size_t n) {
  SL_KERNEL(safelight::UnsharpRow)(unsharp, y, blurred, squares, alpha, added, n);
}

extern "C" void sl_add_to_rgb(const float *added, float *r, float *g, float *b, size_t n) {
  SL_KERNEL(safelight::AddToRGB)(added, r, g, b, n);
}

extern "C" void sl_add_to_rgba16(const float *added, const uint16_t *rgba, uint8_t *dst, size_t n) {
  SL_KERNEL(safelight::AddToRGBA16)(added, rgba, dst, n);
}
#endif
