#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "MergeAverage.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using DI = hn::RebindToSigned<DF>;
using VF = hn::Vec<DF>;

constexpr ptrdiff_t kRim = SLA_MERGE_RADIUS;

// One channel's function, linear between entries, constant beyond its ends.
struct Table {
  const float *entries;
  VF from, scale, last;

  HWY_INLINE Table(const sla_function_tables &tables, int channel)
      : entries(tables.entries + channel * static_cast<ptrdiff_t>(tables.count)) {
    const DF d;
    from = hn::Set(d, tables.from);
    scale = hn::Set(d, static_cast<float>(tables.count - 1) / (tables.to - tables.from));
    last = hn::Set(d, static_cast<float>(tables.count - 1));
  }

  HWY_INLINE VF operator()(VF x) const {
    const DF d;
    const DI di;
    const VF place = hn::Min(hn::Max(hn::Mul(hn::Sub(x, from), scale), hn::Zero(d)), last);
    const auto entry = hn::Min(hn::ConvertTo(di, place), hn::Sub(hn::ConvertTo(di, last), hn::Set(di, 1)));
    const VF part = hn::Sub(place, hn::ConvertTo(d, entry));
    const VF a = hn::GatherIndex(d, entries, entry), b = hn::GatherIndex(d, entries + 1, entry);
    return hn::Add(a, hn::Mul(part, hn::Sub(b, a)));
  }
};

double Add(const sla_window *frame, const sla_window *weights, const sla_function_tables *decode,
           const sla_window *sums) {
  const DF d;
  const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
  const Table tables[3] = {Table(*decode, 0), Table(*decode, 1), Table(*decode, 2)};
  double total = 0;
  for (int32_t j = 0; j < weights->height; j++) {
    const float *const weight_row = weights->samples + j * weights->row;
    for (int32_t i = 0; i < weights->width; i += lanes) {
      const VF w = hn::LoadU(d, weight_row + i);
      // Much of what moves has no weight at all.
      if (hn::AllTrue(d, hn::Eq(w, hn::Zero(d)))) continue;
      float *const out = sums->samples + j * sums->row + i;
      for (int c = 0; c < 3; c++) {
        const VF code = hn::LoadU(d, frame->samples + c * frame->plane + (j + kRim) * frame->row + i + kRim);
        const VF sum = hn::LoadU(d, out + c * sums->plane);
        hn::StoreU(hn::Add(sum, hn::Mul(w, tables[c](code))), d, out + c * sums->plane);
      }
      hn::StoreU(hn::Add(hn::LoadU(d, out + 3 * sums->plane), w), d, out + 3 * sums->plane);
    }
    float row_total = 0;
    for (int32_t i = 0; i < weights->width; i++) row_total += weight_row[i];
    total += row_total;
  }
  return total;
}

void Store(const sla_window *reference, const sla_window *sums, const sla_function_tables *decode,
           const sla_function_tables *encode, uint16_t *output, ptrdiff_t output_row_bytes) {
  const DF d;
  const DI di;
  const hn::Rebind<uint16_t, DF> d16;
  const int32_t lanes = static_cast<int32_t>(hn::Lanes(d));
  const Table decoders[3] = {Table(*decode, 0), Table(*decode, 1), Table(*decode, 2)};
  const Table encoders[3] = {Table(*encode, 0), Table(*encode, 1), Table(*encode, 2)};
  const VF one = hn::Set(d, 1.0f), full = hn::Set(d, 65535.0f), half = hn::Set(d, 0.5f);
  for (int32_t j = 0; j < sums->height; j++) {
    uint16_t *const out = output + j * (output_row_bytes / 2);
    for (int32_t i = 0; i < sums->width; i += lanes) {
      const float *const at = sums->samples + j * sums->row + i;
      const VF weight = hn::LoadU(d, at + 3 * sums->plane), all = hn::Add(weight, one);
      const auto is_alone = hn::Eq(weight, hn::Zero(d));
      hn::Vec<decltype(d16)> codes[3];
      for (int c = 0; c < 3; c++) {
        const VF own =
            hn::LoadU(d, reference->samples + c * reference->plane + (j + kRim) * reference->row + i + kRim);
        const VF light = hn::Div(hn::Add(decoders[c](own), hn::LoadU(d, at + c * sums->plane)), all);
        const VF code = encoders[c](hn::Sqrt(hn::Max(light, hn::Zero(d))));
        const VF value = hn::Min(hn::Max(hn::IfThenElse(is_alone, own, code), hn::Zero(d)), one);
        codes[c] = hn::DemoteTo(d16, hn::ConvertTo(di, hn::Add(hn::Mul(value, full), half)));
      }
      const auto opaque = hn::Set(d16, uint16_t{65535});
      if (i + lanes <= sums->width) {
        hn::StoreInterleaved4(codes[0], codes[1], codes[2], opaque, d16, out + 4 * i);
      } else {
        HWY_ALIGN uint16_t rest[64];
        hn::StoreInterleaved4(codes[0], codes[1], codes[2], opaque, d16, rest);
        for (int32_t k = 0; k < 4 * (sums->width - i); k++) out[4 * i + k] = rest[k];
      }
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(Add);
HWY_EXPORT(Store);
}  // namespace safelight_analysis

extern "C" double sla_merge_add(const sla_window *frame, const sla_window *weights,
                                const sla_function_tables *decode, const sla_window *sums) {
  return SL_KERNEL(safelight_analysis::Add)(frame, weights, decode, sums);
}

extern "C" void sla_merge_store(const sla_window *reference, const sla_window *sums,
                                const sla_function_tables *decode, const sla_function_tables *encode,
                                uint16_t *output, ptrdiff_t output_row_bytes) {
  SL_KERNEL(safelight_analysis::Store)(reference, sums, decode, encode, output, output_row_bytes);
}
#endif
