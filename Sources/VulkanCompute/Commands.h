#pragma once
#include <vector>

#include "DescriptorSets.h"
#include "Device.h"

#if SAFELIGHT_HAS_VULKAN
// A command buffer with the pool that it is from, a timeline that tells when it has ended, and clocks.
struct vc_commands {
  explicit vc_commands(vc_device &device) : device(device), queue(device.NextQueue()), sets(device) {}
  ~vc_commands();
  vc_commands(const vc_commands &) = delete;
  vc_commands &operator=(const vc_commands &) = delete;

  // Whether it could; called once.
  bool Open(size_t timestamps, vc_error *error);
  bool Begin(vc_error *error);
  bool Submit(vc_error *error);
  bool Wait(uint64_t timeout_ns, vc_error *error);
  bool ReadTimestamps(uint64_t *nanoseconds, size_t count);

  // Whether commands are taken: recording has begun, and none failed so far.
  bool IsRecording() const { return state == State::kRecording && failure.status == VC_OK; }
  // Before a buffer's first use: those of other devices are taken over.
  void Use(vc_buffer &buffer);

  enum class State { kNew, kRecording, kRecorded };

  vc_device &device;
  safelight::Queue &queue;
  safelight::DescriptorSets sets;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  State state = State::kNew;
  // The first that failed while recording.
  vc_error failure = {};

 private:
  bool OpenClocks(size_t timestamps, vc_error *error);
  // Whether all that was submitted has ended.
  bool HasEnded(vc_error *error, bool *ended);
  bool End(vc_error *error);
  void Transfer(const vc_buffer &imported, bool is_release);

  safelight::Owned<VkCommandPool> pool_;
  safelight::Owned<VkSemaphore> timeline_;
  // What the timeline counts to when the last submission has ended.
  uint64_t submitted_ = 0;

 public:
  safelight::Owned<VkQueryPool> clocks;
  // Which of them this recording sets.
  std::vector<bool> clocks_set;

 private:
  std::vector<uint64_t> ticks_;
  // Buffers that this recording took over from other devices.
  std::vector<const vc_buffer *> imported_;
};
#endif
