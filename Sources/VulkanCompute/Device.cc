#include "Device.h"

#if SAFELIGHT_HAS_VULKAN
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "Error.h"
#include "MemoryTypes.h"

using safelight::Fail;
using safelight::Guarded;
using safelight::Owned;

vc_device::vc_device(const vc_instance &instance, VkPhysicalDevice physical)
    : instance(instance), physical(physical), traits(safelight::Traits::Of(instance, physical)) {}

vc_device::~vc_device() {
  if (handle == VK_NULL_HANDLE || vk.DestroyDevice == nullptr) return;
  if (vk.DeviceWaitIdle != nullptr) vk.DeviceWaitIdle(handle);
  for (auto &layout : set_layouts) layout = {};
  cache = {};
  vk.DestroyDevice(handle, nullptr);
}

bool vc_device::Check(VkResult result, vc_error *error, const char *call, ...) {
  if (result == VK_SUCCESS) return true;
  if (result == VK_ERROR_DEVICE_LOST) is_lost_.store(true, std::memory_order_release);
  va_list values;
  va_start(values, call);
  safelight::CheckWith(result, error, call, values);
  va_end(values);
  return false;
}

bool vc_device::CheckAlive(vc_error *error) const {
  if (!is_lost_.load(std::memory_order_acquire)) return true;
  Fail(error, VC_DEVICE_LOST, "the device was lost earlier");
  return false;
}

safelight::Queue &vc_device::NextQueue() { return queues_[recordings_made_.fetch_add(1) % queue_count_]; }

bool vc_device::Open(const void *cache_data, size_t cache_bytes, vc_error *error) {
  if (!traits.problem.empty()) {
    Fail(error, VC_UNSUITABLE, "%s %s", traits.properties.deviceName, traits.problem.c_str());
    return false;
  }
  if (!CreateHandle(error) || !LoadFunctions(error) || !CreateCache(cache_data, cache_bytes, error) ||
      !CreateSetLayouts(error)) {
    return false;
  }
  for (size_t index = 0; index < queue_count_; ++index) {
    vk.GetDeviceQueue(handle, traits.queue_family, static_cast<uint32_t>(index), &queues_[index].handle);
  }
  FindLimits();
  return true;
}

