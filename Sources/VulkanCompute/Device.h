#pragma once
#include <array>
#include <atomic>
#include <mutex>

#include "Failures.h"
#include "Functions.h"
#include "Instance.h"
#include "Owned.h"
#include "Traits.h"
#include "VulkanCompute.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// The buffers of one kernel. Devices guarantee only 4 (maxPerStageDescriptorStorageBuffers).
constexpr size_t kMaxBuffers = 8;

// Recordings on separate queues run concurrently; on a shared one, a barrier waits for everything submitted
// before it.
constexpr size_t kMaxQueues = 3;

struct Queue {
  VkQueue handle = VK_NULL_HANDLE;
  std::mutex mutex;
};

}  // namespace safelight

// A logical device, with the state that its buffers, kernels and recordings share.
struct vc_device {
  vc_device(const vc_instance &instance, VkPhysicalDevice physical);
  ~vc_device();
  vc_device(const vc_device &) = delete;
  vc_device &operator=(const vc_device &) = delete;

  // Returns whether it could be opened; called once.
  bool Open(const void *cache_data, size_t cache_bytes, vc_error *error);

  // As safelight::Check, and remembers if the device was lost.
  [[gnu::format(printf, 4, 5)]] bool Check(VkResult result, vc_error *error, const char *call, ...);
  // Fails if the device was lost.
  bool CheckAlive(vc_error *error) const;

  // The queue of the next recording.
  safelight::Queue &NextQueue();

  const vc_instance &instance;
  const VkPhysicalDevice physical;
  const safelight::Traits traits;
  safelight::DeviceFunctions vk;
  VkDevice handle = VK_NULL_HANDLE;
  vc_limits limits = {};
  // Used by several threads at once: Vulkan does the locking.
  safelight::Owned<VkPipelineCache> cache;
  // For kernels with 0, 1, … buffers. Shared, so that descriptor sets outlive kernels.
  std::array<safelight::Owned<VkDescriptorSetLayout>, safelight::kMaxBuffers + 1> set_layouts;
  safelight::Failures failures;

  // The bytes allocated in the heap of device memory, and their limit.
  mutable std::mutex memory_mutex;
  uint64_t memory_used = 0;
  uint64_t memory_limit = UINT64_MAX;
  // The index of that heap.
  uint32_t device_heap = 0;
  // Distinguishes buffers that have the same handle one after another.
  std::atomic<uint64_t> buffers_made = 0;

 private:
  bool CreateHandle(vc_error *error);
  bool LoadFunctions(vc_error *error);
  bool CreateCache(const void *data, size_t bytes, vc_error *error);
  bool CreateSetLayouts(vc_error *error);
  void FindLimits();

  std::array<safelight::Queue, safelight::kMaxQueues> queues_;
  size_t queue_count_ = 0;
  std::atomic<size_t> recordings_made_ = 0;
  std::atomic<bool> is_lost_ = false;
};
#endif
