#pragma once
#include <optional>

#include "Traits.h"
#include "VulkanCompute.h"

#if SAFELIGHT_HAS_VULKAN
namespace safelight {

// The best type of memory for a purpose among those whose bits are set in `allowed`.
std::optional<uint32_t> MemoryTypeFor(const Traits &traits, vc_memory purpose, uint32_t allowed);
// For importing the processor's memory.
std::optional<uint32_t> MemoryTypeForImport(const Traits &traits, uint32_t allowed);
// Whether the processor accesses memory of that type, which device buffers use, as fast as any other.
bool IsUnified(const Traits &traits, uint32_t type);

}  // namespace safelight
#endif
