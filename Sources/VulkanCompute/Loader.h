#pragma once
#include "Functions.h"
#include "VulkanCompute.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// libvulkan.so.1, opened by the first who asks and never closed, since drivers that it opened leave threads
// and destructors behind.
struct Loader {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
  GlobalFunctions functions;

  // Null on failure.
  static const Loader *Shared(vc_error *error);
};

}  // namespace safelight
#endif
