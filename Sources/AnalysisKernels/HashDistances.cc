#include <string.h>

#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "HashDistances.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D64 = hn::CappedTag<uint64_t, 8>;
using V64 = hn::Vec<D64>;

// The bits of one word of the hashes that differ from a word.
HWY_INLINE V64 Differing(D64 d, const uint64_t *words, uint64_t word) {
  return hn::PopulationCount(hn::Xor(hn::LoadU(d, words), hn::Set(d, word)));
}

// Those among the lanes that are near, counted from `first`; `lanes` of them count.
HWY_INLINE size_t NearOfLanes(const uint64_t *const words[4], const uint64_t *hash, uint32_t limit,
                              size_t first, size_t lanes, uint32_t *found) {
  const D64 d;
  const hn::RebindToSigned<D64> signed_d;
  // Counts are small, and few instruction sets compare 64 unsigned bits.
  const auto too_many = hn::Set(signed_d, static_cast<int64_t>(limit) + 1);
  V64 distance = hn::Add(Differing(d, words[0], hash[0]), Differing(d, words[1], hash[1]));
  // Of unrelated hashes, half of all bits differ: nearly always this is too many.
  if (HWY_LIKELY(hn::AllFalse(signed_d, hn::Lt(hn::BitCast(signed_d, distance), too_many)))) return 0;
  distance = hn::Add(distance, hn::Add(Differing(d, words[2], hash[2]), Differing(d, words[3], hash[3])));
  // Highway may write a whole word of a mask's bits.
  uint8_t bits[8] = {};
  hn::StoreMaskBits(signed_d, hn::Lt(hn::BitCast(signed_d, distance), too_many), bits);
  size_t total = 0;
  for (size_t lane = 0; lane < lanes; lane++) {
    if (bits[0] >> lane & 1) found[total++] = static_cast<uint32_t>(first + lane);
  }
  return total;
}

size_t NearHashes(const sla_hash_words *hashes, size_t count, const uint64_t *hash, uint32_t limit,
                  uint32_t *found) {
  const size_t lanes = hn::Lanes(D64());
  size_t total = 0, i = 0;
  for (; i + lanes <= count; i += lanes) {
    const uint64_t *const words[4] = {hashes->words[0] + i, hashes->words[1] + i, hashes->words[2] + i,
                                      hashes->words[3] + i};
    total += NearOfLanes(words, hash, limit, i, lanes, found + total);
  }
  if (i < count) {
    uint64_t rest[4][8] = {};
    for (size_t word = 0; word < 4; word++) memcpy(rest[word], hashes->words[word] + i, 8 * (count - i));
    const uint64_t *const words[4] = {rest[0], rest[1], rest[2], rest[3]};
    total += NearOfLanes(words, hash, limit, i, count - i, found + total);
  }
  return total;
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(NearHashes);
}  // namespace safelight_analysis

extern "C" size_t sla_near_hashes(const sla_hash_words *hashes, size_t count, const uint64_t *hash,
                                  uint32_t limit, uint32_t *found) {
  return SL_KERNEL(safelight_analysis::NearHashes)(hashes, count, hash, limit, found);
}
#endif
