// Fields on rows of samples as they come from a camera or a photo, for the table that follows: what RunField
// does, in less precision, without other rows in between.
#include <string.h>

#include "LocalLight.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "LightRows.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "Field-inl.h"
#include "NearCurves-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DU16 = hn::Rebind<uint16_t, DF>;

// The pixels that are worked on at once.
//
// A pixel takes a long chain of dependent operations, longer than a processor's out-of-order window. Short
// passes keep several pixels in flight.
constexpr size_t kLightBlock = 512;
static_assert(kLightBlock <= kFieldBlock, "FieldRow has room for a block");

// Some pixels of a row: whole vectors, at most kLightBlock.
class LightBlock {
 public:
  HWY_INLINE LightBlock(const sl_light_row &row, const sl_light_grid *grids, int32_t x, int32_t y,
                        uint16_t *r, uint16_t *g, uint16_t *b, size_t n)
      : row_(row), f_(*row.field), planes_{r, g, b}, n_(n), along_(*row.field, grids, x, y, n) {}

  HWY_INLINE void Run() {
    const bool adds = along_.Adds(), measures = f_.has_local || f_.has_grain;
    if (adds || measures) Decode();
    if (measures) Measure();
    Place();
    if (f_.has_local) Surroundings();
    if (f_.has_grain) Grain();
    if (adds) {
      Encode();
    } else {
      Multiply();
    }
  }

 private:
  HWY_INLINE VF Code(int c, size_t i) const {
    return hn::ConvertTo(DF(), hn::PromoteTo(hn::RebindToSigned<DF>(), hn::LoadU(DU16(), planes_[c] + i)));
  }

  // Clips to the codes there are.
  HWY_INLINE void StoreCode(int c, size_t i, VF code) const {
    hn::StoreU(hn::DemoteTo(DU16(), SmallInteger(code)), DU16(), planes_[c] + i);
  }

  HWY_INLINE Rgb Light(size_t i) const {
    const DF d;
    return {hn::Load(d, light_[0] + i), hn::Load(d, light_[1] + i), hn::Load(d, light_[2] + i)};
  }

