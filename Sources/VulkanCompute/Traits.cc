#include "Traits.h"

#if SAFELIGHT_HAS_VULKAN
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "Error.h"

namespace safelight {
namespace {

class Extensions {
 public:
  Extensions(const vc_instance &instance, VkPhysicalDevice device) {
    uint32_t count = 0;
    if (instance.vk.EnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr) != VK_SUCCESS)
      return;
    list_.resize(count);
    if (instance.vk.EnumerateDeviceExtensionProperties(device, nullptr, &count, list_.data()) < VK_SUCCESS) {
      count = 0;
    }
    list_.resize(count);
  }

  bool Has(const char *name) const {
    return std::any_of(list_.begin(), list_.end(), [name](const VkExtensionProperties &extension) {
      return strcmp(extension.extensionName, name) == 0;
    });
  }

 private:
  std::vector<VkExtensionProperties> list_;
};

// A family without graphics has hardware queues separate from those that draw the screen.
std::optional<uint32_t> ComputeFamily(const std::vector<VkQueueFamilyProperties> &families) {
  std::optional<uint32_t> found;
  for (uint32_t index = 0; index < families.size(); ++index) {
    const VkQueueFlags flags = families[index].queueFlags;
    if ((flags & VK_QUEUE_COMPUTE_BIT) == 0 || families[index].queueCount == 0) continue;
    if ((flags & VK_QUEUE_GRAPHICS_BIT) == 0) return index;
    if (!found) found = index;
  }
  return found;
}

uint32_t LargestDeviceHeap(const VkPhysicalDeviceMemoryProperties &memory) {
  uint32_t largest = 0;
  VkDeviceSize bytes = 0;
  for (uint32_t index = 0; index < memory.memoryHeapCount; ++index) {
    const VkMemoryHeap &heap = memory.memoryHeaps[index];
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0 && heap.size > bytes) {
      largest = index;
      bytes = heap.size;
    }
  }
  return largest;
}

std::string MissingFeatures(const vc_instance &instance, VkPhysicalDevice device) {
  VkPhysicalDeviceVulkan13Features features13 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan12Features features12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  features12.pNext = &features13;
  features.pNext = &features12;
  instance.vk.GetPhysicalDeviceFeatures2(device, &features);
  std::string missing;
  const auto require = [&missing](VkBool32 has, const char *name) {
    if (has == VK_TRUE) return;
    missing += (missing.empty() ? "" : ", ") + std::string(name);
  };
  require(features12.timelineSemaphore, "timelineSemaphore");
  require(features13.synchronization2, "synchronization2");
  require(features13.maintenance4, "maintenance4");
  return missing;
}

std::string ProblemOf(const vc_instance &instance, VkPhysicalDevice device, const Traits &traits) {
  const uint32_t version = traits.properties.apiVersion;
  if (version < VK_API_VERSION_1_3) {
    return "has Vulkan " + std::to_string(VK_API_VERSION_MAJOR(version)) + "." +
           std::to_string(VK_API_VERSION_MINOR(version)) + "; 1.3 is needed";
  }
  if (traits.queue_count == 0) return "has no queue for compute";
  const std::string missing = MissingFeatures(instance, device);
  return missing.empty() ? "" : "lacks " + missing;
}

VkExternalMemoryProperties ImportOf(const vc_instance &instance, VkPhysicalDevice device,
                                    VkExternalMemoryHandleTypeFlagBits type) {
  VkPhysicalDeviceExternalBufferInfo info = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO};
  info.usage = kBufferUsage;
  info.handleType = type;
  VkExternalBufferProperties properties = {VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
  instance.vk.GetPhysicalDeviceExternalBufferProperties(device, &info, &properties);
  return properties.externalMemoryProperties;
}

void ReadProperties(const vc_instance &instance, VkPhysicalDevice device, const Extensions &extensions,
                    Traits *traits) {
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
  VkPhysicalDeviceMaintenance4Properties maintenance4 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
  VkPhysicalDeviceMaintenance3Properties maintenance3 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
  VkPhysicalDeviceIDProperties identity = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  traits->driver = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  properties.pNext = &identity;
  identity.pNext = &maintenance3;
  maintenance3.pNext = &traits->driver;
  traits->driver.pNext = &maintenance4;
  if (extensions.Has(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) maintenance4.pNext = &host;
  // These properties are only known from the given version on.
  if (traits->properties.apiVersion < VK_API_VERSION_1_1) return;
  if (traits->properties.apiVersion < VK_API_VERSION_1_2) maintenance3.pNext = nullptr;
  if (traits->properties.apiVersion < VK_API_VERSION_1_3) traits->driver.pNext = nullptr;
  instance.vk.GetPhysicalDeviceProperties2(device, &properties);
  traits->driver.pNext = nullptr;

  memcpy(traits->device_uuid, identity.deviceUUID, sizeof traits->device_uuid);
  traits->max_allocation_bytes = maintenance3.maxMemoryAllocationSize;
  traits->max_buffer_bytes = maintenance4.maxBufferSize;
  traits->import_alignment = host.minImportedHostPointerAlignment;
}

}  // namespace

