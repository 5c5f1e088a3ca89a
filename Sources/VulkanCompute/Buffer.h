#pragma once
#include <memory>

#include "Device.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// Whom a buffer's memory is from.
enum class Origin { kOwn, kProcessor, kDmaBuf };

// Memory of a device, counted in the heap that it is from.
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
  // In vc_device::memory_used; 0 in other heaps.
  uint64_t counted_ = 0;
  Owned<VkDeviceMemory> memory_;
};

}  // namespace safelight

struct vc_buffer {
  vc_buffer(vc_device &device, uint64_t bytes) : device(device), id(++device.buffers_made), bytes(bytes) {}

  // The steps of making one; each says whether it could.
  bool CreateHandle(safelight::Origin origin, vc_error *error);
  bool Bind(safelight::Allocation &&with, uint32_t type, vc_error *error);
  bool Map(vc_error *error);

  vc_device &device;
  const uint64_t id;
  // As asked for; the buffer is of whole words.
  const uint64_t bytes;
  safelight::Origin origin = safelight::Origin::kOwn;
  // The buffer is destroyed before its memory.
  safelight::Allocation memory;
  safelight::Owned<VkBuffer> handle;
  VkMemoryRequirements requirements = {};
  void *contents = nullptr;
  bool is_coherent = true;
};

namespace safelight {
// Whether a buffer has bytes, and no more than the device allows.
bool CheckBytes(uint64_t bytes, uint64_t most, vc_error *error);
}  // namespace safelight
#endif
