// Powers, and the curves of colour stages, on vectors of float.
#include "PixelKernels.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_STAGE_CURVES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_STAGE_CURVES_INL_H
#undef SAFELIGHT_STAGE_CURVES_INL_H
#else
#define SAFELIGHT_STAGE_CURVES_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

// log2 of positive normal numbers, with a relative error of 2^-23 or an absolute one of 2^-24.
HWY_INLINE VF Log2(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  // x = m · 2^e, m in √½…√2
  const auto bits = hn::BitCast(di, x);
  const auto e = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f3504f3)));
  const VF m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(e)));
  // ln m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172: the series up to the 9th power leaves 7e-10.
  const VF one = hn::Set(d, 1.0f);
  const VF s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const VF s2 = hn::Mul(s, s);
  // 2 / (k ln 2), in pairs: a chain of five dependent steps is longer than what a processor looks ahead.
  const VF s4 = hn::Mul(s2, s2);
  const VF low = hn::MulAdd(s2, hn::Set(d, 0.96179669f), hn::Set(d, 2.88539008f));
  const VF high = hn::MulAdd(s2, hn::Set(d, 0.41219859f), hn::Set(d, 0.57707802f));
  const VF series = hn::MulAdd(s4, hn::MulAdd(s4, hn::Set(d, 0.32059890f), high), low);
  return hn::MulAdd(s, series, hn::ConvertTo(d, e));
}

// 2^x for x within ±126, with a relative error of 2^-23.
HWY_INLINE VF Exp2(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  // Adding 1.5 · 2^23 rounds to an integer, which is then in the lowest bits.
  const VF round = hn::Set(d, 12582912.0f);
  const VF shifted = hn::Add(x, round);
  const VF f = hn::Sub(x, hn::Sub(shifted, round));
  // (ln 2)^k / k!; |f| <= ½ leaves 1e-8.
  const VF f2 = hn::Mul(f, f), f4 = hn::Mul(f2, f2);
  const VF low = hn::MulAdd(f, hn::Set(d, 6.93147181e-1f), hn::Set(d, 1.0f));
  const VF middle = hn::MulAdd(f, hn::Set(d, 5.55041087e-2f), hn::Set(d, 2.40226507e-1f));
  const VF high = hn::MulAdd(f, hn::Set(d, 1.33335581e-3f), hn::Set(d, 9.61812911e-3f));
  const VF rest = hn::MulAdd(f2, hn::Set(d, 1.54035304e-4f), high);
  const VF series = hn::MulAdd(f4, rest, hn::MulAdd(f2, middle, low));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, series), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

// x^y for x > 0; 0 for x = 0. The relative error is about |y·log2 x| · 2^-24, 1e-6 over the range in use.
//
// Powers from 2^-125 to 2^125 are exact to that; those of larger x are the largest, of smaller x 0. The
// exponent is positive.
class Powers {
 public:
  HWY_INLINE explicit Powers(float exponent) : exponent_(hn::Set(DF(), exponent)) {
    // x whose powers have an exponent of 125, of those that a float can be.
    const float most = HWY_MIN(125.0f / (exponent < 0 ? -exponent : exponent), 125.0f);
    least_ = Exp2(hn::Set(DF(), -most));
    most_ = Exp2(hn::Set(DF(), most));
  }

  HWY_INLINE VF Of(VF x) const { return OfLog(x, Log(x)); }

  // In two steps, for loops: each is a chain that is short enough for a processor to look beyond it.
  HWY_INLINE VF Log(VF x) const { return hn::Mul(exponent_, Log2(hn::Min(hn::Max(x, least_), most_))); }
  HWY_INLINE VF OfLog(VF x, VF log) const { return hn::IfThenElseZero(hn::Gt(x, least_), Exp2(log)); }

 private:
  VF exponent_, least_, most_;
};

// The nearest integers of numbers from 0 on that an int16_t or uint16_t may be made of, quicker than
// NearestInt, which has to mind those that do not fit: of numbers from 2^23 on the result is some larger one,
// of those from -2^23 on a negative one.
HWY_INLINE hn::Vec<hn::RebindToSigned<DF>> SmallInteger(VF whole) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  return hn::Sub(hn::BitCast(di, hn::Add(whole, hn::Set(d, 8388608.0f))), hn::Set(di, 0x4b000000));
}

