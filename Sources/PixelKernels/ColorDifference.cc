// CIE L*a*b* and CIEDE2000 of many colours, in single precision.
//
// Source: Sharma, Wu, Dalal, "The CIEDE2000 color-difference formula: implementation notes, supplementary
// test data, and mathematical observations", Color Research and Application 30(1), 2005; equation numbers are
// theirs.
//
// Hues are kept as unit vectors (a', b') / C', so that one arc tangent is the only trigonometric function:
//   ΔH' = 2 √(C'1 C'2) sin(Δh'/2) = cross / √((C'1 C'2 + dot) / 2)
// where cross and dot are those of (a'1, b'1) and (a'2, b'2). The mean hue's direction is the sum of both
// directions; its multiples are powers of that complex number. Differences are taken of L*, a*, b*
// themselves, never of derived values, which keeps small ones as accurate as their colours.
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ColorDifference.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "hwy/contrib/math/math-inl.h"
#include "CubeRoot-inl.h"
#include "PartialVectors-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

HWY_INLINE VF Constant(float x) { return hn::Set(DF(), x); }

// The cube root, with a straight line below (6/29)³ = 216/24389 (CIE 15:2018, section 8.2.1).
HWY_INLINE VF Lightness(VF t) {
  const VF line = hn::MulAdd(t, Constant(24389.0f / 27 / 116), Constant(16.0f / 116));
  const auto curved = hn::Gt(t, Constant(216.0f / 24389));
  return hn::IfThenElse(curved, PositiveCubeRoot(DF(), hn::IfThenElse(curved, t, Constant(1))), line);
}

struct Lab {
  VF l, a, b;
};

HWY_INLINE Lab ToLab(VF x, VF y, VF z) {
  const VF fx = Lightness(x), fy = Lightness(y), fz = Lightness(z);
  return {hn::MulSub(fy, Constant(116), Constant(16)), hn::Mul(hn::Sub(fx, fy), Constant(500)),
          hn::Mul(hn::Sub(fy, fz), Constant(200))};
}

HWY_INLINE VF Square(VF x) { return hn::Mul(x, x); }

// √(c⁷ / (c⁷ + 25⁷)), shared by equations 4 and 17.
HWY_INLINE VF ChromaWeight(VF chroma) {
  const VF c = hn::Mul(chroma, Constant(1.0f / 25));
  const VF c7 = hn::Mul(c, Square(hn::Mul(c, Square(c))));
  return hn::Sqrt(hn::Div(c7, hn::Add(c7, Constant(1))));
}

// A direction: the cosine and sine of an angle.
struct Direction {
  VF cos, sin;

  HWY_INLINE Direction operator*(Direction other) const {
    return {hn::MulSub(cos, other.cos, hn::Mul(sin, other.sin)),
            hn::MulAdd(cos, other.sin, hn::Mul(sin, other.cos))};
  }
  // The cosine of the difference between this angle and another.
  HWY_INLINE VF CosineFrom(float other_cos, float other_sin) const {
    return hn::MulAdd(cos, Constant(other_cos), hn::Mul(sin, Constant(other_sin)));
  }
};

// Equations 16 and 19 except for the chroma: -sin(2Δθ), Δθ = 30° exp(-((h' - 275°) / 25°)²).
HWY_INLINE VF Rotation(Direction hue) {
  const DF d;
  // cos 275°, sin 275°: the angle relative to it. Beyond a quarter turn the term is below 5e-6.
  const VF cos = hue.CosineFrom(0.08715574274766f, -0.99619469809175f);
  const VF sin =
      hn::MulAdd(hue.cos, Constant(0.99619469809175f), hn::Mul(hue.sin, Constant(0.08715574274766f)));
  const auto near = hn::Gt(cos, Constant(1e-3f));
  const VF angle = hn::Atan(d, hn::Div(sin, hn::IfThenElse(near, cos, Constant(1))));
  // 180/π/25
  const VF turn = Square(hn::Mul(angle, Constant(2.29183118052329f)));
  // 60° · exp(…), 0…1.05: there the sine's series up to the 9th power leaves 3e-8.
  const VF x = hn::Mul(Constant(1.04719755119660f), hn::Exp(d, hn::Neg(turn)));
  const VF x2 = Square(x);
  VF series = hn::MulAdd(x2, Constant(1.0f / 362880), Constant(-1.0f / 5040));
  series = hn::MulAdd(x2, series, Constant(1.0f / 120));
  series = hn::MulAdd(x2, series, Constant(-1.0f / 6));
  return hn::IfThenElseZero(near, hn::Neg(hn::MulAdd(hn::Mul(x, x2), series, x)));
}

