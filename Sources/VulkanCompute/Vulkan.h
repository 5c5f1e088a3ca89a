#pragma once
// The header of Vulkan without its functions, which the loader gives at run time. Where it is missing, or
// older than 1.3, NotBuilt.cc is all there is.
#if __has_include(<vulkan/vulkan_core.h>)
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>
#endif

#ifdef VK_API_VERSION_1_3
#define SAFELIGHT_HAS_VULKAN 1
#else
#define SAFELIGHT_HAS_VULKAN 0
#endif
