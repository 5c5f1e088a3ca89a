// Which instruction sets the kernels are compiled for. Included first by every kernel file.
//
// x86: EMU128 (plain code, the "scalar" of SAFELIGHT_SIMD), SSE4, AVX2, AVX3 (AVX-512), and in files that
// define HWY_WANT_AVX3_DL AVX3_DL (what Ice Lake added). Arm: NEON.
// SSSE3 saves no machine that matters and costs build time; SVE's vectors have no fixed size.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

// The function as compiled for the set in use. HWY_DYNAMIC_DISPATCH asks an inline function that knows which
// sets its file was compiled for; without optimization the linker keeps one of them for all files, and the
// files that have more sets than that one are never asked for them.
#define SL_KERNEL(FUNCTION) (*HWY_DISPATCH_TABLE(FUNCTION)[sl_kernel_index(HWY_CHOSEN_TARGET_MASK_TARGETS)])
