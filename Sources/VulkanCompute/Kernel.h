#pragma once
#include "Device.h"

#if SAFELIGHT_HAS_VULKAN
struct vc_kernel {
  vc_device &device;
  size_t buffers;
  size_t parameter_bytes;
  safelight::Owned<VkPipelineLayout> layout;
  safelight::Owned<VkPipeline> pipeline;
};
#endif