// 3w² - 2w³ of w clipped to 0…1.
HWY_INLINE VF SmoothStep(VF w) {
  const DF d;
  const VF clipped = hn::Min(hn::Max(w, hn::Zero(d)), hn::Set(d, 1.0f));
  return hn::Mul(hn::Mul(clipped, clipped), hn::NegMulAdd(hn::Set(d, 2.0f), clipped, hn::Set(d, 3.0f)));
}

// The numbers of columns from one on.
HWY_INLINE VF Columns(size_t first) {
  // Of integers, since compilers take Iota of floats apart into single lanes.
  const hn::RebindToSigned<DF> di;
  return hn::ConvertTo(DF(), hn::Add(hn::Set(di, static_cast<int32_t>(first)), hn::Iota(di, 0)));
}

struct Rgb {
  VF r, g, b;
};

// y, but NaN where x is NaN: NaN must not become a plausible colour.
HWY_INLINE VF KeepNaN(VF y, VF x) { return hn::IfThenElse(hn::Eq(x, x), y, x); }

// A curve on vectors; its numbers are copies, which stores to samples do not change.
class ParametricCurve {
 public:
  HWY_INLINE explicit ParametricCurve(const sl_parametric_curve &curve)
      : curve_(curve), powers_(curve.exponent) {}

  HWY_INLINE const sl_parametric_curve &Numbers() const { return curve_; }

  HWY_INLINE VF At(VF x) const { return AtLog(x, Log(x)); }

  // In two steps, as those of Powers.
  HWY_INLINE VF Log(VF x) const { return powers_.Log(Base(hn::Abs(x))); }
  HWY_INLINE VF AtLog(VF x, VF log) const {
    const DF d;
    const VF a = hn::Abs(x), linear = hn::Mul(a, hn::Set(d, curve_.slope));
    const VF curved =
        hn::MulAdd(powers_.OfLog(Base(a), log), hn::Set(d, curve_.scale), hn::Set(d, curve_.shift));
    return KeepNaN(hn::CopySign(hn::IfThenElse(hn::Le(a, hn::Set(d, curve_.toe)), linear, curved), x), x);
  }

 private:
  HWY_INLINE VF Base(VF a) const {
    return hn::MulAdd(a, hn::Set(DF(), curve_.gain), hn::Set(DF(), curve_.offset));
  }

  const sl_parametric_curve curve_;
  const Powers powers_;
};

// The same where the exponent is a quarter.
HWY_INLINE VF FourthRoot(const sl_parametric_curve &c, VF x) {
  const DF d;
  const VF root = hn::Sqrt(hn::Sqrt(hn::Abs(x)));
  return KeepNaN(hn::CopySign(hn::Mul(root, hn::Set(d, c.scale)), x), x);
}

HWY_INLINE VF Sampled(const float *samples, int32_t count, bool square_root, float end_slope, VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  const VF a = hn::Abs(x);
  const VF index = hn::Mul(square_root ? hn::Sqrt(a) : a, hn::Set(d, static_cast<float>(count - 1)));
  // The last interval also covers values above 1.
  const VF floor = hn::Min(hn::Floor(index), hn::Set(d, static_cast<float>(count - 2)));
  const auto i = hn::ConvertTo(di, floor);
  const VF low = hn::GatherIndex(d, samples, i);
  const VF high = hn::GatherIndex(d, samples, hn::Add(i, hn::Set(di, 1)));
  const VF inside = hn::MulAdd(hn::Sub(index, floor), hn::Sub(high, low), low);
  const VF one = hn::Set(d, 1.0f);
  const VF above = hn::MulAdd(hn::Sub(a, one), hn::Set(d, end_slope), hn::Set(d, samples[count - 1]));
  return KeepNaN(hn::CopySign(hn::IfThenElse(hn::Gt(a, one), above, inside), x), x);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
