// Masks along a row of pixels, on vectors of float.
#include "Brightness-inl.h"
#include "GridRow-inl.h"
#include "LightNodes-inl.h"
#include "MaskLine-inl.h"
#include "OKLab-inl.h"
#include "PartialVectors-inl.h"
#include "PixelKernels.h"
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_MASK_ROW_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_MASK_ROW_INL_H
#undef SAFELIGHT_MASK_ROW_INL_H
#else
#define SAFELIGHT_MASK_ROW_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The pixels that a mask is evaluated for at once: few enough that all values stay in the first-level cache,
// and that blocks outside a mask are found; a multiple of every vector's lanes.
constexpr size_t kMaskBlock = 256;

// The weights of masks for n pixels from column x of row y on, at most kMaskBlock. Rows are computed in whole
// vectors; what is beyond the last pixel has no meaning.
class MaskRow {
 public:
  // `grid` is NULL if no mask follows edges; `to_stored` as in sl_places.
  HWY_INLINE MaskRow(int32_t x, int32_t y, size_t n, const sl_light_grid *grid, const double *to_stored)
      : column_(x), line_(y), x_(x + 0.5), y_(y + 0.5), n_(n), grid_(grid) {
    if (to_stored == nullptr) return;
    x_ = to_stored[0] * (x + 0.5) + to_stored[1] * (y + 0.5) + to_stored[2];
    y_ = to_stored[3] * (x + 0.5) + to_stored[4] * (y + 0.5) + to_stored[5];
    step_x_ = to_stored[0], step_y_ = to_stored[3];
  }

