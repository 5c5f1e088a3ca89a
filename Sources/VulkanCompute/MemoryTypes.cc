#include "MemoryTypes.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {
namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
constexpr VkMemoryPropertyFlags kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
// Excludes memory that is protected, lazily allocated, or slow for debugging (VK_AMD_device_coherent_memory).
constexpr VkMemoryPropertyFlags kUsable = kLocal | kVisible | kCoherent | kCached;

// `score` returns how suitable a type is, or nothing if it is unsuitable.
template <typename Score>
std::optional<uint32_t> Best(const Traits &traits, uint32_t allowed, Score score) {
  std::optional<uint32_t> best;
  int best_score = 0;
  for (uint32_t type = 0; type < traits.memory.memoryTypeCount; ++type) {
    const VkMemoryType &properties = traits.memory.memoryTypes[type];
    if ((allowed >> type & 1) == 0 || (properties.propertyFlags & ~kUsable) != 0) continue;
    const std::optional<int> value = score(properties);
    // Drivers list the faster of equal types first.
    if (value && (!best || *value > best_score)) {
      best = type;
      best_score = *value;
    }
  }
  return best;
}

int Weight(bool condition, int weight) { return condition ? weight : 0; }

}  // namespace

std::optional<uint32_t> MemoryTypeFor(const Traits &traits, vc_memory purpose, uint32_t allowed) {
  const bool shares = traits.SharesMemory();
  return Best(traits, allowed, [&](const VkMemoryType &type) -> std::optional<int> {
    const auto has = [&type](VkMemoryPropertyFlags flag) { return (type.propertyFlags & flag) != 0; };
    switch (purpose) {
      case VC_MEMORY_DEVICE:
        // The processor's view of a card's memory may be a small window; if both share memory, it costs
        // nothing.
        return Weight(has(kLocal), 16) + Weight(type.heapIndex == traits.main_heap, 8) +
               Weight(has(kVisible) == shares, 4) + Weight(shares && has(kCached), 2) +
               Weight(shares && has(kCoherent), 1);
      case VC_MEMORY_UPLOAD:
        if (!has(kVisible)) return std::nullopt;
        // Writes that bypass the caches spare them for other data, and the device need not snoop.
        return Weight(has(kCoherent), 8) + Weight(has(kLocal) == shares, 4) + Weight(!has(kCached), 2);
      case VC_MEMORY_DOWNLOAD:
        if (!has(kVisible)) return std::nullopt;
        // Reads that bypass the caches are slower than anything else.
        return Weight(has(kCached), 8) + Weight(has(kCoherent), 4) + Weight(has(kLocal) == shares, 2);
    }
    return std::nullopt;
  });
}

std::optional<uint32_t> MemoryTypeForImport(const Traits &traits, uint32_t allowed) {
  return Best(traits, allowed, [](const VkMemoryType &type) -> std::optional<int> {
    return Weight((type.propertyFlags & kCoherent) != 0, 2) + Weight((type.propertyFlags & kCached) != 0, 1);
  });
}

bool IsUnified(const Traits &traits, uint32_t type) {
  const VkMemoryPropertyFlags flags = traits.memory.memoryTypes[type].propertyFlags;
  if (!traits.SharesMemory() || (flags & kVisible) == 0) return false;
  if (traits.memory.memoryTypes[type].heapIndex != traits.main_heap) return false;
  if ((flags & kCached) != 0) return true;
  for (uint32_t other = 0; other < traits.memory.memoryTypeCount; ++other) {
    if ((traits.memory.memoryTypes[other].propertyFlags & kCached) != 0) return false;
  }
  return true;
}

}  // namespace safelight
#endif
