#include "InstructionSet.h"

#include <stdlib.h>
#include <string.h>

#include <atomic>

// Some kernels have code for this set, which Highway leaves out unless asked.
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

// What the processor has. Only the choice is ever changed: were it taken back first, a kernel that starts on
// another thread at that moment would choose for everyone.
int64_t All() {
  static const int64_t all = hwy::SupportedTargets();
  return all;
}

// Highway orders its bits so that a better target has a lower one; `at_least` keeps that one and all worse.
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
    hwy::GetChosenTarget().Update((allowed & HWY_TARGETS) != 0 ? allowed : All());
    return true;
  }
  return false;
}

bool LimitFromEnvironment() {
  const char *name = getenv("SAFELIGHT_SIMD");
  if (name == nullptr || *name == 0) {
    hwy::GetChosenTarget().Update(All());
    return true;
  }
  return Limit(name);
}
}  // namespace

void ChooseInstructionSetOnce() {
  static const bool chosen = LimitFromEnvironment();
  (void)chosen;
}
}  // namespace safelight

extern "C" void sl_choose_instruction_set(void) { safelight::ChooseInstructionSetOnce(); }

extern "C" const char *sl_instruction_set(void) {
  safelight::ChooseInstructionSetOnce();
  return HWY_DYNAMIC_DISPATCH(safelight::Name)();
}

extern "C" int sl_limit_instruction_set(const char *name) {
  safelight::ChooseInstructionSetOnce();
  return name == nullptr ? safelight::LimitFromEnvironment() : safelight::Limit(name);
}
#endif
