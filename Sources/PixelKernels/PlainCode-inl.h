// SL_SHARED: marks functions that are inlined for every instruction set but EMU128. There each operation is a
// loop over the lanes, so that copies of a long function would be most of the kernels' code and of the time
// they take to compile.
//
// Include after hwy/highway.h; read again for every instruction set.
#undef SL_SHARED
#if HWY_TARGET == HWY_EMU128
#define SL_SHARED static HWY_NOINLINE
#else
#define SL_SHARED HWY_INLINE
#endif