bool vc_device::CreateHandle(vc_error *error) {
  VkPhysicalDeviceVulkan13Features features13 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  features13.synchronization2 = VK_TRUE;
  features13.maintenance4 = VK_TRUE;
  VkPhysicalDeviceVulkan12Features features12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features12.timelineSemaphore = VK_TRUE;
  features12.pNext = &features13;

  std::vector<const char *> extensions;
  if (traits.has_budget) extensions.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  if (traits.import_alignment > 0) extensions.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  if (traits.imports_dma_buf) {
    extensions.push_back(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
    extensions.push_back(VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME);
    if (traits.has_foreign_queues) extensions.push_back(VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME);
  }

  queue_count_ = std::min<size_t>(safelight::kMaxQueues, traits.queue_count);
  const std::array<float, safelight::kMaxQueues> priorities = {1, 1, 1};
  VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = traits.queue_family;
  queue.queueCount = static_cast<uint32_t>(queue_count_);
  queue.pQueuePriorities = priorities.data();

  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &features12;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  return Check(instance.vk.CreateDevice(physical, &info, nullptr, &handle), error, "vkCreateDevice of %s",
               traits.properties.deviceName);
}

bool vc_device::LoadFunctions(vc_error *error) {
#define VC_LOAD(name) \
  vk.name = reinterpret_cast<PFN_vk##name>(instance.vk.GetDeviceProcAddr(handle, "vk" #name));
#define VC_REQUIRE(name)                                                                                    \
  VC_LOAD(name)                                                                                             \
  if (vk.name == nullptr) {                                                                                 \
    Fail(error, VC_UNSUITABLE, "%s lacks vk" #name ", which Vulkan 1.3 has", traits.properties.deviceName); \
    return false;                                                                                           \
  }
  VC_DEVICE_FUNCTIONS(VC_REQUIRE)
  VC_EXTENSION_FUNCTIONS(VC_LOAD)
#undef VC_REQUIRE
#undef VC_LOAD
  return true;
}

bool vc_device::CreateCache(const void *data, size_t bytes, vc_error *error) {
  // Drivers should ignore another driver's data, but some crash instead.
  VkPipelineCacheHeaderVersionOne header = {};
  bool is_ours = false;
  if (data != nullptr && bytes >= sizeof header) {
    memcpy(&header, data, sizeof header);
    is_ours = header.headerSize >= sizeof header && header.headerSize <= bytes &&
              header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
              header.vendorID == traits.properties.vendorID &&
              header.deviceID == traits.properties.deviceID &&
              memcmp(header.pipelineCacheUUID, traits.properties.pipelineCacheUUID, VK_UUID_SIZE) == 0;
  }
  VkPipelineCacheCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  info.initialDataSize = is_ours ? bytes : 0;
  info.pInitialData = is_ours ? data : nullptr;
  VkPipelineCache made = VK_NULL_HANDLE;
  if (!Check(vk.CreatePipelineCache(handle, &info, nullptr, &made), error, "vkCreatePipelineCache"))
    return false;
  cache = Owned<VkPipelineCache>(handle, made, vk.DestroyPipelineCache);
  return true;
}

bool vc_device::CreateSetLayouts(vc_error *error) {
  std::array<VkDescriptorSetLayoutBinding, safelight::kMaxBuffers> bindings = {};
  for (uint32_t index = 0; index < bindings.size(); ++index) {
    bindings[index].binding = index;
    bindings[index].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bindings[index].descriptorCount = 1;
    bindings[index].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  }
  const size_t most =
      std::min<size_t>(safelight::kMaxBuffers, traits.properties.limits.maxPerStageDescriptorStorageBuffers);
  for (size_t count = 0; count <= most; ++count) {
    VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    info.bindingCount = static_cast<uint32_t>(count);
    info.pBindings = bindings.data();
    VkDescriptorSetLayout made = VK_NULL_HANDLE;
    if (!Check(vk.CreateDescriptorSetLayout(handle, &info, nullptr, &made), error,
               "vkCreateDescriptorSetLayout")) {
      return false;
    }
    set_layouts[count] = Owned<VkDescriptorSetLayout>(handle, made, vk.DestroyDescriptorSetLayout);
  }
  return true;
}

void vc_device::FindLimits() {
  const VkPhysicalDeviceLimits &device = traits.properties.limits;
  // Whole pages, so that every whole number of samples fits.
  limits.buffer_bytes = std::min<uint64_t>({device.maxStorageBufferRange, traits.max_buffer_bytes,
                                            traits.max_allocation_bytes}) &
                        ~uint64_t{4095};
  limits.shared_bytes = device.maxComputeSharedMemorySize;
  limits.group_invocations = device.maxComputeWorkGroupInvocations;
  std::copy_n(device.maxComputeWorkGroupCount, 3, limits.groups);
  limits.parameter_bytes = device.maxPushConstantsSize;
  limits.import_alignment = vk.GetMemoryHostPointerPropertiesEXT != nullptr ? traits.import_alignment : 0;
  limits.imports_dma_buf = traits.imports_dma_buf && vk.GetMemoryFdPropertiesKHR != nullptr;
  limits.tick_ns = traits.timestamp_bits > 0 ? static_cast<double>(device.timestampPeriod) : 0;

  VkBufferCreateInfo buffer = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer.size = std::min<uint64_t>(limits.buffer_bytes, 1 << 20);
  buffer.usage = safelight::kBufferUsage;
  VkDeviceBufferMemoryRequirements question = {VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS};
  question.pCreateInfo = &buffer;
  VkMemoryRequirements2 answer = {VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  vk.GetDeviceBufferMemoryRequirements(handle, &question, &answer);
  device_heap = traits.main_heap;
  if (const auto type =
          safelight::MemoryTypeFor(traits, VC_MEMORY_DEVICE, answer.memoryRequirements.memoryTypeBits)) {
    device_heap = traits.memory.memoryTypes[*type].heapIndex;
    limits.is_unified = safelight::IsUnified(traits, *type);
  }
}

vc_device *vc_device_open(vc_instance *instance, size_t index, const void *cache, size_t cache_bytes,
                          vc_error *error) {
  return Guarded(error, static_cast<vc_device *>(nullptr), [&]() -> vc_device * {
    if (index >= instance->devices.size()) {
      Fail(error, VC_NO_DEVICE, "there is no device %zu; there are %zu", index, instance->devices.size());
      return nullptr;
    }
    auto device = std::make_unique<vc_device>(*instance, instance->devices[index]);
    return device->Open(cache, cache_bytes, error) ? device.release() : nullptr;
  });
}

void vc_device_close(vc_device *device) { delete device; }

void vc_device_limits(const vc_device *device, vc_limits *limits) { *limits = device->limits; }

size_t vc_device_pipeline_cache(const vc_device *device, void *data, size_t bytes) {
  const auto read = device->vk.GetPipelineCacheData;
  size_t needed = 0;
  if (read(device->handle, device->cache.get(), &needed, nullptr) != VK_SUCCESS) return 0;
  if (data == nullptr || bytes < needed) return needed;
  size_t copied = bytes;
  const VkResult result = read(device->handle, device->cache.get(), &copied, data);
  if (result == VK_SUCCESS) return copied;
  // It has grown in between.
  return result == VK_INCOMPLETE ? bytes + 1 : 0;
}

void vc_device_set_failure(vc_device *device, vc_failure what, uint32_t after, uint32_t times) {
  device->failures.Set(what, after, times);
}
#endif
