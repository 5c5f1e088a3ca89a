#pragma once
#include <cstdarg>
#include <cstdint>
#include <new>
#include <string>

#include "Vulkan.h"
#include "VulkanCompute.h"

namespace safelight {

// Formats a failure as printf does; `error` may be null.
[[gnu::format(printf, 3, 4)]] void Fail(vc_error *error, vc_status status, const char *format, ...);

// Formats a number with thousands separators, such as 2,097,152.
std::string Grouped(uint64_t number);

// Returns the result of a C function's body, or `failure` if memory ran out: no exception may reach C or
// Swift.
template <typename Result, typename Body>
Result Guarded(vc_error *error, Result failure, Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    Fail(error, VC_OUT_OF_HOST_MEMORY, "out of memory");
    return failure;
  }
}

#if SAFELIGHT_HAS_VULKAN
vc_status StatusOf(VkResult result);
// In words, such as “out of device memory”.
std::string TextOf(VkResult result);
// Returns whether the call succeeded; otherwise the error is “call: result”, with the call formatted as by
// printf.
[[gnu::format(printf, 3, 4)]] bool Check(VkResult result, vc_error *error, const char *call, ...);
bool CheckWith(VkResult result, vc_error *error, const char *call, va_list values);
#endif

}  // namespace safelight
