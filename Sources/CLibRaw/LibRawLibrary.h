// LibRaw, opened on first use: its functions, and the number of its threads.
#ifndef SAFELIGHT_LIBRAW_LIBRARY_H
#define SAFELIGHT_LIBRAW_LIBRARY_H

#include <libraw/libraw.h>

#include <string>

// The thread-safe build of the library, by the soname of the headers.
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
static_assert(LIBRAW_SHLIB_AGE == 0, "the soname's number is CURRENT - AGE");
#define SONAME "libraw_r.so." TEXT(LIBRAW_SHLIB_CURRENT)

namespace safelight {

#define LIBRAW_FUNCTIONS(X)        \
  X(libraw_init)                   \
  X(libraw_open_file)              \
  X(libraw_adjust_sizes_info_only) \
  X(libraw_unpack)                 \
  X(libraw_dcraw_process)          \
  X(libraw_recycle)                \
  X(libraw_close)                  \
  X(libraw_strerror)               \
  X(libraw_versionNumber)          \
  X(libraw_set_dataerror_handler)  \
  X(libraw_COLOR)

// Filled once, before the first use, and constant afterwards.
struct Library {
#define POINTER(name) decltype(&::name) name = nullptr;
  LIBRAW_FUNCTIONS(POINTER)
#undef POINTER
  // Functions of the OpenMP runtime that LibRaw is linked to; NULL if it was built without OpenMP.
  int (*omp_get_max_threads)() = nullptr;
  void (*omp_set_num_threads)(int) = nullptr;
  std::string failure;
};

// If `failure` is not empty, no function may be called.
const Library &libraw();

// Limits the threads that LibRaw uses when it is called from this thread; other threads keep their own
// limit.
class ThreadBound {
 public:
  // 0 keeps OpenMP's default: one thread per core.
  explicit ThreadBound(int threads) {
    if (threads < 1 || libraw().omp_get_max_threads == nullptr || libraw().omp_set_num_threads == nullptr)
      return;
    before_ = libraw().omp_get_max_threads();
    libraw().omp_set_num_threads(threads);
  }
  ~ThreadBound() {
    if (before_ > 0) libraw().omp_set_num_threads(before_);
  }
  ThreadBound(const ThreadBound &) = delete;
  ThreadBound &operator=(const ThreadBound &) = delete;

 private:
  int before_ = 0;
};

}  // namespace safelight

#endif
