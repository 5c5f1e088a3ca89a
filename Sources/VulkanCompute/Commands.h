#pragma once
#include <vector>

#include "Clocks.h"
#include "DescriptorSets.h"
#include "Device.h"

#if SAFELIGHT_HAS_VULKAN
// A command buffer with its pool, a timeline that signals its end, and timestamps.
struct vc_commands {
  explicit vc_commands(vc_device &device)
      : device(device), sets(device), clocks_(device), queue_(device.NextQueue()) {}
  ~vc_commands();
  vc_commands(const vc_commands &) = delete;
  vc_commands &operator=(const vc_commands &) = delete;

  // The functions of the C interface; each returns whether it succeeded.
  bool Open(size_t timestamps, vc_error *error);
  bool Begin(vc_error *error);
  bool Submit(vc_error *error);
  bool Wait(uint64_t timeout_ns, vc_error *error);
  bool ReadTimestamps(uint64_t *nanoseconds, size_t count);

  // While recording.
  void Barrier();
  void SetTimestamp(size_t index);
  // Must be called before a buffer's first use: acquires buffers owned by other devices.
  void Use(vc_buffer &buffer);
  // Whether commands are accepted: recording has begun, and none has failed so far.
  bool IsRecording() const { return state_ == State::kRecording && failure.status == VC_OK; }

  vc_device &device;
  safelight::DescriptorSets sets;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  // The first command's failure.
  vc_error failure = {};

 private:
  enum class State { kNew, kRecording, kRecorded };

  bool End(vc_error *error);
  // Whether all submissions have ended.
  bool HasEnded(vc_error *error, bool *ended);
  // Transfers ownership between other devices and this one.
  void Transfer(const vc_buffer &imported, bool is_release);

  State state_ = State::kNew;
  safelight::Owned<VkCommandPool> pool_;
  safelight::Owned<VkSemaphore> timeline_;
  // The timeline's value when the last submission has ended.
  uint64_t submitted_ = 0;
  safelight::Clocks clocks_;
  safelight::Queue &queue_;
  // Buffers that this recording acquired from other devices.
  std::vector<const vc_buffer *> imported_;
};
#endif
