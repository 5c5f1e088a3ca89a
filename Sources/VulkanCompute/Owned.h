#pragma once
#include <utility>

#include "Vulkan.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// An object of a device, destroyed with its owner.
template <typename Handle>
class Owned {
 public:
  using Destroy = void(VKAPI_PTR *)(VkDevice, Handle, const VkAllocationCallbacks *);

  Owned() = default;
  Owned(VkDevice device, Handle handle, Destroy destroy)
      : device_(device), handle_(handle), destroy_(destroy) {}
  Owned(Owned &&other) noexcept { *this = std::move(other); }
  Owned &operator=(Owned &&other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~Owned() {
    if (handle_ != VK_NULL_HANDLE) destroy_(device_, handle_, nullptr);
  }

  Handle get() const { return handle_; }

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  Handle handle_ = VK_NULL_HANDLE;
  Destroy destroy_ = nullptr;
};

}  // namespace safelight
#endif
