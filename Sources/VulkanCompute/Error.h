#pragma once
#include <cstdarg>
#include <cstdint>
#include <new>
#include <string>

#include "Vulkan.h"
#include "VulkanCompute.h"

namespace safelight {

// Writes what failed, as printf does; `error` may be null.
[[gnu::format(printf, 3, 4)]] void Fail(vc_error *error, vc_status status, const char *format, ...);

// A number with its thousands apart, such as 2,097,152.
std::string Grouped(uint64_t number);

// What the body of a C function gives, or `failure` where memory ran out: no exception leaves for C or Swift.
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
// Whether it succeeded; otherwise the error is “call: result”, with the call written as printf does.
[[gnu::format(printf, 3, 4)]] bool Check(VkResult result, vc_error *error, const char *call, ...);
bool CheckWith(VkResult result, vc_error *error, const char *call, va_list values);
#endif

}  // namespace safelight
