#include "Loader.h"

#if SAFELIGHT_HAS_VULKAN
#include <dlfcn.h>

#include <string>

#include "Error.h"

namespace safelight {
namespace {

struct Opening {
  Loader loader;
  std::string failure;

  Opening() {
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char *reason = dlerror();
      failure = reason != nullptr ? reason : "libvulkan.so.1 could not be opened";
      return;
    }
    loader.GetInstanceProcAddr =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
    if (loader.GetInstanceProcAddr == nullptr) {
      failure = "libvulkan.so.1 has no vkGetInstanceProcAddr";
      return;
    }
#define VC_LOAD(name)                                                                         \
  loader.functions.name =                                                                     \
      reinterpret_cast<PFN_vk##name>(loader.GetInstanceProcAddr(VK_NULL_HANDLE, "vk" #name)); \
  if (loader.functions.name == nullptr)                                                       \
    failure = "libvulkan.so.1 is older than Vulkan 1.1: it has no vk" #name;
    VC_GLOBAL_FUNCTIONS(VC_LOAD)
#undef VC_LOAD
  }
};

}  // namespace

const Loader *Loader::Shared(vc_error *error) {
  static const Opening opening;
  if (opening.failure.empty()) return &opening.loader;
  Fail(error, VC_NO_LOADER, "%s", opening.failure.c_str());
  return nullptr;
}

}  // namespace safelight
#endif
