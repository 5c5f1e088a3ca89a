// Which instruction sets the kernels are compiled for. Included first by every kernel file.
//
// x86: EMU128 (plain code), SSE4, AVX2, AVX3 (AVX-512). Arm: NEON. These kernels gain nothing from what
// SSSE3 or Ice Lake have over their neighbours; SVE's vectors have no fixed size.
//
// Every set gives the same bits: no product is fused with a sum, and sums are taken in an order that does not
// depend on the length of vectors. So the same picture gives the same answer on every machine.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

// Both as PixelKernels and its Targets.h have them, and why. Included, clang would take the header of another
// package module for a C++20 module to be imported.
extern "C" __SIZE_TYPE__ sl_kernel_index(__INT64_TYPE__ compiled);
#define SL_KERNEL(FUNCTION) (*HWY_DISPATCH_TABLE(FUNCTION)[sl_kernel_index(HWY_CHOSEN_TARGET_MASK_TARGETS)])
