#pragma once
#include "Functions.h"
#include "VulkanCompute.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// libvulkan.so.1, opened on first use and never closed, since the drivers that it loads leave threads and
// destructors behind.
struct Loader {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
  GlobalFunctions functions;

  // Returns null on failure.
  static const Loader *Shared(vc_error *error);
};

}  // namespace safelight
#endif
