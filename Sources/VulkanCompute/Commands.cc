#include "Commands.h"

#if SAFELIGHT_HAS_VULKAN
#include <algorithm>
#include <memory>

#include "Error.h"

using safelight::Fail;
using safelight::Guarded;
using safelight::Origin;
using safelight::Owned;

namespace {

constexpr VkPipelineStageFlags2 kStages =
    VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
constexpr VkAccessFlags2 kReads = VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT;
constexpr VkAccessFlags2 kWrites = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;

void RecordBarrier(const vc_commands &commands, VkPipelineStageFlags2 from, VkAccessFlags2 written,
                   VkPipelineStageFlags2 to, VkAccessFlags2 used) {
  VkMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = from;
  barrier.srcAccessMask = written;
  barrier.dstStageMask = to;
  barrier.dstAccessMask = used;
  VkDependencyInfo dependency = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  commands.device.vk.CmdPipelineBarrier2(commands.buffer, &dependency);
}

}  // namespace

vc_commands::~vc_commands() {
  // Waits even after an injected failure; on a lost device this returns at once.
  if (timeline_.get() == VK_NULL_HANDLE || submitted_ == 0) return;
  const VkSemaphore timeline = timeline_.get();
  VkSemaphoreWaitInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &timeline;
  info.pValues = &submitted_;
  device.Check(device.vk.WaitSemaphores(device.handle, &info, UINT64_MAX), nullptr, "vkWaitSemaphores");
}

bool vc_commands::Open(size_t timestamps, vc_error *error) {
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = device.traits.queue_family;
  VkCommandPool pool = VK_NULL_HANDLE;
  if (!device.Check(device.vk.CreateCommandPool(device.handle, &pool_info, nullptr, &pool), error,
                    "vkCreateCommandPool")) {
    return false;
  }
  pool_ = Owned<VkCommandPool>(device.handle, pool, device.vk.DestroyCommandPool);

  VkCommandBufferAllocateInfo buffer_info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  buffer_info.commandPool = pool;
  buffer_info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  buffer_info.commandBufferCount = 1;
  if (!device.Check(device.vk.AllocateCommandBuffers(device.handle, &buffer_info, &buffer), error,
                    "vkAllocateCommandBuffers")) {
    return false;
  }

  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  semaphore_info.pNext = &type;
  VkSemaphore timeline = VK_NULL_HANDLE;
  if (!device.Check(device.vk.CreateSemaphore(device.handle, &semaphore_info, nullptr, &timeline), error,
                    "vkCreateSemaphore")) {
    return false;
  }
  timeline_ = Owned<VkSemaphore>(device.handle, timeline, device.vk.DestroySemaphore);
  return clocks_.Open(timestamps, error);
}

bool vc_commands::HasEnded(vc_error *error, bool *ended) {
  uint64_t reached = 0;
  if (!device.Check(device.vk.GetSemaphoreCounterValue(device.handle, timeline_.get(), &reached), error,
                    "vkGetSemaphoreCounterValue")) {
    return false;
  }
  *ended = reached >= submitted_;
  return true;
}

bool vc_commands::Begin(vc_error *error) {
  bool ended = false;
  if (!device.CheckAlive(error) || !HasEnded(error, &ended)) return false;
  if (!ended) {
    Fail(error, VC_FAILED, "the recording begins before what was submitted last has ended");
    return false;
  }
  failure = {};
  imported_.clear();
  sets.Rewind();
  state_ = State::kNew;
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  if (!device.Check(device.vk.ResetCommandPool(device.handle, pool_.get(), 0), error, "vkResetCommandPool") ||
      !device.Check(device.vk.BeginCommandBuffer(buffer, &info), error, "vkBeginCommandBuffer")) {
    return false;
  }
  state_ = State::kRecording;
  clocks_.Reset(buffer);
  // Makes others' writes that the caller waited for visible; does not wait for other recordings.
  RecordBarrier(*this, VK_PIPELINE_STAGE_2_NONE, 0, kStages, kReads | kWrites);
  return true;
}

void vc_commands::Transfer(const vc_buffer &imported, bool is_release) {
  const uint32_t others =
      device.traits.has_foreign_queues ? VK_QUEUE_FAMILY_FOREIGN_EXT : VK_QUEUE_FAMILY_EXTERNAL;
  VkBufferMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2};
  barrier.srcStageMask = is_release ? kStages : VK_PIPELINE_STAGE_2_NONE;
  barrier.srcAccessMask = is_release ? kWrites : 0;
  barrier.dstStageMask = is_release ? VK_PIPELINE_STAGE_2_NONE : kStages;
  barrier.dstAccessMask = is_release ? 0 : kReads | kWrites;
  barrier.srcQueueFamilyIndex = is_release ? device.traits.queue_family : others;
  barrier.dstQueueFamilyIndex = is_release ? others : device.traits.queue_family;
  barrier.buffer = imported.handle.get();
  barrier.size = VK_WHOLE_SIZE;
  VkDependencyInfo dependency = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.bufferMemoryBarrierCount = 1;
  dependency.pBufferMemoryBarriers = &barrier;
  device.vk.CmdPipelineBarrier2(buffer, &dependency);
}

