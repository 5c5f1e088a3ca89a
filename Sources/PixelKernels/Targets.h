// Which instruction sets the kernels are compiled for. Included first by every kernel file.
//
// x86: EMU128 (plain code, the "scalar" of SAFELIGHT_SIMD), SSE4, AVX2, AVX3 (AVX-512), and in files that
// define HWY_WANT_AVX3_DL AVX3_DL (what Ice Lake added). Arm: NEON.
// SSSE3 saves no machine that matters and costs build time; SVE's vectors have no fixed size.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
