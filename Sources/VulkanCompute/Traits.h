#pragma once
#include <cstdint>
#include <string>

#include "Instance.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// What a physical device can do, as far as it matters here.
struct Traits {
  VkPhysicalDeviceProperties properties = {};
  VkPhysicalDeviceDriverProperties driver = {};
  uint8_t device_uuid[VK_UUID_SIZE] = {};
  VkPhysicalDeviceMemoryProperties memory = {};
  // Where most of the device's own memory is: its largest device-local heap.
  uint32_t main_heap = 0;

  // VkPhysicalDeviceMaintenance3Properties, VkPhysicalDeviceMaintenance4Properties.
  uint64_t max_allocation_bytes = 0;
  uint64_t max_buffer_bytes = 0;

  // The family of queues that recordings go to, how many it has, and the bits of its clock.
  uint32_t queue_family = 0;
  uint32_t queue_count = 0;
  uint32_t timestamp_bits = 0;

  // VK_EXT_memory_budget.
  bool has_budget = false;
  // VK_EXT_external_memory_host and VkPhysicalDeviceExternalMemoryHostPropertiesEXT; 0 where it is missing.
  uint64_t import_alignment = 0;
  // VK_KHR_external_memory_fd and VK_EXT_external_memory_dma_buf; VK_EXT_queue_family_foreign.
  bool imports_dma_buf = false;
  bool dma_buf_is_dedicated = false;
  bool has_foreign_queues = false;

  // As vc_device_info has it.
  std::string problem;

  // Memory that processor and device share.
  bool SharesMemory() const {
    return properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU ||
           properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  }

  static Traits Of(const vc_instance &instance, VkPhysicalDevice device);
};

// What buffers are used for.
constexpr VkBufferUsageFlags kBufferUsage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

}  // namespace safelight
#endif
