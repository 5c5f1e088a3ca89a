#include "LibRawLibrary.h"

#include <dlfcn.h>

namespace safelight {
namespace {

Library open_library() {
  Library library;
  void *handle = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    library.failure = dlerror();
    return library;
  }
#define LOOK_UP(name)                                                       \
  library.name = reinterpret_cast<decltype(&::name)>(dlsym(handle, #name)); \
  if (library.name == nullptr) {                                            \
    library.failure = "it has no function " #name;                          \
    return library;                                                         \
  }
  LIBRAW_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  // Found through LibRaw's dependencies, whichever OpenMP runtime it uses.
  library.omp_get_max_threads = reinterpret_cast<int (*)()>(dlsym(handle, "omp_get_max_threads"));
  library.omp_set_num_threads = reinterpret_cast<void (*)(int)>(dlsym(handle, "omp_set_num_threads"));
  const int version = library.libraw_versionNumber();
  if (version >> 8 != LIBRAW_VERSION >> 8) {
    library.failure = "its version is not the one that Safelight was built with";
  }
  return library;
}

}  // namespace

const Library &libraw() {
  static const Library library = open_library();
  return library;
}

}  // namespace safelight
