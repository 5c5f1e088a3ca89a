// The exact colour stages, on planar float.
#include <math.h>
#include <string.h>

#include "Lookup.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Stages.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "hwy/contrib/math/math-inl.h"
#include "StageCurves-inl.h"
#include "Brightness-inl.h"
#include "OKLab-inl.h"
#include "Curves-inl.h"
#include "Field-inl.h"
#include "Gamut-inl.h"
#include "GroupField-inl.h"
#include "MaskRow-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE VF Clip(VF x, VF top) { return hn::Min(hn::Max(x, hn::Zero(DF())), top); }

HWY_INLINE Rgb Tone(const sl_tone &t, Rgb v) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  // The cubes of larger values are infinite, those of much smaller ones zero.
  const VF largest = hn::Set(d, 1e6f);
  const auto level = [&](VF x) HWY_ATTR { return hn::Min(hn::Abs(x), largest); };
  const VF r = level(v.r), g = level(v.g), b = level(v.b);
  const VF r2 = hn::Mul(r, r), g2 = hn::Mul(g, g), b2 = hn::Mul(b, b);
  const VF squares = hn::Add(r2, hn::Add(g2, b2));
  const VF cubes = hn::MulAdd(r2, r, hn::MulAdd(g2, g, hn::Mul(b2, b)));
  // False for NaN, too.
  const auto visible = hn::And(hn::Gt(squares, hn::Set(d, 1e-22f)), hn::Eq(cubes, cubes));
  const VF norm = hn::IfThenElse(visible, hn::Div(cubes, squares), hn::Set(d, 1e-12f));
  const VF index = Clip(hn::MulAdd(Log2(norm), hn::Set(d, t.scale), hn::Set(d, t.bias)),
                        hn::Set(d, static_cast<float>(t.count - 1)));
  const VF floor = hn::Min(hn::Floor(index), hn::Set(d, static_cast<float>(t.count - 2)));
  const auto i = hn::ConvertTo(di, floor);
  const VF part = hn::Sub(index, floor);
  const auto factor = [&](const float *samples) HWY_ATTR {
    const VF low = hn::GatherIndex(d, samples, i);
    const VF high = hn::GatherIndex(d, samples, hn::Add(i, hn::Set(di, 1)));
    return hn::MulAdd(part, hn::Sub(high, low), low);
  };
  const VF gain = factor(t.factors), offset = factor(t.factors + t.count);
  return {hn::MulAdd(gain, v.r, offset), hn::MulAdd(gain, v.g, offset), hn::MulAdd(gain, v.b, offset)};
}

// The function is called in one place, for whole vectors and then for what is left: some take long to
// compile.
template <class Function>
HWY_INLINE void ForEach(float *r, float *g, float *b, size_t n, Function function) {
  const DF d;
  const size_t lanes = hn::Lanes(d), rest = n % lanes, whole = n - rest;
  float last[3][16] = {};
  for (size_t k = 0; k < rest; k++) {
    last[0][k] = r[whole + k], last[1][k] = g[whole + k], last[2][k] = b[whole + k];
  }
  for (size_t i = 0; i < n; i += lanes) {
    const bool is_last = i == whole;
    float *to_r = is_last ? last[0] : r + i, *to_g = is_last ? last[1] : g + i,
          *to_b = is_last ? last[2] : b + i;
    const Rgb out = function(Rgb{hn::LoadU(d, to_r), hn::LoadU(d, to_g), hn::LoadU(d, to_b)});
    hn::StoreU(out.r, d, to_r);
    hn::StoreU(out.g, d, to_g);
    hn::StoreU(out.b, d, to_b);
  }
  for (size_t k = 0; k < rest; k++) {
    r[whole + k] = last[0][k], g[whole + k] = last[1][k], b[whole + k] = last[2][k];
  }
}

