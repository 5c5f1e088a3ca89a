// Curves in less precision than those of StageCurves-inl.h, enough for 8-bit results, on vectors of float.
#include "LocalLight.h"
#include "PixelKernels.h"
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_NEAR_CURVES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_NEAR_CURVES_INL_H
#undef SAFELIGHT_NEAR_CURVES_INL_H
#else
#define SAFELIGHT_NEAR_CURVES_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE VF Reciprocal(VF x) {
  const VF y = hn::ApproximateReciprocal(x);
  return hn::Mul(y, hn::NegMulAdd(x, y, hn::Set(DF(), 2.0f)));
}

HWY_INLINE VF ReciprocalRoot(VF x) {
  const DF d;
  const VF y = hn::ApproximateReciprocalSqrt(x);
  return hn::Mul(y, hn::NegMulAdd(hn::Mul(hn::Set(d, 0.5f), x), hn::Mul(y, y), hn::Set(d, 1.5f)));
}

// log2 of positive normal numbers within 2e-5.
HWY_INLINE VF NearLog2(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  // x = (1 + t) · 2^e, 1 + t in √½…√2; the best polynomial for log2(1 + t) that is 0 at 0.
  const auto bits = hn::BitCast(di, x);
  const auto e = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f3504f3)));
  const VF t = hn::Sub(hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(e))), hn::Set(d, 1.0f));
  const VF t2 = hn::Mul(t, t);
  const VF low = hn::MulAdd(t, hn::Set(d, -0.720241956f), hn::Set(d, 1.44257802f));
  const VF high = hn::MulAdd(t, hn::Set(d, -0.394573078f), hn::Set(d, 0.486685681f));
  const VF p = hn::MulAdd(t2, hn::MulAdd(t2, hn::Set(d, 0.252660225f), high), low);
  return hn::MulAdd(t, p, hn::ConvertTo(d, e));
}

// 2^x for x within ±126, with a relative error of 3e-6.
HWY_INLINE VF NearExp2(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  // Adding 1.5 · 2^23 rounds to an integer, which is then in the lowest bits.
  const VF round = hn::Set(d, 12582912.0f);
  const VF shifted = hn::Add(x, round);
  const VF f = hn::Sub(x, hn::Sub(shifted, round)), f2 = hn::Mul(f, f);
  const VF low = hn::MulAdd(f, hn::Set(d, 0.693121821f), hn::Set(d, 0.999999262f));
  const VF high = hn::MulAdd(f, hn::Set(d, 0.0559178085f), hn::Set(d, 0.240247451f));
  const VF p = hn::MulAdd(f2, hn::MulAdd(f2, hn::Set(d, 0.00957006888f), high), low);
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

constexpr float kMostCode = 65535;

// Numbers of a curve that are the same for all pixels; in registers, unlike those behind a pointer.
struct NearDecoding {
  VF terms[SL_LIGHT_ROW_TERMS], slope, toe;

  HWY_INLINE explicit NearDecoding(const sl_light_row &row) {
    const DF d;
    float unit = 1;
    for (int k = 0; k < SL_LIGHT_ROW_TERMS; k++) {
      terms[k] = hn::Set(d, row.decode[k] * unit);
      unit /= kMostCode;
    }
    slope = hn::Set(d, row.field->decode.slope / kMostCode);
    toe = hn::Set(d, row.field->decode.toe * kMostCode);
  }

  // Light of codes.
  HWY_INLINE VF Light(VF x) const {
    static_assert(SL_LIGHT_ROW_TERMS == 6, "three pairs of terms");
    const auto pair = [&](int k) HWY_ATTR { return hn::MulAdd(x, terms[k + 1], terms[k]); };
    const VF x2 = hn::Mul(x, x);
    const VF high = hn::MulAdd(x2, hn::MulAdd(x2, pair(4), pair(2)), pair(0));
    return hn::IfThenElse(hn::Le(x, toe), hn::Mul(x, slope), high);
  }
};

// Samples of light.
HWY_INLINE VF NearEncoded(const sl_parametric_curve &c, VF light) {
  const DF d;
  const VF a = hn::Abs(light);
  const VF base = hn::MulAdd(a, hn::Set(d, c.gain), hn::Set(d, c.offset));
  const VF power = NearExp2(hn::Mul(NearLog2(hn::Max(base, hn::Set(d, 1e-30f))), hn::Set(d, c.exponent)));
  const VF high = hn::MulAdd(power, hn::Set(d, c.scale), hn::Set(d, c.shift));
  const VF low = hn::Mul(a, hn::Set(d, c.slope));
  return hn::CopySign(hn::IfThenElse(hn::Le(a, hn::Set(d, c.toe)), low, high), light);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