Traits Traits::Of(const vc_instance &instance, VkPhysicalDevice device) {
  Traits traits;
  const Extensions extensions(instance, device);
  instance.vk.GetPhysicalDeviceProperties(device, &traits.properties);
  ReadProperties(instance, device, extensions, &traits);

  uint32_t count = 0;
  instance.vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  instance.vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  if (const std::optional<uint32_t> family = ComputeFamily(families)) {
    traits.queue_family = *family;
    traits.queue_count = families[*family].queueCount;
    traits.timestamp_bits = families[*family].timestampValidBits;
  }

  traits.problem = ProblemOf(instance, device, traits);
  VkPhysicalDeviceMemoryProperties2 memory = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
  if (traits.properties.apiVersion >= VK_API_VERSION_1_1) {
    instance.vk.GetPhysicalDeviceMemoryProperties2(device, &memory);
  }
  traits.memory = memory.memoryProperties;
  traits.main_heap = LargestDeviceHeap(traits.memory);
  if (!traits.problem.empty()) return traits;

  traits.has_budget = extensions.Has(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  traits.has_foreign_queues = extensions.Has(VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME);
  const auto is_importable = [](const VkExternalMemoryProperties &properties) {
    return (properties.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT) != 0;
  };
  if (traits.import_alignment > 0 &&
      !is_importable(ImportOf(instance, device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT))) {
    traits.import_alignment = 0;
  }
  if (extensions.Has(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME) &&
      extensions.Has(VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME)) {
    const VkExternalMemoryProperties properties =
        ImportOf(instance, device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT);
    traits.imports_dma_buf = is_importable(properties);
    traits.dma_buf_is_dedicated =
        (properties.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) != 0;
  }
  return traits;
}

}  // namespace safelight

namespace {

vc_kind KindOf(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return VC_KIND_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return VC_KIND_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return VC_KIND_VIRTUAL;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return VC_KIND_CPU;
    default:
      return VC_KIND_OTHER;
  }
}

}  // namespace

void vc_device_describe(const vc_instance *instance, size_t index, vc_device_info *info) {
  *info = {};
  if (index >= instance->devices.size()) {
    snprintf(info->problem, sizeof info->problem, "there is no device %zu", index);
    return;
  }
  const bool done = safelight::Guarded(static_cast<vc_error *>(nullptr), false, [&] {
    const safelight::Traits traits = safelight::Traits::Of(*instance, instance->devices[index]);
    snprintf(info->name, sizeof info->name, "%s", traits.properties.deviceName);
    if (traits.driver.driverInfo[0] == 0) {
      snprintf(info->driver, sizeof info->driver, "%s", traits.driver.driverName);
    } else {
      snprintf(info->driver, sizeof info->driver, "%.120s %.120s", traits.driver.driverName,
               traits.driver.driverInfo);
    }
    info->kind = KindOf(traits.properties.deviceType);
    info->api_major = VK_API_VERSION_MAJOR(traits.properties.apiVersion);
    info->api_minor = VK_API_VERSION_MINOR(traits.properties.apiVersion);
    info->api_patch = VK_API_VERSION_PATCH(traits.properties.apiVersion);
    info->vendor = traits.properties.vendorID;
    info->device = traits.properties.deviceID;
    memcpy(info->pipeline_cache_uuid, traits.properties.pipelineCacheUUID, sizeof info->pipeline_cache_uuid);
    memcpy(info->device_uuid, traits.device_uuid, sizeof info->device_uuid);
    if (traits.memory.memoryHeapCount > 0)
      info->memory_bytes = traits.memory.memoryHeaps[traits.main_heap].size;
    info->group_invocations = traits.properties.limits.maxComputeWorkGroupInvocations;
    info->shared_bytes = traits.properties.limits.maxComputeSharedMemorySize;
    snprintf(info->problem, sizeof info->problem, "%s", traits.problem.c_str());
    return true;
  });
  if (!done) snprintf(info->problem, sizeof info->problem, "could not be described: out of memory");
}
#endif