  HWY_INLINE void Decode() {
    const DF d;
    const NearDecoding decoding(row_);
    for (int c = 0; c < 3; c++) {
      for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
        hn::Store(decoding.Light(Code(c, i)), d, light_[c] + i);
      }
    }
  }

  // As `Brightness`.
  HWY_INLINE void Measure() {
    const DF d;
    const sl_brightness &light = f_.brightness;
    VF m[9];
    for (int k = 0; k < 9; k++) m[k] = hn::Set(d, light.to_working[k]);
    const VF floor = hn::Set(d, light.floor), bias = hn::Set(d, light.bias), most = hn::Set(d, light.most);
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      const Rgb in = Light(i);
      const auto level = [&](int k) HWY_ATTR {
        return hn::Abs(hn::MulAdd(in.r, m[k], hn::MulAdd(in.g, m[k + 1], hn::Mul(in.b, m[k + 2]))));
      };
      const VF r = level(0), g = level(3), b = level(6);
      const VF r2 = hn::Mul(r, r), g2 = hn::Mul(g, g), b2 = hn::Mul(b, b);
      const VF squares = hn::Max(hn::Add(r2, hn::Add(g2, b2)), hn::Set(d, 1e-22f));
      const VF cubes = hn::MulAdd(r2, r, hn::MulAdd(g2, g, hn::Mul(b2, b)));
      hn::Store(hn::MulAdd(cubes, Reciprocal(squares), floor), d, e_ + i);
    }
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      hn::Store(hn::Min(hn::Add(NearLog2(hn::Load(d, e_ + i)), bias), most), d, e_ + i);
    }
  }

  // The stops of the place alone.
  HWY_INLINE void Place() {
    const DF d;
    if (f_.has_falloff) {
      const FalloffRow falloff = along_.falloff;
      const auto fill = [&](auto stops) HWY_ATTR {
        for (size_t i = 0; i < n_; i += hn::Lanes(d)) hn::Store(stops(Columns(i)), d, stops_ + i);
      };
      if (falloff.IsRound()) {
        fill([&](VF column) HWY_ATTR { return falloff.RoundStops(column); });
      } else {
        fill([&](VF column) HWY_ATTR { return falloff.Stops(column); });
      }
    } else {
      memset(stops_, 0, n_ * sizeof(float));
    }
    if (!along_.has_detail) return;
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      hn::Store(hn::Add(hn::Load(d, stops_ + i), along_.DetailStops(f_, i)), d, stops_ + i);
    }
  }

  // The light around each pixel, and what stands out from its closer surroundings.
  template <class Lines>
  HWY_INLINE void Compare(Lines lines_at) {
    const DF d;
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      const VF e = hn::Load(d, e_ + i);
      VF lines[4];
      lines_at(i, lines);
      hn::Store(hn::MulAdd(lines[0], e, lines[1]), d, base_ + i);
      hn::Store(hn::Sub(e, hn::MulAdd(lines[2], e, lines[3])), d, detail_ + i);
    }
  }

  HWY_INLINE void Surroundings() {
    const DF d;
    const sl_local_light &light = f_.local;
    if (along_.around == nullptr) {
      memcpy(base_, e_, n_ * sizeof(float));
      memset(detail_, 0, n_ * sizeof(float));
    } else if (along_.around->IsRow()) {
      const LightNodes<4>::Row row(*along_.around);
      Compare([&](size_t i, VF *lines) HWY_ATTR { row.At(i, lines); });
    } else {
      Compare([&](size_t i, VF *lines) HWY_ATTR { along_.around->At(i, lines); });
    }
    const RegionStops regions(light);
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      hn::Store(hn::Add(hn::Load(d, stops_ + i), regions.At(hn::Load(d, base_ + i))), d, stops_ + i);
    }
    if (light.clarity == 0) return;
    const VF clarity = hn::Set(d, light.clarity);
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      const VF detail = hn::Load(d, detail_ + i);
      const VF soft = hn::Mul(detail, ReciprocalRoot(hn::MulAdd(detail, detail, hn::Set(d, 1.0f))));
      hn::Store(hn::MulAdd(clarity, soft, hn::Load(d, stops_ + i)), d, stops_ + i);
    }
  }

  HWY_INLINE void Grain() {
    const DF d;
    // A copy, of which nothing is known to change when stops are stored.
    GrainRow grain = along_.grain;
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      const VF stops = grain.Stops(hn::Load(d, e_ + i));
      hn::Store(hn::Add(hn::Load(d, stops_ + i), stops), d, stops_ + i);
    }
  }

  HWY_INLINE void Encode() {
    const DF d;
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      const VF gain = NearExp2(hn::Load(d, stops_ + i));
      const Rgb light = along_.Added(f_, i, Light(i));
      hn::Store(hn::Mul(gain, light.r), d, light_[0] + i);
      hn::Store(hn::Mul(gain, light.g), d, light_[1] + i);
      hn::Store(hn::Mul(gain, light.b), d, light_[2] + i);
    }
    const VF scale = hn::Set(d, row_.scale * kMostCode);
    for (int c = 0; c < 3; c++) {
      for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
        StoreCode(c, i, hn::Mul(NearEncoded(f_.encode, hn::Load(d, light_[c] + i)), scale));
      }
    }
  }

  // As `Multiplied`, of codes.
  HWY_INLINE void Multiply() {
    const DF d;
    const VF per_power = hn::Set(d, 1.0f / f_.decode.exponent), scale = hn::Set(d, row_.scale);
    const VF shift = hn::Set(d, kMostCode * f_.decode.offset / f_.decode.gain);
    const VF toe = hn::Set(d, kMostCode * f_.decode.toe), scaled_toe = hn::Mul(toe, scale);
    float *powers = e_;
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      hn::Store(NearExp2(hn::Mul(hn::Load(d, stops_ + i), per_power)), d, powers + i);
    }
    const VF scaled_shift = hn::Mul(shift, scale);
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      const VF power = hn::Mul(hn::Load(d, powers + i), scale), more = hn::MulSub(power, shift, scaled_shift);
      const Rgb in = {Code(0, i), Code(1, i), Code(2, i)};
      Rgb out = {hn::MulAdd(in.r, power, more), hn::MulAdd(in.g, power, more), hn::MulAdd(in.b, power, more)};
      const VF least = hn::Min(hn::Min(in.r, in.g), in.b);
      const auto stays = hn::And(hn::Gt(least, toe), hn::Gt(hn::MulAdd(least, power, more), scaled_toe));
      if (HWY_UNLIKELY(!hn::AllTrue(d, stays))) {
        const VF gain = NearExp2(hn::Load(d, stops_ + i));
        out = {Dark(gain, in.r, out.r), Dark(gain, in.g, out.g), Dark(gain, in.b, out.b)};
      }
      StoreCode(0, i, out.r);
      StoreCode(1, i, out.g);
      StoreCode(2, i, out.b);
    }
  }

  // What becomes of codes some of which are, or become, those of the toe; `high` if they are not.
  HWY_INLINE VF Dark(VF gain, VF code, VF high) const {
    const DF d;
    const VF toe = hn::Set(d, kMostCode * f_.decode.toe), scale = hn::Set(d, row_.scale);
    const VF low = hn::Mul(code, gain);
    const auto is_high = hn::Gt(code, toe);
    const auto stays =
        hn::Or(hn::And(is_high, hn::Gt(high, hn::Mul(toe, scale))), hn::Le(hn::Max(code, low), toe));
    const VF out = hn::IfThenElse(is_high, high, hn::Mul(low, scale));
    if (HWY_LIKELY(hn::AllTrue(d, stays))) return out;
    const VF passes = NearEncoded(f_.encode, hn::Mul(gain, NearDecoding(row_).Light(code)));
    return hn::IfThenElse(stays, out, hn::Mul(passes, hn::Set(d, row_.scale * kMostCode)));
  }

  const sl_light_row &row_;
  const sl_field &f_;
  uint16_t *const planes_[3];
  const size_t n_;
  FieldRow along_;
  // Light; brightness; stops; two numbers on the way to these.
  HWY_ALIGN float light_[3][kLightBlock];
  HWY_ALIGN float e_[kLightBlock], stops_[kLightBlock], base_[kLightBlock], detail_[kLightBlock];
};

