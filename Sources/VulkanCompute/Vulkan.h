#pragma once
// Vulkan's header without its functions, which the loader provides at run time. If it is missing, or older
// than 1.3, only NotBuilt.cc is compiled.
#if __has_include(<vulkan/vulkan_core.h>)
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>
#endif

#ifdef VK_API_VERSION_1_3
#define SAFELIGHT_HAS_VULKAN 1
#else
#define SAFELIGHT_HAS_VULKAN 0
#endif
