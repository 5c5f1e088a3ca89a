#pragma once
#include <array>
#include <vector>

#include "Buffer.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// The descriptor sets of a recording, one for each new list of buffers. They are kept when it begins anew, so
// that a recording like the last one allocates nothing and, with the same buffers, writes nothing.
class DescriptorSets {
 public:
  explicit DescriptorSets(vc_device &device) : device_(device) {}

  void Rewind();
  // Returns the set with these 1 to kMaxBuffers buffers; null on failure.
  VkDescriptorSet With(vc_buffer *const *buffers, size_t count, vc_error *error);

 private:
  struct Set {
    VkDescriptorSet handle = VK_NULL_HANDLE;
    // Values of vc_buffer::id, since handles are reused.
    std::array<uint64_t, kMaxBuffers> buffers = {};
  };
  // The sets with the same number of buffers.
  struct Group {
    std::vector<Owned<VkDescriptorPool>> pools;
    std::vector<Set> sets;
    size_t used = 0;
  };

  bool Grow(Group *group, size_t count, vc_error *error);
  void Write(const Set &set, vc_buffer *const *buffers, size_t count) const;

  vc_device &device_;
  std::array<Group, kMaxBuffers + 1> groups_;
};

}  // namespace safelight
#endif
