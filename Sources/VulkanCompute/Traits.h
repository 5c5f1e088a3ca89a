#pragma once
#include <cstdint>
#include <string>

#include "Instance.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// The capabilities of a physical device that matter here.
struct Traits {
  VkPhysicalDeviceProperties properties = {};
  VkPhysicalDeviceDriverProperties driver = {};
  uint8_t device_uuid[VK_UUID_SIZE] = {};
  VkPhysicalDeviceMemoryProperties memory = {};
  // The heap with most of the device's own memory: its largest device-local heap.
  uint32_t main_heap = 0;

  // VkPhysicalDeviceMaintenance3Properties, VkPhysicalDeviceMaintenance4Properties.
  uint64_t max_allocation_bytes = 0;
  uint64_t max_buffer_bytes = 0;

  // The queue family for recordings, its number of queues, and the bits of its timestamps.
  uint32_t queue_family = 0;
  uint32_t queue_count = 0;
  uint32_t timestamp_bits = 0;

  // VK_EXT_memory_budget.
  bool has_budget = false;
  // VK_EXT_external_memory_host and VkPhysicalDeviceExternalMemoryHostPropertiesEXT; 0 if missing.
  uint64_t import_alignment = 0;
  // VK_KHR_external_memory_fd and VK_EXT_external_memory_dma_buf; VK_EXT_queue_family_foreign.
  bool imports_dma_buf = false;
  bool dma_buf_is_dedicated = false;
  bool has_foreign_queues = false;

  // As in vc_device_info.
  std::string problem;

  // Whether processor and device share memory.
  bool SharesMemory() const {
    return properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU ||
           properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  }

  static Traits Of(const vc_instance &instance, VkPhysicalDevice device);
};

// The usage of all buffers.
constexpr VkBufferUsageFlags kBufferUsage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

}  // namespace safelight
#endif