void vc_commands::Use(vc_buffer &used) {
  if (used.origin != Origin::kDmaBuf) return;
  if (std::find(imported_.begin(), imported_.end(), &used) != imported_.end()) return;
  imported_.push_back(&used);
  Transfer(used, false);
}

bool vc_commands::End(vc_error *error) {
  if (state_ == State::kRecorded) return true;
  if (failure.status != VC_OK || state_ == State::kNew) {
    if (failure.status == VC_OK) Fail(&failure, VC_FAILED, "nothing was recorded");
    if (error != nullptr) *error = failure;
    return false;
  }
  for (const vc_buffer *imported : imported_) Transfer(*imported, true);
  RecordBarrier(*this, kStages, kWrites, VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT);
  if (!device.Check(device.vk.EndCommandBuffer(buffer), error, "vkEndCommandBuffer")) {
    state_ = State::kNew;
    return false;
  }
  state_ = State::kRecorded;
  return true;
}

bool vc_commands::Submit(vc_error *error) {
  bool ended = false;
  if (!device.CheckAlive(error) || !HasEnded(error, &ended)) return false;
  if (!ended) {
    Fail(error, VC_FAILED, "the recording is submitted again before it has ended");
    return false;
  }
  if (!End(error)) return false;

  VkCommandBufferSubmitInfo command = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  command.commandBuffer = buffer;
  VkSemaphoreSubmitInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  signal.semaphore = timeline_.get();
  signal.value = submitted_ + 1;
  signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  VkSubmitInfo2 info = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.commandBufferInfoCount = 1;
  info.pCommandBufferInfos = &command;
  info.signalSemaphoreInfoCount = 1;
  info.pSignalSemaphoreInfos = &signal;
  VkResult result = VK_ERROR_DEVICE_LOST;
  if (!device.failures.Take(VC_FAILURE_SUBMIT_LOST)) {
    const std::lock_guard<std::mutex> lock(queue_.mutex);
    result = device.vk.QueueSubmit2(queue_.handle, 1, &info, VK_NULL_HANDLE);
  }
  if (!device.Check(result, error, "vkQueueSubmit2")) return false;
  submitted_ += 1;
  return true;
}

bool vc_commands::Wait(uint64_t timeout_ns, vc_error *error) {
  if (!device.CheckAlive(error)) return false;
  const VkSemaphore timeline = timeline_.get();
  VkSemaphoreWaitInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &timeline;
  info.pValues = &submitted_;
  const VkResult result = device.failures.Take(VC_FAILURE_WAIT_LOST)
                              ? VK_ERROR_DEVICE_LOST
                              : device.vk.WaitSemaphores(device.handle, &info, timeout_ns);
  return device.Check(result, error, "vkWaitSemaphores");
}

bool vc_commands::ReadTimestamps(uint64_t *nanoseconds, size_t count) {
  bool ended = false;
  if (submitted_ == 0 || state_ != State::kRecorded || !HasEnded(nullptr, &ended) || !ended) return false;
  return clocks_.Read(nanoseconds, count);
}

void vc_commands::Barrier() {
  if (IsRecording()) RecordBarrier(*this, kStages, kWrites, kStages, kReads | kWrites);
}

void vc_commands::SetTimestamp(size_t index) {
  if (IsRecording()) clocks_.Set(buffer, index, &failure);
}

vc_commands *vc_commands_create(vc_device *device, size_t timestamps, vc_error *error) {
  return Guarded(error, static_cast<vc_commands *>(nullptr), [&]() -> vc_commands * {
    if (!device->CheckAlive(error)) return nullptr;
    auto commands = std::make_unique<vc_commands>(*device);
    return commands->Open(timestamps, error) ? commands.release() : nullptr;
  });
}

void vc_commands_destroy(vc_commands *commands) { delete commands; }

int vc_commands_begin(vc_commands *commands, vc_error *error) { return commands->Begin(error); }

int vc_commands_submit(vc_commands *commands, vc_error *error) { return commands->Submit(error); }

int vc_commands_wait(vc_commands *commands, uint64_t timeout_ns, vc_error *error) {
  return commands->Wait(timeout_ns, error);
}

int vc_commands_timestamps(vc_commands *commands, uint64_t *nanoseconds, size_t count) {
  return commands->ReadTimestamps(nanoseconds, count);
}

void vc_commands_barrier(vc_commands *commands) { commands->Barrier(); }

void vc_commands_timestamp(vc_commands *commands, size_t index) { commands->SetTimestamp(index); }
#endif