  // The colours that range steps look at, and the light that edges are found by, ahead of all weights.
  HWY_INLINE void Measure(const sl_masked &masked, const float *r, const float *g, const float *b) {
    const DF d;
    if (masked.follows_edges) {
      for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
        const size_t rest = n_ - i;
        const Rgb rgb = {LoadFirst(d, r + i, rest), LoadFirst(d, g + i, rest), LoadFirst(d, b + i, rest)};
        hn::StoreU(Brightness(masked.brightness, rgb), d, light_ + i);
      }
    }
    if (!masked.measures_colors) return;
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      const size_t rest = n_ - i;
      const Rgb lab =
          OfRoots(masked.to_lms, masked.lab_from_roots,
                  {LoadFirst(d, r + i, rest), LoadFirst(d, g + i, rest), LoadFirst(d, b + i, rest)});
      hn::StoreU(lab.r, d, lab_[0] + i);
      hn::StoreU(lab.g, d, lab_[1] + i);
      hn::StoreU(lab.b, d, lab_[2] + i);
    }
  }

  // Computes opacity·mask, 0 where that is no number. False if it is 0 everywhere.
  HWY_INLINE bool Weigh(const sl_masked_group &group) {
    const DF d;
    size_t depth = 0;
    for (int32_t i = 0; i < group.step_count; i++) {
      const sl_mask_step &step = group.steps[i];
      const bool is_pair =
          step.kind == SL_MASK_INTERSECT || step.kind == SL_MASK_ADD || step.kind == SL_MASK_SUBTRACT;
      if (is_pair) {
        if (depth < 2) return false;
        depth--;
        Combine(step.kind, rows_[depth - 1], rows_[depth]);
      } else if (step.kind == SL_MASK_INVERT) {
        if (depth < 1) return false;
        ForRow(rows_[depth - 1], [&](size_t at) HWY_ATTR {
          return hn::Sub(hn::Set(d, 1.0f), hn::LoadU(d, rows_[depth - 1] + at));
        });
      } else {
        if (depth == SL_MASK_DEPTH) return false;
        Push(step, rows_[depth]);
        depth++;
      }
    }
    if (depth == 0) return false;
    VF most = hn::Zero(d);
    const VF opacity = hn::Set(d, group.opacity);
    ForRow(rows_[0], [&](size_t at) HWY_ATTR {
      const VF w = hn::Mul(hn::LoadU(d, rows_[0] + at), opacity);
      const VF number = hn::IfThenElseZero(hn::Eq(w, w), w);
      most = hn::Max(most, number);
      return number;
    });
    return !hn::AllTrue(d, hn::Eq(most, hn::Zero(d)));
  }

  // The weights of pixels from column i on.
  HWY_INLINE VF Weight(size_t i) const { return hn::LoadU(DF(), rows_[0] + i); }

  // Sets a plane to in + weight·(out - in).
  HWY_INLINE void Mix(float *in, const float *out) const {
    const DF d;
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) {
      const size_t rest = n_ - i;
      const VF w = hn::LoadU(d, rows_[0] + i);
      const VF a = LoadFirst(d, in + i, rest), b = LoadFirst(d, out + i, rest);
      // Both ends as they are: an infinite colour would become no number.
      const VF mixed = hn::MulAdd(w, hn::Sub(b, a), a);
      const VF full = hn::IfThenElse(hn::Eq(w, hn::Set(d, 1.0f)), b, mixed);
      StoreFirst(hn::IfThenElse(hn::Eq(w, hn::Zero(d)), a, full), d, in + i, rest);
    }
  }

 private:
  template <class Function>
  HWY_INLINE void ForRow(float *row, Function function) const {
    const DF d;
    for (size_t i = 0; i < n_; i += hn::Lanes(d)) hn::StoreU(function(i), d, row + i);
  }

  static HWY_INLINE VF Clip01(VF x) {
    const DF d;
    return hn::Min(hn::Max(x, hn::Zero(d)), hn::Set(d, 1.0f));
  }

  HWY_INLINE MaskLine Along(const double map[3]) const {
    return {static_cast<float>(map[0] * x_ + map[1] * y_ + map[2]),
            static_cast<float>(map[0] * step_x_ + map[1] * step_y_)};
  }

  HWY_INLINE void Push(const sl_mask_step &step, float *row) const {
    const DF d;
    const VF one = hn::Set(d, 1.0f), low = hn::Set(d, step.low), high = hn::Set(d, step.high);
    const VF scale = hn::Set(d, step.scale);
    const MaskLine u = Along(step.map), v = Along(step.map + 3);
    // 1 up to `low`, 0 from a distance of 1/scale beyond it on.
    const auto within = [&](VF x, VF y) HWY_ATTR {
      const VF distance = hn::Sqrt(hn::MulAdd(x, x, hn::Mul(y, y)));
      return hn::Sub(one, SmoothStep(hn::Mul(hn::Sub(distance, low), scale)));
    };
    switch (step.kind) {
      case SL_MASK_CONSTANT:
        ForRow(row, [&](size_t) HWY_ATTR { return low; });
        break;
      case SL_MASK_LINEAR:
        ForRow(row, [&](size_t i) HWY_ATTR { return SmoothStep(u.At(i)); });
        break;
      case SL_MASK_RADIAL:
        ForRow(row, [&](size_t i) HWY_ATTR { return within(u.At(i), v.At(i)); });
        break;
      case SL_MASK_SHAPE:
        PushShape(step, u, v, row);
        break;
      case SL_MASK_LUMINANCE:
        ForRow(row, [&](size_t i) HWY_ATTR {
          const VF l = hn::LoadU(d, lab_[0] + i);
          const VF rising = Clip01(hn::MulAdd(hn::Sub(l, low), scale, one));
          return KeepNaN(hn::Min(rising, Clip01(hn::NegMulAdd(hn::Sub(l, high), scale, one))), l);
        });
        break;
      case SL_MASK_COLOR: {
        const VF a = hn::Set(d, static_cast<float>(step.map[0]));
        const VF b = hn::Set(d, static_cast<float>(step.map[1]));
        ForRow(row, [&](size_t i) HWY_ATTR {
          const VF x = hn::Sub(hn::LoadU(d, lab_[1] + i), a), y = hn::Sub(hn::LoadU(d, lab_[2] + i), b);
          return KeepNaN(within(x, y), hn::Add(x, y));
        });
        break;
      }
      case SL_MASK_EDGES:
        PushEdges(step, row);
        break;
      case SL_MASK_LENS:
        ForRow(row, [&](size_t i) HWY_ATTR { return LensLight(step, u.At(i), v.At(i)); });
        break;
      // `Weigh` handles these.
      case SL_MASK_INVERT:
      case SL_MASK_INTERSECT:
      case SL_MASK_ADD:
      case SL_MASK_SUBTRACT:
        break;
    }
  }

  HWY_INLINE void Combine(sl_mask_step_kind kind, float *below, const float *top) const {
    const DF d;
    const VF one = hn::Set(d, 1.0f);
    ForRow(below, [&](size_t i) HWY_ATTR {
      const VF x = hn::LoadU(d, below + i), y = hn::LoadU(d, top + i);
      if (kind == SL_MASK_INTERSECT) return hn::Mul(x, y);
      if (kind == SL_MASK_SUBTRACT) return hn::NegMulAdd(x, y, x);
      return hn::NegMulAdd(hn::Sub(one, x), hn::Sub(one, y), one);
    });
  }

  HWY_INLINE void PushEdges(const sl_mask_step &step, float *row) const {
    const DF d;
    if (grid_ == nullptr) {
      ForRow(row, [&](size_t) HWY_ATTR { return hn::Zero(d); });
      return;
    }
    const size_t count = static_cast<size_t>(grid_->detail_width) * static_cast<size_t>(grid_->detail_height);
    LightNodes<2> lines;
    lines.Prepare(grid_->edges + 2 * count * static_cast<size_t>(step.guide), grid_->detail_width,
                  grid_->detail_height, grid_->detail_map, column_, line_, n_);
    ForRow(row, [&](size_t i) HWY_ATTR {
      VF line[2];
      lines.At(i, line);
      const VF side = hn::MulAdd(line[0], hn::LoadU(d, light_ + i), line[1]);
      return SmoothStep(hn::MulSub(hn::Set(d, 2.0f), side, hn::Set(d, 0.5f)));
    });
  }

  HWY_INLINE void PushShape(const sl_mask_step &step, const MaskLine &u, const MaskLine &v,
                            float *row) const {
    if (v.step == 0 && PushShapeRow(step, u, v.start, row)) return;
    const DF d;
    const hn::RebindToSigned<DF> di;
    const int32_t right = step.width > 1 ? 1 : 0, below = step.height > 1 ? step.width : 0;
    const VF unit = hn::Set(d, 1.0f / 255.0f);
    const NodeEnds columns(step.width), rows(step.height);
    ForRow(row, [&](size_t i) HWY_ATTR {
      const NodeAxis across(u.At(i), columns), down(v.At(i), rows);
      HWY_ALIGN int32_t places[HWY_MAX_BYTES / 4];
      HWY_ALIGN float nodes[4][HWY_MAX_BYTES / 4];
      hn::Store(hn::Add(hn::Mul(down.first, hn::Set(di, step.width)), across.first), di, places);
      for (size_t k = 0; k < hn::Lanes(d); k++) {
        const uint8_t *node = step.nodes + places[k];
        nodes[0][k] = node[0], nodes[1][k] = node[right];
        nodes[2][k] = node[below], nodes[3][k] = node[below + right];
      }
      const auto between = [&](const float *a, const float *b) HWY_ATTR {
        const VF from = hn::Load(d, a);
        return hn::MulAdd(across.part, hn::Sub(hn::Load(d, b), from), from);
      };
      const VF top = between(nodes[0], nodes[1]), bottom = between(nodes[2], nodes[3]);
      return hn::Mul(hn::MulAdd(down.part, hn::Sub(bottom, top), top), unit);
    });
  }

  // The same where rows of pixels are rows of nodes: two of these are mixed once. False if the pixels reach
  // more nodes than there is room for.
  HWY_INLINE bool PushShapeRow(const sl_mask_step &step, const MaskLine &u, float v, float *row) const {
    const DF d;
    const hn::RebindToSigned<DF> di;
    const auto clipped = [](float place, int32_t count) {
      const float most = static_cast<float>(count - 1);
      return static_cast<int32_t>(place > 0 ? (place < most ? place : most) : 0);
    };
    // Whole vectors are computed.
    const float end = u.start + u.step * static_cast<float>(n_ + hn::Lanes(d));
    int32_t first = clipped(u.start < end ? u.start : end, step.width);
    // The last node but one is the first of the last pair, and rounding may take a place to the node before.
    first = first > 1 ? first - 2 : 0;
    const int32_t last = HWY_MIN(clipped(u.start < end ? end : u.start, step.width) + 2, step.width - 1);
    if (static_cast<size_t>(last - first) >= kMaskBlock + 8) return false;

    const float most = static_cast<float>(step.height - 1);
    const float inside = v > 0 ? (v < most ? v : most) : 0;
    const int32_t top = HWY_MIN(static_cast<int32_t>(inside), step.height > 1 ? step.height - 2 : 0);
    const float part = (inside - static_cast<float>(top)) * (1.0f / 255.0f);
    const uint8_t *upper = step.nodes + static_cast<size_t>(top) * static_cast<size_t>(step.width);
    const uint8_t *lower = upper + (step.height > 1 ? step.width : 0);
    float mixed[kMaskBlock + 16];
    for (int32_t i = first; i <= last; i++) {
      mixed[i - first] = (1.0f / 255.0f - part) * upper[i] + part * lower[i];
    }
    const auto right = hn::Set(di, step.width > 1 ? 1 : 0), origin = hn::Set(di, first);
    const NodeEnds columns(step.width);
    ForRow(row, [&](size_t i) HWY_ATTR {
      const NodeAxis across(u.At(i), columns);
      const auto at = hn::Sub(across.first, origin);
      const VF a = hn::GatherIndex(d, mixed, at), b = hn::GatherIndex(d, mixed, hn::Add(at, right));
      return hn::MulAdd(across.part, hn::Sub(b, a), a);
    });
    return true;
  }

  const int32_t column_, line_;
  // Of the first pixel's centre, and from one pixel to the next.
  double x_, y_, step_x_ = 1, step_y_ = 0;
  const size_t n_;
  const sl_light_grid *grid_;
  HWY_ALIGN float light_[kMaskBlock];
  HWY_ALIGN float lab_[3][kMaskBlock];
  HWY_ALIGN float rows_[SL_MASK_DEPTH][kMaskBlock];
};
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