// Runs a curve on at most kFieldBlock samples.
HWY_INLINE void RunCurve(const ParametricCurve &curve, float *plane, size_t n) {
  const DF d;
  HWY_ALIGN float logs[kFieldBlock];
  const size_t lanes = hn::Lanes(d), whole = n / lanes * lanes;
  for (size_t i = 0; i < whole; i += lanes) hn::Store(curve.Log(hn::LoadU(d, plane + i)), d, logs + i);
  for (size_t i = 0; i < whole; i += lanes) {
    hn::StoreU(curve.AtLog(hn::LoadU(d, plane + i), hn::Load(d, logs + i)), d, plane + i);
  }
  const VF last = LoadFirst(d, plane + whole, n - whole);
  StoreFirst(curve.At(last), d, plane + whole, n - whole);
}

void RunStages(const sl_stage *stages, size_t count, int32_t x, int32_t y, const sl_places *places, float *r,
               float *g, float *b, size_t n);

void RunMasked(const sl_masked &masked, int32_t x, int32_t y, const sl_places *places, float *r, float *g,
               float *b, size_t n) {
  const sl_light_grid *grids = places != nullptr ? places->grids : nullptr;
  const double *to_stored = places != nullptr ? places->to_stored : nullptr;
  for (size_t start = 0; start < n; start += kMaskBlock) {
    const size_t m = HWY_MIN(kMaskBlock, n - start);
    float *planes[3] = {r + start, g + start, b + start};
    const int32_t column = x + static_cast<int32_t>(start);
    MaskRow mask(column, y, m, masked.follows_edges && grids != nullptr ? grids + masked.grid : nullptr,
                 to_stored);
    // Ranges and edges look at the colours ahead of all groups.
    mask.Measure(masked, planes[0], planes[1], planes[2]);
    // So do fields.
    float first[3][kMaskBlock];
    if (masked.measures_light) {
      for (int c = 0; c < 3; c++) memcpy(first[c], planes[c], m * sizeof(float));
    }
    const float *const found[3] = {first[0], first[1], first[2]};
    for (int32_t i = 0; i < masked.count; i++) {
      const sl_masked_group &group = masked.groups[i];
      if (!mask.Weigh(group)) continue;
      float copy[3][kMaskBlock];
      for (int c = 0; c < 3; c++) memcpy(copy[c], planes[c], m * sizeof(float));
      float *const changed[3] = {copy[0], copy[1], copy[2]};
      for (int32_t k = 0; k < group.field_count; k++) {
        RunGroupField(masked, group.fields[k], grids, column, y, found, changed, m);
      }
      RunStages(group.stages, static_cast<size_t>(group.stage_count), 0, 0, nullptr, copy[0], copy[1],
                copy[2], m);
      for (int c = 0; c < 3; c++) mask.Mix(planes[c], copy[c]);
    }
  }
}

void RunGains(const sl_gains &gains, int32_t x, int32_t y, const sl_places *places, float *r, float *g,
              float *b, size_t n) {
  const DF d;
  const VF one = hn::Set(d, 1.0f), per_power = hn::Set(d, 1.0f / gains.decode.exponent);
  const ParametricCurve decode(gains.decode), encode(gains.encode);
  for (size_t start = 0; start < n; start += kMaskBlock) {
    const size_t m = HWY_MIN(kMaskBlock, n - start);
    MaskRow mask(x + static_cast<int32_t>(start), y, m, nullptr,
                 places != nullptr ? places->to_stored : nullptr);
    HWY_ALIGN float products[kMaskBlock];
    bool acts = false;
    for (int32_t i = 0; i < gains.count; i++) {
      if (!mask.Weigh(gains.groups[i])) continue;
      const VF more = hn::Set(d, gains.groups[i].gain - 1.0f);
      for (size_t k = 0; k < m; k += hn::Lanes(d)) {
        const VF gain = hn::MulAdd(mask.Weight(k), more, one);
        hn::Store(acts ? hn::Mul(gain, hn::Load(d, products + k)) : gain, d, products + k);
      }
      acts = true;
    }
    if (!acts) continue;
    for (size_t k = 0; k < m; k += hn::Lanes(d)) {
      const size_t rest = m - k, at = start + k;
      const Rgb in = {LoadFirst(d, r + at, rest), LoadFirst(d, g + at, rest), LoadFirst(d, b + at, rest)};
      const VF gain = hn::Load(d, products + k);
      const Rgb out = gains.is_encoded
                          ? Multiplied(decode, encode, gain, Exp2(hn::Mul(Log2(gain), per_power)), in)
                          : Rgb{hn::Mul(in.r, gain), hn::Mul(in.g, gain), hn::Mul(in.b, gain)};
      StoreFirst(out.r, d, r + at, rest);
      StoreFirst(out.g, d, g + at, rest);
      StoreFirst(out.b, d, b + at, rest);
    }
  }
}

