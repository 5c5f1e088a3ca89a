// The instruction sets that the kernels are compiled for. Every kernel file includes this first.
//
// x86: EMU128 (plain code, the "scalar" of SAFELIGHT_SIMD), SSE4, AVX2, AVX3 (AVX-512), and AVX3_DL (Ice
// Lake's additions) in files that define HWY_WANT_AVX3_DL. Arm: NEON. SSSE3 matters for no relevant machine
// and costs build time; SVE's vectors have no fixed size.
//
// SL_OMITTED_TARGETS: further sets that are left out. Tests are built without those that the machine cannot
// run (Tests/build).
#ifndef SL_OMITTED_TARGETS
#define SL_OMITTED_TARGETS 0
#endif
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | SL_OMITTED_TARGETS)

// The function as compiled for the set in use. HWY_DYNAMIC_DISPATCH calls an inline function that knows which
// sets its file was compiled for; without optimization the linker keeps one copy for all files, and files
// with more sets than that one never use the additional sets.
#define SL_KERNEL(FUNCTION) (*HWY_DISPATCH_TABLE(FUNCTION)[sl_kernel_index(HWY_CHOSEN_TARGET_MASK_TARGETS)])
