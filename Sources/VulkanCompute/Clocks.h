#pragma once
#include <vector>

#include "Device.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// The timestamps of a recording.
class Clocks {
 public:
  explicit Clocks(vc_device &device) : device_(device) {}

  // Returns whether they could be created; called once.
  bool Open(size_t count, vc_error *error);
  // Called when the recording begins.
  void Reset(VkCommandBuffer recording);
  // Records the device's clock when all commands recorded so far have ended.
  bool Set(VkCommandBuffer recording, size_t index, vc_error *error);
  // Reads the first `count` timestamps of a recording that has ended.
  bool Read(uint64_t *nanoseconds, size_t count);

 private:
  vc_device &device_;
  // Null if the device has no clock.
  Owned<VkQueryPool> pool_;
  // The timestamps that the recording sets.
  std::vector<bool> are_set_;
  std::vector<uint64_t> ticks_;
};

}  // namespace safelight
#endif
