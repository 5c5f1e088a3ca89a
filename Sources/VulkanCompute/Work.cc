// Copies and dispatches of recordings.
#include <algorithm>
#include <utility>

#include "Commands.h"
#include "Error.h"
#include "Kernel.h"

#if SAFELIGHT_HAS_VULKAN
using safelight::Fail;
using safelight::Grouped;
using safelight::Guarded;

namespace {

bool CheckOwner(const vc_commands &commands, const vc_device &owner, vc_error *error) {
  if (&commands.device == &owner) return true;
  Fail(error, VC_FAILED, "a recording of one device uses what belongs to another");
  return false;
}

bool CheckRange(const vc_buffer &buffer, uint64_t offset, uint64_t bytes, vc_error *error) {
  if (offset <= buffer.bytes && bytes <= buffer.bytes - offset) return true;
  Fail(error, VC_FAILED, "a copy of %s bytes at %s is beyond a buffer of %s bytes", Grouped(bytes).c_str(),
       Grouped(offset).c_str(), Grouped(buffer.bytes).c_str());
  return false;
}

bool CheckBuffers(const vc_commands &commands, const vc_kernel &kernel, vc_buffer *const *buffers,
                  size_t count, vc_error *error) {
  if (count != kernel.buffers) {
    Fail(error, VC_FAILED, "a kernel with %zu buffers is given %zu", kernel.buffers, count);
    return false;
  }
  const uint64_t most = commands.device.limits.buffer_bytes;
  for (size_t index = 0; index < count; ++index) {
    if (!CheckOwner(commands, buffers[index]->device, error)) return false;
    if (buffers[index]->bytes <= most) continue;
    Fail(error, VC_TOO_LARGE, "a kernel is given %s bytes in one buffer; the device's limit is %s",
         Grouped(buffers[index]->bytes).c_str(), Grouped(most).c_str());
    return false;
  }
  return true;
}

bool CheckGroups(const vc_commands &commands, const uint32_t (&groups)[3], vc_error *error) {
  const uint32_t(&most)[3] = commands.device.limits.groups;
  for (int axis = 0; axis < 3; ++axis) {
    if (groups[axis] <= most[axis]) continue;
    Fail(error, VC_TOO_LARGE, "%u × %u × %u work groups are above the device's limit of %u × %u × %u",
         groups[0], groups[1], groups[2], most[0], most[1], most[2]);
    return false;
  }
  return true;
}

}  // namespace

void vc_commands_copy(vc_commands *commands, vc_buffer *from, uint64_t from_offset, vc_buffer *to,
                      uint64_t to_offset, uint64_t bytes) {
  if (!commands->IsRecording() || bytes == 0) return;
  vc_error *error = &commands->failure;
  Guarded(error, false, [&] {
    if (!CheckOwner(*commands, from->device, error) || !CheckOwner(*commands, to->device, error) ||
        !CheckRange(*from, from_offset, bytes, error) || !CheckRange(*to, to_offset, bytes, error)) {
      return false;
    }
    if (from == to && from_offset < to_offset + bytes && to_offset < from_offset + bytes) {
      Fail(error, VC_FAILED, "a copy of %s bytes within one buffer overlaps itself", Grouped(bytes).c_str());
      return false;
    }
    commands->Use(*from);
    commands->Use(*to);
    const VkBufferCopy region = {from_offset, to_offset, bytes};
    commands->device.vk.CmdCopyBuffer(commands->buffer, from->handle.get(), to->handle.get(), 1, &region);
    return true;
  });
}

void vc_commands_dispatch(vc_commands *commands, vc_kernel *kernel, vc_buffer *const *buffers, size_t count,
                          const void *parameters, size_t parameter_bytes, uint32_t groups_x,
                          uint32_t groups_y, uint32_t groups_z) {
  const uint32_t groups[3] = {groups_x, groups_y, groups_z};
  if (!commands->IsRecording() || groups_x == 0 || groups_y == 0 || groups_z == 0) return;
  vc_error *error = &commands->failure;
  Guarded(error, false, [&] {
    if (!CheckOwner(*commands, kernel->device, error) ||
        !CheckBuffers(*commands, *kernel, buffers, count, error) || !CheckGroups(*commands, groups, error)) {
      return false;
    }
    if (parameter_bytes != kernel->parameter_bytes) {
      Fail(error, VC_FAILED, "a kernel with %zu bytes of parameters is given %zu", kernel->parameter_bytes,
           parameter_bytes);
      return false;
    }
    const VkDescriptorSet set = commands->sets.With(buffers, count, error);
    if (set == VK_NULL_HANDLE) return false;
    for (size_t index = 0; index < count; ++index) commands->Use(*buffers[index]);

    const safelight::DeviceFunctions &vk = commands->device.vk;
    const VkCommandBuffer buffer = commands->buffer;
    vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline.get());
    vk.CmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout.get(), 0, 1, &set, 0,
                             nullptr);
    if (parameter_bytes > 0) {
      vk.CmdPushConstants(buffer, kernel->layout.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                          static_cast<uint32_t>(parameter_bytes), parameters);
    }
    vk.CmdDispatch(buffer, groups_x, groups_y, groups_z);
    return true;
  });
}
#endif
