#pragma once
#include <vector>

#include "Device.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// Timestamps of a recording.
class Clocks {
 public:
  explicit Clocks(vc_device &device) : device_(device) {}

  // Whether they could be made; called once.
  bool Open(size_t count, vc_error *error);
  // The recording begins.
  void Reset(VkCommandBuffer recording);
  // The device's clock when what was recorded so far has ended.
  bool Set(VkCommandBuffer recording, size_t index, vc_error *error);
  // The first `count`, of a recording that has ended.
  bool Read(uint64_t *nanoseconds, size_t count);

 private:
  vc_device &device_;
  // Null where the device has no clock.
  Owned<VkQueryPool> pool_;
  // Which of them the recording sets.
  std::vector<bool> are_set_;
  std::vector<uint64_t> ticks_;
};

}  // namespace safelight
#endif
