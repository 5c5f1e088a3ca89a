#include "Error.h"

#include <cstdio>

namespace safelight {

void Fail(vc_error *error, vc_status status, const char *format, ...) {
  if (error == nullptr) return;
  error->status = status;
  va_list values;
  va_start(values, format);
  vsnprintf(error->message, sizeof error->message, format, values);
  va_end(values);
}

std::string Grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t from_end = 3; from_end < text.size(); from_end += 4) text.insert(text.size() - from_end, ",");
  return text;
}

#if SAFELIGHT_HAS_VULKAN
vc_status StatusOf(VkResult result) {
  switch (result) {
    case VK_SUCCESS:
      return VC_OK;
    case VK_TIMEOUT:
    case VK_NOT_READY:
      return VC_TIMEOUT;
    // Descriptor pools are in the device's memory.
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTATION:
      return VC_OUT_OF_DEVICE_MEMORY;
    // With 32-bit addresses, address space runs out first.
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_MEMORY_MAP_FAILED:
      return VC_OUT_OF_HOST_MEMORY;
    case VK_ERROR_DEVICE_LOST:
      return VC_DEVICE_LOST;
    case VK_ERROR_LAYER_NOT_PRESENT:
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return VC_UNSUITABLE;
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return VC_NO_DEVICE;
    default:
      return VC_FAILED;
  }
}

std::string TextOf(VkResult result) {
  switch (result) {
    case VK_TIMEOUT:
    case VK_NOT_READY:
      return "did not end in time";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "out of device memory";
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_FRAGMENTATION:
      return "out of descriptors";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "out of host memory";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "the driver could not be initialized";
    case VK_ERROR_DEVICE_LOST:
      return "the device was lost";
    case VK_ERROR_MEMORY_MAP_FAILED:
      return "memory could not be mapped";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return "the layer is not installed";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return "an extension is missing";
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return "a feature is missing";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "no device driver is installed";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "too many allocations";
    case VK_ERROR_INVALID_EXTERNAL_HANDLE:
      return "memory that the driver cannot import";
    case VK_ERROR_INVALID_SHADER_NV:
      return "the driver rejects the shader";
    default:
      return "VkResult " + std::to_string(static_cast<int>(result));
  }
}

bool CheckWith(VkResult result, vc_error *error, const char *call, va_list values) {
  if (result == VK_SUCCESS) return true;
  char text[VC_MESSAGE_BYTES];
  vsnprintf(text, sizeof text, call, values);
  Fail(error, StatusOf(result), "%s: %s", text, TextOf(result).c_str());
  return false;
}

bool Check(VkResult result, vc_error *error, const char *call, ...) {
  va_list values;
  va_start(values, call);
  const bool succeeded = CheckWith(result, error, call, values);
  va_end(values);
  return succeeded;
}
#endif

}  // namespace safelight
