#include "Buffer.h"

#if SAFELIGHT_HAS_VULKAN
#include <algorithm>

#include "Error.h"
#include "MemoryTypes.h"

using safelight::Allocation;
using safelight::Fail;
using safelight::Grouped;
using safelight::Guarded;
using safelight::Origin;
using safelight::Owned;

namespace safelight {

Allocation &Allocation::operator=(Allocation &&other) noexcept {
  std::swap(device_, other.device_);
  std::swap(bytes_, other.bytes_);
  std::swap(counted_, other.counted_);
  std::swap(memory_, other.memory_);
  return *this;
}

Allocation::~Allocation() {
  if (device_ == nullptr) return;
  const std::lock_guard<std::mutex> lock(device_->memory_mutex);
  device_->memory_used -= counted_;
}

bool Allocation::Make(vc_device &device, const VkMemoryAllocateInfo &info, Origin origin,
                      Allocation *allocation, vc_error *error) {
  // Imported memory was allocated before.
  const bool counts = origin == Origin::kOwn &&
                      device.traits.memory.memoryTypes[info.memoryTypeIndex].heapIndex == device.device_heap;
  VkResult result = device.failures.Take(VC_FAILURE_ALLOCATION) ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
  Allocation made;
  if (result == VK_SUCCESS && counts) {
    const std::lock_guard<std::mutex> lock(device.memory_mutex);
    if (info.allocationSize <= device.memory_limit - std::min(device.memory_limit, device.memory_used)) {
      device.memory_used += info.allocationSize;
      made.device_ = &device;
      made.counted_ = info.allocationSize;
    } else {
      result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
  }
  VkDeviceMemory memory = VK_NULL_HANDLE;
  if (result == VK_SUCCESS) result = device.vk.AllocateMemory(device.handle, &info, nullptr, &memory);
  if (!device.Check(result, error, "vkAllocateMemory of %s%s bytes",
                    origin == Origin::kOwn ? "" : "imported ", Grouped(info.allocationSize).c_str())) {
    return false;
  }
  made.bytes_ = info.allocationSize;
  made.memory_ = Owned<VkDeviceMemory>(device.handle, memory, device.vk.FreeMemory);
  *allocation = std::move(made);
  return true;
}

bool CheckBytes(uint64_t bytes, uint64_t most, vc_error *error) {
  if (bytes == 0) {
    Fail(error, VC_FAILED, "a buffer of 0 bytes");
    return false;
  }
  if (bytes > most) {
    Fail(error, VC_TOO_LARGE, "a buffer of %s bytes is above the device's limit of %s",
         Grouped(bytes).c_str(), Grouped(most).c_str());
    return false;
  }
  return true;
}

}  // namespace safelight

bool vc_buffer::CreateHandle(Origin whose, vc_error *error) {
  origin = whose;
  VkExternalMemoryBufferCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = origin == Origin::kDmaBuf ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT
                                                   : VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.pNext = origin == Origin::kOwn ? nullptr : &external;
  // Kernels access whole words. Imported memory cannot be extended.
  info.size = origin == Origin::kOwn ? (bytes + 3) & ~uint64_t{3} : bytes;
  info.usage = safelight::kBufferUsage;
  VkBuffer made = VK_NULL_HANDLE;
  if (!device.Check(device.vk.CreateBuffer(device.handle, &info, nullptr, &made), error,
                    "vkCreateBuffer of %s bytes", Grouped(bytes).c_str())) {
    return false;
  }
  handle = Owned<VkBuffer>(device.handle, made, device.vk.DestroyBuffer);
  device.vk.GetBufferMemoryRequirements(device.handle, made, &requirements);
  return true;
}

bool vc_buffer::Bind(Allocation &&with, uint32_t type, vc_error *error) {
  memory = std::move(with);
  is_coherent =
      (device.traits.memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
  return device.Check(device.vk.BindBufferMemory(device.handle, handle.get(), memory.get(), 0), error,
                      "vkBindBufferMemory of %s bytes", Grouped(bytes).c_str());
}

bool vc_buffer::Map(vc_error *error) {
  return device.Check(device.vk.MapMemory(device.handle, memory.get(), 0, VK_WHOLE_SIZE, 0, &contents), error,
                      "vkMapMemory of %s bytes", Grouped(bytes).c_str());
}

vc_buffer *vc_buffer_create(vc_device *device, uint64_t bytes, vc_memory purpose, vc_error *error) {
  return Guarded(error, static_cast<vc_buffer *>(nullptr), [&]() -> vc_buffer * {
    if (!device->CheckAlive(error) || !safelight::CheckBytes(bytes, device->limits.buffer_bytes, error)) {
      return nullptr;
    }
    auto buffer = std::make_unique<vc_buffer>(*device, bytes);
    if (!buffer->CreateHandle(Origin::kOwn, error)) return nullptr;
    const auto type = safelight::MemoryTypeFor(device->traits, purpose, buffer->requirements.memoryTypeBits);
    if (!type) {
      Fail(error, VC_UNSUITABLE, "%s has no memory that the processor can access",
           device->traits.properties.deviceName);
      return nullptr;
    }
    // Buffers are few and large, so each has an allocation of its own, which drivers handle best if they
    // know.
    VkMemoryDedicatedAllocateInfo dedicated = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
    dedicated.buffer = buffer->handle.get();
    VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.pNext = &dedicated;
    info.allocationSize = buffer->requirements.size;
    info.memoryTypeIndex = *type;
    Allocation memory;
    if (!Allocation::Make(*device, info, Origin::kOwn, &memory, error) ||
        !buffer->Bind(std::move(memory), *type, error)) {
      return nullptr;
    }
    const VkMemoryPropertyFlags flags = device->traits.memory.memoryTypes[*type].propertyFlags;
    const bool is_reached = purpose != VC_MEMORY_DEVICE || device->limits.is_unified;
    if (is_reached && (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0 && !buffer->Map(error))
      return nullptr;
    return buffer.release();
  });
}

void vc_buffer_destroy(vc_buffer *buffer) { delete buffer; }

uint64_t vc_buffer_bytes(const vc_buffer *buffer) { return buffer->bytes; }

void *vc_buffer_contents(vc_buffer *buffer) { return buffer->contents; }

namespace {

// Returns the range in whole cache atoms, within the allocation.
VkMappedMemoryRange RangeOf(const vc_buffer &buffer, uint64_t offset, uint64_t bytes) {
  const uint64_t atom = buffer.device.traits.properties.limits.nonCoherentAtomSize;
  const uint64_t all = buffer.memory.bytes();
  const uint64_t start = std::min(offset, all) / atom * atom;
  const uint64_t length = std::min(bytes, all - std::min(offset, all)) + (std::min(offset, all) - start);
  const uint64_t rounded = (length + atom - 1) / atom * atom;
  VkMappedMemoryRange range = {VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE};
  range.memory = buffer.memory.get();
  range.offset = start;
  range.size = rounded >= all - start ? VK_WHOLE_SIZE : rounded;
  return range;
}

}  // namespace

void vc_buffer_flush(vc_buffer *buffer, uint64_t offset, uint64_t bytes) {
  if (buffer->is_coherent || buffer->contents == nullptr || bytes == 0) return;
  const VkMappedMemoryRange range = RangeOf(*buffer, offset, bytes);
  buffer->device.Check(buffer->device.vk.FlushMappedMemoryRanges(buffer->device.handle, 1, &range), nullptr,
                       "vkFlushMappedMemoryRanges");
}

void vc_buffer_invalidate(vc_buffer *buffer, uint64_t offset, uint64_t bytes) {
  if (buffer->is_coherent || buffer->contents == nullptr || bytes == 0) return;
  const VkMappedMemoryRange range = RangeOf(*buffer, offset, bytes);
  buffer->device.Check(buffer->device.vk.InvalidateMappedMemoryRanges(buffer->device.handle, 1, &range),
                       nullptr, "vkInvalidateMappedMemoryRanges");
}

void vc_device_set_memory_limit(vc_device *device, uint64_t bytes) {
  const std::lock_guard<std::mutex> lock(device->memory_mutex);
  device->memory_limit = bytes;
}

uint64_t vc_device_memory_available(const vc_device *device) {
  const safelight::Traits &traits = device->traits;
  uint64_t used, limit;
  {
    const std::lock_guard<std::mutex> lock(device->memory_mutex);
    used = device->memory_used;
    limit = device->memory_limit;
  }
  uint64_t left = traits.memory.memoryHeaps[device->device_heap].size;
  left -= std::min(left, used);
  if (traits.has_budget) {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
    memory.pNext = &budget;
    device->instance.vk.GetPhysicalDeviceMemoryProperties2(device->physical, &memory);
    const uint64_t most = budget.heapBudget[device->device_heap];
    left = most - std::min(most, uint64_t{budget.heapUsage[device->device_heap]});
  }
  return std::min(left, limit - std::min(limit, used));
}
#endif
