// Buffers in imported memory.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "Buffer.h"

#if SAFELIGHT_HAS_VULKAN
#include "Error.h"
#include "MemoryTypes.h"

using safelight::Allocation;
using safelight::Fail;
using safelight::Grouped;
using safelight::Guarded;
using safelight::Origin;

namespace {

// Kernels may bind up to limits.buffer_bytes of it, copies may use all.
bool CheckImportBytes(const vc_device &device, uint64_t bytes, vc_error *error) {
  return safelight::CheckBytes(
      bytes, std::min(device.traits.max_allocation_bytes, device.traits.max_buffer_bytes), error);
}

bool CheckFits(const vc_buffer &buffer, const char *what, vc_error *error) {
  if (buffer.requirements.size <= buffer.bytes) return true;
  Fail(error, VC_UNSUITABLE, "%s of %s bytes as a buffer would take %s", what, Grouped(buffer.bytes).c_str(),
       Grouped(buffer.requirements.size).c_str());
  return false;
}

// Closed with its owner, unless the driver took it over.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  int get() const { return value_; }
  void Release() { value_ = -1; }

 private:
  int value_;
};

}  // namespace

vc_buffer *vc_buffer_import_memory(vc_device *device, void *memory, uint64_t bytes, vc_error *error) {
  return Guarded(error, static_cast<vc_buffer *>(nullptr), [&]() -> vc_buffer * {
    if (!device->CheckAlive(error)) return nullptr;
    const uint64_t alignment = device->limits.import_alignment;
    if (alignment == 0) {
      Fail(error, VC_UNSUITABLE, "%s does not import the processor's memory",
           device->traits.properties.deviceName);
      return nullptr;
    }
    if (!CheckImportBytes(*device, bytes, error)) return nullptr;
    if (memory == nullptr || reinterpret_cast<uintptr_t>(memory) % alignment != 0 || bytes % alignment != 0) {
      Fail(error, VC_FAILED,
           "memory of %s bytes at %p is not in whole blocks of %s bytes, which can be imported",
           Grouped(bytes).c_str(), memory, Grouped(alignment).c_str());
      return nullptr;
    }
    constexpr auto kHandle = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    VkMemoryHostPointerPropertiesEXT properties = {VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    if (!device->Check(
            device->vk.GetMemoryHostPointerPropertiesEXT(device->handle, kHandle, memory, &properties), error,
            "vkGetMemoryHostPointerPropertiesEXT of %s bytes", Grouped(bytes).c_str())) {
      return nullptr;
    }
    auto buffer = std::make_unique<vc_buffer>(*device, bytes);
    if (!buffer->CreateHandle(Origin::kProcessor, error) ||
        !CheckFits(*buffer, "the processor's memory", error)) {
      return nullptr;
    }
    const auto type = safelight::MemoryTypeForImport(
        device->traits, buffer->requirements.memoryTypeBits & properties.memoryTypeBits);
    if (!type) {
      Fail(error, VC_UNSUITABLE, "%s cannot use this memory in a buffer",
           device->traits.properties.deviceName);
      return nullptr;
    }
    VkImportMemoryHostPointerInfoEXT import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT};
    import.handleType = kHandle;
    import.pHostPointer = memory;
    VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.pNext = &import;
    info.allocationSize = bytes;
    info.memoryTypeIndex = *type;
    Allocation allocation;
    if (!Allocation::Make(*device, info, Origin::kProcessor, &allocation, error) ||
        !buffer->Bind(std::move(allocation), *type, error)) {
      return nullptr;
    }
    // Only mapped memory can be flushed.
    if (!buffer->is_coherent && !buffer->Map(error)) return nullptr;
    buffer->contents = memory;
    return buffer.release();
  });
}

vc_buffer *vc_buffer_import_dma_buf(vc_device *device, int descriptor, uint64_t bytes, vc_error *error) {
  return Guarded(error, static_cast<vc_buffer *>(nullptr), [&]() -> vc_buffer * {
    if (!device->CheckAlive(error)) return nullptr;
    if (!device->limits.imports_dma_buf) {
      Fail(error, VC_UNSUITABLE, "%s does not import dma-bufs", device->traits.properties.deviceName);
      return nullptr;
    }
    if (!CheckImportBytes(*device, bytes, error)) return nullptr;
    const off_t length = lseek(descriptor, 0, SEEK_END);
    if (length < 0 || static_cast<uint64_t>(length) < bytes) {
      Fail(error, VC_FAILED, "descriptor %d is not a dma-buf of %s bytes", descriptor,
           Grouped(bytes).c_str());
      return nullptr;
    }
    // Vulkan takes ownership of the descriptor.
    Descriptor own(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    if (own.get() < 0) {
      Fail(error, VC_FAILED, "duplicating descriptor %d: %s", descriptor, strerror(errno));
      return nullptr;
    }
    constexpr auto kHandle = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
    VkMemoryFdPropertiesKHR properties = {VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
    if (!device->Check(device->vk.GetMemoryFdPropertiesKHR(device->handle, kHandle, own.get(), &properties),
                       error, "vkGetMemoryFdPropertiesKHR of descriptor %d", descriptor)) {
      return nullptr;
    }
    auto buffer = std::make_unique<vc_buffer>(*device, bytes);
    if (!buffer->CreateHandle(Origin::kDmaBuf, error)) return nullptr;
    if (buffer->requirements.size > static_cast<uint64_t>(length)) {
      Fail(error, VC_UNSUITABLE, "a dma-buf of %s bytes as a buffer would take %s",
           Grouped(static_cast<uint64_t>(length)).c_str(), Grouped(buffer->requirements.size).c_str());
      return nullptr;
    }
    const auto type = safelight::MemoryTypeForImport(
        device->traits, buffer->requirements.memoryTypeBits & properties.memoryTypeBits);
    if (!type) {
      Fail(error, VC_UNSUITABLE, "%s cannot use this dma-buf in a buffer",
           device->traits.properties.deviceName);
      return nullptr;
    }
    VkMemoryDedicatedAllocateInfo dedicated = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
    dedicated.buffer = buffer->handle.get();
    VkImportMemoryFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
    import.pNext = device->traits.dma_buf_is_dedicated ? &dedicated : nullptr;
    import.handleType = kHandle;
    import.fd = own.get();
    VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.pNext = &import;
    info.allocationSize = static_cast<uint64_t>(length);
    info.memoryTypeIndex = *type;
    Allocation allocation;
    if (!Allocation::Make(*device, info, Origin::kDmaBuf, &allocation, error)) {
      return nullptr;
    }
    own.Release();
    return buffer->Bind(std::move(allocation), *type, error) ? buffer.release() : nullptr;
  });
}
#endif
