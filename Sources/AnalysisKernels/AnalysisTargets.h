// The instruction sets that the kernels are compiled for. Every kernel file includes this first.
//
// x86: EMU128 (plain code), SSE4, AVX2, AVX3 (AVX-512). Arm: NEON. SSSE3 and Ice Lake's additions gain
// nothing here over their neighbours; SVE's vectors have no fixed size.
//
// Every set gives the same bits: products are never fused with sums, and the order of sums does not depend on
// the vector length. So the same picture gives the same answer on every machine.
#ifndef SL_OMITTED_TARGETS
#define SL_OMITTED_TARGETS 0
#endif
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | SL_OMITTED_TARGETS)

// Copied from PixelKernels and its Targets.h, where the reasons are given. Including them would make clang
// import another package module's header as a C++20 module.
extern "C" __SIZE_TYPE__ sl_kernel_index(__INT64_TYPE__ compiled);
#define SL_KERNEL(FUNCTION) (*HWY_DISPATCH_TABLE(FUNCTION)[sl_kernel_index(HWY_CHOSEN_TARGET_MASK_TARGETS)])
