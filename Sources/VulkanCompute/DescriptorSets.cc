#include "DescriptorSets.h"

#if SAFELIGHT_HAS_VULKAN
#include <algorithm>

#include "Error.h"

namespace safelight {

void DescriptorSets::Rewind() {
  for (Group &group : groups_) group.used = 0;
}

bool DescriptorSets::Grow(Group *group, size_t count, vc_error *error) {
  const size_t more = std::max<size_t>(8, group->sets.size());
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, static_cast<uint32_t>(more * count)};
  VkDescriptorPoolCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.maxSets = static_cast<uint32_t>(more);
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  if (!device_.Check(device_.vk.CreateDescriptorPool(device_.handle, &info, nullptr, &pool), error,
                     "vkCreateDescriptorPool of %zu sets", more)) {
    return false;
  }
  Owned<VkDescriptorPool> owned(device_.handle, pool, device_.vk.DestroyDescriptorPool);

  const std::vector<VkDescriptorSetLayout> layouts(more, device_.set_layouts[count].get());
  std::vector<VkDescriptorSet> handles(more);
  VkDescriptorSetAllocateInfo allocation = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocation.descriptorPool = pool;
  allocation.descriptorSetCount = static_cast<uint32_t>(more);
  allocation.pSetLayouts = layouts.data();
  if (!device_.Check(device_.vk.AllocateDescriptorSets(device_.handle, &allocation, handles.data()), error,
                     "vkAllocateDescriptorSets of %zu sets", more)) {
    return false;
  }
  group->pools.reserve(group->pools.size() + 1);
  group->sets.reserve(group->sets.size() + more);
  for (const VkDescriptorSet handle : handles) group->sets.push_back({handle, {}});
  group->pools.push_back(std::move(owned));
  return true;
}

void DescriptorSets::Write(const Set &set, vc_buffer *const *buffers, size_t count) const {
  std::array<VkDescriptorBufferInfo, kMaxBuffers> ranges;
  for (size_t index = 0; index < count; ++index)
    ranges[index] = {buffers[index]->handle.get(), 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set.handle;
  write.descriptorCount = static_cast<uint32_t>(count);
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = ranges.data();
  device_.vk.UpdateDescriptorSets(device_.handle, 1, &write, 0, nullptr);
}

VkDescriptorSet DescriptorSets::With(vc_buffer *const *buffers, size_t count, vc_error *error) {
  Group &group = groups_[count];
  std::array<uint64_t, kMaxBuffers> ids = {};
  for (size_t index = 0; index < count; ++index) ids[index] = buffers[index]->id;
  // Tiles of one picture differ only in their parameters.
  if (group.used > 0 && group.sets[group.used - 1].buffers == ids) return group.sets[group.used - 1].handle;
  if (group.used == group.sets.size() && !Grow(&group, count, error)) return VK_NULL_HANDLE;
  Set &set = group.sets[group.used];
  group.used += 1;
  if (set.buffers != ids) {
    Write(set, buffers, count);
    set.buffers = ids;
  }
  return set.handle;
}

}  // namespace safelight
#endif
