#pragma once
#include "Vulkan.h"

#if SAFELIGHT_HAS_VULKAN
// Vulkan's functions without their prefix, in one table for each level of look-up.
#define VC_GLOBAL_FUNCTIONS(F) \
  F(CreateInstance)            \
  F(EnumerateInstanceVersion)  \
  F(EnumerateInstanceLayerProperties)

#define VC_INSTANCE_FUNCTIONS(F)               \
  F(DestroyInstance)                           \
  F(EnumeratePhysicalDevices)                  \
  F(GetPhysicalDeviceProperties)               \
  F(GetPhysicalDeviceProperties2)              \
  F(GetPhysicalDeviceFeatures2)                \
  F(GetPhysicalDeviceMemoryProperties2)        \
  F(GetPhysicalDeviceQueueFamilyProperties)    \
  F(GetPhysicalDeviceExternalBufferProperties) \
  F(EnumerateDeviceExtensionProperties)        \
  F(CreateDevice)                              \
  F(GetDeviceProcAddr)

#define VC_DEVICE_FUNCTIONS(F)         \
  F(DestroyDevice)                     \
  F(GetDeviceQueue)                    \
  F(DeviceWaitIdle)                    \
  F(QueueSubmit2)                      \
  F(CreatePipelineCache)               \
  F(DestroyPipelineCache)              \
  F(GetPipelineCacheData)              \
  F(CreateBuffer)                      \
  F(DestroyBuffer)                     \
  F(GetBufferMemoryRequirements)       \
  F(GetDeviceBufferMemoryRequirements) \
  F(AllocateMemory)                    \
  F(FreeMemory)                        \
  F(BindBufferMemory)                  \
  F(MapMemory)                         \
  F(FlushMappedMemoryRanges)           \
  F(InvalidateMappedMemoryRanges)      \
  F(CreateDescriptorSetLayout)         \
  F(DestroyDescriptorSetLayout)        \
  F(CreateDescriptorPool)              \
  F(DestroyDescriptorPool)             \
  F(AllocateDescriptorSets)            \
  F(UpdateDescriptorSets)              \
  F(CreatePipelineLayout)              \
  F(DestroyPipelineLayout)             \
  F(CreateShaderModule)                \
  F(DestroyShaderModule)               \
  F(CreateComputePipelines)            \
  F(DestroyPipeline)                   \
  F(CreateCommandPool)                 \
  F(DestroyCommandPool)                \
  F(ResetCommandPool)                  \
  F(AllocateCommandBuffers)            \
  F(BeginCommandBuffer)                \
  F(EndCommandBuffer)                  \
  F(CmdCopyBuffer)                     \
  F(CmdBindPipeline)                   \
  F(CmdBindDescriptorSets)             \
  F(CmdPushConstants)                  \
  F(CmdDispatch)                       \
  F(CmdPipelineBarrier2)               \
  F(CmdResetQueryPool)                 \
  F(CmdWriteTimestamp2)                \
  F(CreateQueryPool)                   \
  F(DestroyQueryPool)                  \
  F(GetQueryPoolResults)               \
  F(CreateSemaphore)                   \
  F(DestroySemaphore)                  \
  F(WaitSemaphores)                    \
  F(GetSemaphoreCounterValue)

// Functions of extensions: null if the device lacks them.
#define VC_EXTENSION_FUNCTIONS(F)      \
  F(GetMemoryHostPointerPropertiesEXT) \
  F(GetMemoryFdPropertiesKHR)

#define VC_POINTER(name) PFN_vk##name name = nullptr;

namespace safelight {

struct GlobalFunctions {
  VC_GLOBAL_FUNCTIONS(VC_POINTER)
};

struct InstanceFunctions {
  VC_INSTANCE_FUNCTIONS(VC_POINTER)
};

struct DeviceFunctions {
  VC_DEVICE_FUNCTIONS(VC_POINTER)
  VC_EXTENSION_FUNCTIONS(VC_POINTER)
};

}  // namespace safelight

#undef VC_POINTER
#endif