HWY_INLINE VF DeltaE2000(Lab p, Lab q) {
  const VF zero = hn::Zero(DF()), one = Constant(1), half = Constant(0.5f);
  // Equations 2 to 6.
  const auto length = [](VF a, VF b) HWY_ATTR { return hn::Sqrt(hn::MulAdd(a, a, hn::Mul(b, b))); };
  const VF mean_ab = hn::Mul(half, hn::Add(length(p.a, p.b), length(q.a, q.b)));
  const VF stretch = hn::NegMulAdd(half, ChromaWeight(mean_ab), Constant(1.5f));
  const VF a1 = hn::Mul(stretch, p.a), a2 = hn::Mul(stretch, q.a);
  const VF c1 = length(a1, p.b), c2 = length(a2, q.b);
  const VF product = hn::Mul(c1, c2);
  const auto chromatic = hn::Gt(product, zero);

  // Equations 8 to 11.
  const VF delta_l = hn::Sub(q.l, p.l);
  const VF delta_a = hn::Mul(stretch, hn::Sub(q.a, p.a)), delta_b = hn::Sub(q.b, p.b);
  const VF sum_c = hn::Add(c1, c2);
  const auto coloured = hn::Gt(sum_c, zero);
  const VF delta_c = hn::IfThenElseZero(
      coloured, hn::Div(hn::MulAdd(delta_a, hn::Add(a1, a2), hn::Mul(delta_b, hn::Add(p.b, q.b))),
                        hn::IfThenElse(coloured, sum_c, one)));
  const VF cross = hn::MulSub(a1, delta_b, hn::Mul(p.b, delta_a));
  const VF dot = hn::MulAdd(a1, a2, hn::Mul(p.b, q.b));
  // Hues less than a quarter turn apart; others have ΔH'² = 2 (C'1 C'2 - dot).
  const auto apart = hn::Le(dot, zero);
  const VF cosine_half = hn::Sqrt(hn::Mul(half, hn::Add(product, dot)));
  const VF close = hn::Div(cross, hn::IfThenElse(apart, one, cosine_half));
  const VF far = hn::CopySign(hn::Sqrt(hn::Max(hn::Mul(Constant(2), hn::Sub(product, dot)), zero)), cross);
  const VF delta_h = hn::IfThenElseZero(chromatic, hn::IfThenElse(apart, far, close));

  // Equations 12 to 14: the mean's direction; for a grey and a colour, that of the colour.
  const VF mean_l = hn::Mul(half, hn::Add(p.l, q.l)), mean_c = hn::Mul(half, sum_c);
  const auto unit = [&](VF x, VF c) HWY_ATTR {
    const auto some = hn::Gt(c, zero);
    return hn::IfThenElseZero(some, hn::Div(x, hn::IfThenElse(some, c, one)));
  };
  Direction hue = {hn::Add(unit(a1, c1), unit(a2, c2)), hn::Add(unit(p.b, c1), unit(q.b, c2))};
  const VF norm = length(hue.cos, hue.sin);
  // Two greys, or opposite hues: treated as red, which the weights of greys ignore.
  const auto directed = hn::Gt(norm, Constant(1e-6f));
  const VF scale = hn::Div(one, hn::IfThenElse(directed, norm, one));
  hue = {hn::IfThenElse(directed, hn::Mul(hue.cos, scale), one),
         hn::IfThenElseZero(directed, hn::Mul(hue.sin, scale))};

  // Equations 15 to 21.
  const Direction twice = hue * hue, thrice = twice * hue, four_times = twice * twice;
  VF t = hn::NegMulAdd(Constant(0.17f), hue.CosineFrom(0.86602540378444f, 0.5f), one);
  t = hn::MulAdd(Constant(0.24f), twice.cos, t);
  // cos(3h' + 6°), cos(4h' - 63°)
  t = hn::MulAdd(Constant(0.32f), thrice.CosineFrom(0.99452189536827f, -0.10452846326765f), t);
  t = hn::NegMulAdd(Constant(0.20f), four_times.CosineFrom(0.45399049973955f, 0.89100652418837f), t);
  const VF rotation = hn::Mul(Rotation(hue), hn::Mul(Constant(2), ChromaWeight(mean_c)));
  const VF offset = Square(hn::Sub(mean_l, Constant(50)));
  const VF weight_l =
      hn::MulAdd(Constant(0.015f), hn::Div(offset, hn::Sqrt(hn::Add(offset, Constant(20)))), one);
  const VF weight_c = hn::MulAdd(Constant(0.045f), mean_c, one);
  const VF weight_h = hn::MulAdd(hn::Mul(Constant(0.015f), mean_c), t, one);

  // Equation 22.
  const VF l = hn::Div(delta_l, weight_l), c = hn::Div(delta_c, weight_c), h = hn::Div(delta_h, weight_h);
  const VF sum = hn::MulAdd(l, l, hn::MulAdd(c, c, hn::MulAdd(h, h, hn::Mul(rotation, hn::Mul(c, h)))));
  // A comparison, since a maximum would hide NaN.
  return hn::Sqrt(hn::IfThenElse(hn::Lt(sum, zero), zero, sum));
}

void XYZToLab(float *x, float *y, float *z, size_t n) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < n; i += lanes) {
    const size_t m = HWY_MIN(lanes, n - i);
    const Lab lab = ToLab(LoadFirst(d, x + i, m), LoadFirst(d, y + i, m), LoadFirst(d, z + i, m));
    StoreFirst(lab.l, d, x + i, m);
    StoreFirst(lab.a, d, y + i, m);
    StoreFirst(lab.b, d, z + i, m);
  }
}

void DeltaE2000OfAll(const float *const p[3], const float *const q[3], float *difference, size_t n) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < n; i += lanes) {
    const size_t m = HWY_MIN(lanes, n - i);
    const auto load = [&](const float *const planes[3]) HWY_ATTR {
      return Lab{LoadFirst(d, planes[0] + i, m), LoadFirst(d, planes[1] + i, m),
                 LoadFirst(d, planes[2] + i, m)};
    };
    StoreFirst(DeltaE2000(load(p), load(q)), d, difference + i, m);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(XYZToLab);
HWY_EXPORT(DeltaE2000OfAll);
}  // namespace safelight
extern "C" void sl_xyz_to_lab(float *x, float *y, float *z, size_t n) {
  SL_KERNEL(safelight::XYZToLab)(x, y, z, n);
}

extern "C" void sl_delta_e2000(const float *const lab1[3], const float *const lab2[3], float *difference,
                               size_t n) {
  SL_KERNEL(safelight::DeltaE2000OfAll)(lab1, lab2, difference, n);
}
#endif