void MultiplyLight(const sl_light_row *row, const sl_light_grid *grids, int32_t x, int32_t y, uint16_t *r,
                   uint16_t *g, uint16_t *b, size_t n) {
  const size_t lanes = hn::Lanes(DF()), whole = n / lanes * lanes, rest = n - whole;
  const auto run = [&](size_t start, uint16_t *red, uint16_t *green, uint16_t *blue, size_t count) HWY_ATTR {
    LightBlock(*row, grids, x + static_cast<int32_t>(start), y, red, green, blue, count).Run();
  };
  for (size_t start = 0; start < whole; start += kLightBlock) {
    run(start, r + start, g + start, b + start, HWY_MIN(kLightBlock, whole - start));
  }
  if (rest == 0) return;
  uint16_t *const planes[3] = {r + whole, g + whole, b + whole};
  uint16_t last[3][HWY_MAX_BYTES / sizeof(float)] = {};
  for (int c = 0; c < 3; c++) memcpy(last[c], planes[c], rest * sizeof(uint16_t));
  run(whole, last[0], last[1], last[2], lanes);
  for (int c = 0; c < 3; c++) memcpy(planes[c], last[c], rest * sizeof(uint16_t));
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(MultiplyLight);
}
extern "C" void sl_multiply_light(const sl_light_row *row, const sl_light_grid *grids, int32_t x, int32_t y,
                                  uint16_t *r, uint16_t *g, uint16_t *b, size_t n) {
  SL_KERNEL(safelight::MultiplyLight)(row, grids, x, y, r, g, b, n);
}
#endif
