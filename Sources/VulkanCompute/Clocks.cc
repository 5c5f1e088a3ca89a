#include "Clocks.h"

#if SAFELIGHT_HAS_VULKAN
#include <algorithm>
#include <cmath>

#include "Error.h"

namespace safelight {
namespace {

// ticks · tick_ns. A double alone would round clocks that count nanoseconds since 1970 to multiples of 256.
uint64_t Nanoseconds(uint64_t ticks, double tick_ns) {
  const double whole = std::floor(tick_ns);
  return ticks * static_cast<uint64_t>(whole) +
         static_cast<uint64_t>(std::llround(static_cast<double>(ticks) * (tick_ns - whole)));
}

}  // namespace

bool Clocks::Open(size_t count, vc_error *error) {
  are_set_.assign(count, false);
  ticks_.assign(count, 0);
  if (count == 0 || device_.traits.timestamp_bits == 0) return true;
  VkQueryPoolCreateInfo info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = static_cast<uint32_t>(count);
  VkQueryPool made = VK_NULL_HANDLE;
  if (!device_.Check(device_.vk.CreateQueryPool(device_.handle, &info, nullptr, &made), error,
                     "vkCreateQueryPool of %zu timestamps", count)) {
    return false;
  }
  pool_ = Owned<VkQueryPool>(device_.handle, made, device_.vk.DestroyQueryPool);
  return true;
}

void Clocks::Reset(VkCommandBuffer recording) {
  std::fill(are_set_.begin(), are_set_.end(), false);
  if (pool_.get() == VK_NULL_HANDLE) return;
  device_.vk.CmdResetQueryPool(recording, pool_.get(), 0, static_cast<uint32_t>(are_set_.size()));
}

bool Clocks::Set(VkCommandBuffer recording, size_t index, vc_error *error) {
  if (index >= are_set_.size()) {
    Fail(error, VC_FAILED, "timestamp %zu is set, and the recording has %zu", index, are_set_.size());
    return false;
  }
  if (are_set_[index]) {
    Fail(error, VC_FAILED, "timestamp %zu is set twice", index);
    return false;
  }
  are_set_[index] = true;
  if (pool_.get() == VK_NULL_HANDLE) return true;
  device_.vk.CmdWriteTimestamp2(recording, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool_.get(),
                                static_cast<uint32_t>(index));
  return true;
}

bool Clocks::Read(uint64_t *nanoseconds, size_t count) {
  if (pool_.get() == VK_NULL_HANDLE || count == 0 || count > are_set_.size()) return false;
  for (size_t index = 0; index < count; ++index) {
    if (!are_set_[index]) return false;
  }
  if (!device_.Check(device_.vk.GetQueryPoolResults(device_.handle, pool_.get(), 0,
                                                    static_cast<uint32_t>(count), count * sizeof(uint64_t),
                                                    ticks_.data(), sizeof(uint64_t), VK_QUERY_RESULT_64_BIT),
                     nullptr, "vkGetQueryPoolResults of %zu timestamps", count)) {
    return false;
  }
  const uint32_t bits = device_.traits.timestamp_bits;
  const uint64_t mask = bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  const uint64_t first = ticks_[0] & mask;
  const uint64_t start = Nanoseconds(first, device_.limits.tick_ns);
  for (size_t index = 0; index < count; ++index) {
    // Relative to the first one, since clocks with fewer bits may wrap in between.
    nanoseconds[index] = start + Nanoseconds((ticks_[index] - first) & mask, device_.limits.tick_ns);
  }
  return true;
}

}  // namespace safelight
#endif