void RunStages(const sl_stage *stages, size_t count, int32_t x, int32_t y, const sl_places *places, float *r,
               float *g, float *b, size_t n) {
  const sl_light_grid *grids = places != nullptr ? places->grids : nullptr;
  // A block of all three planes stays in the first-level cache from stage to stage.
  for (size_t start = 0; start < n; start += kFieldBlock) {
    const size_t m = HWY_MIN(kFieldBlock, n - start);
    float *br = r + start, *bg = g + start, *bb = b + start;
    for (size_t s = 0; s < count; s++) {
      const sl_stage &stage = stages[s];
      switch (stage.kind) {
        case SL_STAGE_MATRIX:
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR { return Multiply(stage.u.matrix, v); });
          break;
        case SL_STAGE_PARAMETRIC: {
          const sl_parametric_curve &c = stage.u.parametric;
          if (c.exponent == 0.25f && c.toe < 0 && c.gain == 1 && c.offset == 0 && c.shift == 0) {
            ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR {
              return Rgb{FourthRoot(c, v.r), FourthRoot(c, v.g), FourthRoot(c, v.b)};
            });
            break;
          }
          const ParametricCurve curve(c);
          for (float *plane : {br, bg, bb}) RunCurve(curve, plane, m);
          break;
        }
        case SL_STAGE_SAMPLED: {
          const sl_sampled_curve &c = stage.u.sampled;
          const bool root = c.square_root_index != 0;
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR {
            return Rgb{Sampled(c.samples, c.count, root, c.end_slope[0], v.r),
                       Sampled(c.samples + c.count, c.count, root, c.end_slope[1], v.g),
                       Sampled(c.samples + 2 * c.count, c.count, root, c.end_slope[2], v.b)};
          });
          break;
        }
        case SL_STAGE_OKLAB_MIX:
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR { return OklabMix(stage.u.oklab, v); });
          break;
        case SL_STAGE_CURVES:
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR { return LightCurves(stage.u.curves, v); });
          break;
        case SL_STAGE_HUES:
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR { return Hues(stage.u.hues, v); });
          break;
        case SL_STAGE_GAMUT:
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR { return InGamut(stage.u.gamut, v); });
          break;
        case SL_STAGE_TONE:
          ForEach(br, bg, bb, m, [&](Rgb v) HWY_ATTR { return Tone(stage.u.tone, v); });
          break;
        case SL_STAGE_FIELD:
          RunField(stage.u.field, grids, x + static_cast<int32_t>(start), y, br, bg, bb, m);
          break;
        case SL_STAGE_MASKED:
          RunMasked(stage.u.masked, x + static_cast<int32_t>(start), y, places, br, bg, bb, m);
          break;
        case SL_STAGE_GAINS:
          RunGains(stage.u.gains, x + static_cast<int32_t>(start), y, places, br, bg, bb, m);
          break;
        case SL_STAGE_LOOKUP:
          safelight::RunLookup(stage.u.lookup, br, bg, bb, m);
          break;
      }
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(RunStages);
}
extern "C" void sl_run_stages(const sl_stage *stages, size_t count, int32_t x, int32_t y,
                              const sl_places *places, float *r, float *g, float *b, size_t n) {
  SL_KERNEL(safelight::RunStages)(stages, count, x, y, places, r, g, b, n);
}
#endif
