
#include <stdlib.h>
#include <string.h>

#include <atomic>

// Some kernels have code for this set, which Highway omits by default.
#define HWY_WANT_AVX3_DL
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "InstructionSet.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
const char *Name() { return hwy::TargetName(HWY_TARGET); }
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
namespace {
HWY_EXPORT(Name);

// The sets that the processor supports. Only the choice is ever changed: if it were reset first, a kernel
// starting on another thread at that moment would choose for everyone.
int64_t All() {
  static const int64_t all = hwy::SupportedTargets();
  return all;
}

// In the format of Highway's ChosenTarget: one bit for each entry of a dispatch table, better sets lower.
std::atomic<int64_t> chosen{0};

void Choose(int64_t targets) {
  chosen.store(HWY_CHOSEN_TARGET_SHIFT(targets) | HWY_CHOSEN_TARGET_MASK_SCALAR, std::memory_order_relaxed);
}

bool Limit(const char *name) {
  struct Level {
    const char *name;
    int64_t best;
  };
  static const Level levels[] = {{"scalar", HWY_EMU128},
                                 {"sse4", HWY_SSE4},
                                 {"avx2", HWY_AVX2},
                                 {"avx512", HWY_AVX3},
                                 {"avx512icl", HWY_AVX3_DL}};
  for (const Level &level : levels) {
    if (strcmp(name, level.name) != 0) continue;
    const int64_t allowed = All() & ~(level.best - 1);
    Choose((allowed & HWY_TARGETS) != 0 ? allowed : All());
    return true;
  }
  return false;
}

bool LimitFromEnvironment() {
  const char *name = getenv("SAFELIGHT_SIMD");
  if (name == nullptr || *name == 0) {
    Choose(All());
    return true;
  }
  return Limit(name);
}

// An unknown name leaves all sets available; the program calls sl_limit_instruction_set at start-up and
// reports it.
void ChooseOnce() {
  static const bool known = (Choose(All()), LimitFromEnvironment());
  (void)known;
}
}  // namespace
}  // namespace safelight

extern "C" size_t sl_kernel_index(int64_t compiled) {
  safelight::ChooseOnce();
  const int64_t usable = safelight::chosen.load(std::memory_order_relaxed) & compiled;
  return hwy::Num0BitsBelowLS1Bit_Nonzero64(static_cast<uint64_t>(usable));
}

extern "C" const char *sl_instruction_set(void) { return SL_KERNEL(safelight::Name)(); }

extern "C" int sl_limit_instruction_set(const char *name) {
  safelight::ChooseOnce();
  return name == nullptr ? safelight::LimitFromEnvironment() : safelight::Limit(name);
}
#endif
