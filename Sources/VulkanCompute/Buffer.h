#pragma once
#include <memory>

#include "Device.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// Where a buffer's memory comes from.
enum class Origin { kOwn, kProcessor, kDmaBuf };

// Memory of a device, accounted to its heap.
class Allocation {
 public:
  Allocation() = default;
  Allocation(Allocation &&other) noexcept { *this = std::move(other); }
  Allocation &operator=(Allocation &&other) noexcept;
  ~Allocation();

  static bool Make(vc_device &device, const VkMemoryAllocateInfo &info, Origin origin, Allocation *allocation,
                   vc_error *error);

  VkDeviceMemory get() const { return memory_.get(); }
  uint64_t bytes() const { return bytes_; }

 private:
  vc_device *device_ = nullptr;
  uint64_t bytes_ = 0;
  // The bytes counted in vc_device::memory_used; 0 in other heaps.
  uint64_t counted_ = 0;
  Owned<VkDeviceMemory> memory_;
};

}  // namespace safelight

struct vc_buffer {
  vc_buffer(vc_device &device, uint64_t bytes) : device(device), id(++device.buffers_made), bytes(bytes) {}

  // The steps of creating a buffer; each returns whether it succeeded.
  bool CreateHandle(safelight::Origin origin, vc_error *error);
  bool Bind(safelight::Allocation &&with, uint32_t type, vc_error *error);
  bool Map(vc_error *error);

  vc_device &device;
  const uint64_t id;
  // The requested size; the buffer itself is rounded up to whole words.
  const uint64_t bytes;
  safelight::Origin origin = safelight::Origin::kOwn;
  // Declared first because the buffer must be destroyed before its memory.
  safelight::Allocation memory;
  safelight::Owned<VkBuffer> handle;
  VkMemoryRequirements requirements = {};
  void *contents = nullptr;
  bool is_coherent = true;
};

namespace safelight {
// Whether a buffer is not empty and no larger than the device allows.
bool CheckBytes(uint64_t bytes, uint64_t most, vc_error *error);
}  // namespace safelight
#endif
