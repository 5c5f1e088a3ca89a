#include "Instance.h"

#if SAFELIGHT_HAS_VULKAN
#include <algorithm>
#include <cstring>
#include <memory>

#include "Error.h"

using safelight::Check;
using safelight::Fail;
using safelight::Guarded;
using safelight::Loader;

namespace {

constexpr char kLayer[] = "VK_LAYER_KHRONOS_validation";

// Called by the validation layer on any thread, possibly during other Vulkan calls.
VKAPI_ATTR VkBool32 VKAPI_CALL Note(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT *message, void *context) {
  auto &complaints = *static_cast<vc_instance::Complaints *>(context);
  const std::lock_guard<std::mutex> lock(complaints.mutex);
  try {
    if (complaints.first.empty()) {
      complaints.first = message->pMessage != nullptr ? message->pMessage : "a message without text";
    }
  } catch (const std::bad_alloc &) {
    // The complaint counts without its text.
  }
  complaints.count += 1;
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT MessengerInfo(vc_instance::Complaints *complaints) {
  VkDebugUtilsMessengerCreateInfoEXT info = {VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  // Not GENERAL, which the loader uses for messages about other devices' drivers.
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = Note;
  info.pUserData = complaints;
  return info;
}

bool IsLayerInstalled(const Loader &loader) {
  uint32_t count = 0;
  if (loader.functions.EnumerateInstanceLayerProperties(&count, nullptr) != VK_SUCCESS) return false;
  std::vector<VkLayerProperties> layers(count);
  if (loader.functions.EnumerateInstanceLayerProperties(&count, layers.data()) < VK_SUCCESS) return false;
  layers.resize(count);
  return std::any_of(layers.begin(), layers.end(),
                     [](const VkLayerProperties &layer) { return strcmp(layer.layerName, kLayer) == 0; });
}

}  // namespace

bool vc_instance::LoadFunctions(const Loader &loader, vc_error *error) {
#define VC_LOAD(name)                                                                         \
  vk.name = reinterpret_cast<PFN_vk##name>(loader.GetInstanceProcAddr(handle, "vk" #name));   \
  if (vk.name == nullptr) {                                                                   \
    Fail(error, VC_NO_LOADER, "libvulkan.so.1 is older than Vulkan 1.1: it has no vk" #name); \
    return false;                                                                             \
  }
  VC_INSTANCE_FUNCTIONS(VC_LOAD)
#undef VC_LOAD
  return true;
}

bool vc_instance::Open(int validate, vc_error *error) {
  const Loader *loader = Loader::Shared(error);
  if (loader == nullptr) return false;

  const VkValidationFeatureEnableEXT hazards = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT validation = {VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  validation.enabledValidationFeatureCount = 1;
  validation.pEnabledValidationFeatures = &hazards;
  // Chained here, it also receives messages about creating the instance.
  VkDebugUtilsMessengerCreateInfoEXT messenger = MessengerInfo(&complaints);
  if (validate >= 2) messenger.pNext = &validation;

  VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "Safelight";
  application.pEngineName = "Safelight";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  const char *const layers[] = {kLayer};
  const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                    VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  if (validate > 0) {
    if (!IsLayerInstalled(*loader)) {
      Fail(error, VC_UNSUITABLE, "the layer %s is not installed", kLayer);
      return false;
    }
    info.pNext = &messenger;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = layers;
    info.enabledExtensionCount = validate >= 2 ? 2 : 1;
    info.ppEnabledExtensionNames = extensions;
  }
  if (!Check(loader->functions.CreateInstance(&info, nullptr, &handle), error, "vkCreateInstance"))
    return false;
  if (!LoadFunctions(*loader, error)) return false;

  if (validate > 0) {
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        loader->GetInstanceProcAddr(handle, "vkCreateDebugUtilsMessengerEXT"));
    destroy_messenger_ = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        loader->GetInstanceProcAddr(handle, "vkDestroyDebugUtilsMessengerEXT"));
    if (create == nullptr || destroy_messenger_ == nullptr) {
      Fail(error, VC_UNSUITABLE, "the layer %s has no VK_EXT_debug_utils", kLayer);
      return false;
    }
    const VkDebugUtilsMessengerCreateInfoEXT own = MessengerInfo(&complaints);
    if (!Check(create(handle, &own, nullptr, &messenger_), error, "vkCreateDebugUtilsMessengerEXT"))
      return false;
  }

  uint32_t count = 0;
  if (!Check(vk.EnumeratePhysicalDevices(handle, &count, nullptr), error, "vkEnumeratePhysicalDevices")) {
    return false;
  }
  devices.resize(count);
  // Ignores a device added in the meantime.
  const VkResult result = vk.EnumeratePhysicalDevices(handle, &count, devices.data());
  if (result != VK_INCOMPLETE && !Check(result, error, "vkEnumeratePhysicalDevices")) return false;
  devices.resize(count);
  if (devices.empty()) {
    Fail(error, VC_NO_DEVICE, "Vulkan drivers are installed, but none of them has a device");
    return false;
  }
  return true;
}

vc_instance::~vc_instance() {
  if (messenger_ != VK_NULL_HANDLE) destroy_messenger_(handle, messenger_, nullptr);
  if (handle != VK_NULL_HANDLE && vk.DestroyInstance != nullptr) vk.DestroyInstance(handle, nullptr);
}

vc_instance *vc_instance_open(int validate, vc_error *error) {
  return Guarded(error, static_cast<vc_instance *>(nullptr), [&]() -> vc_instance * {
    auto instance = std::make_unique<vc_instance>();
    return instance->Open(validate, error) ? instance.release() : nullptr;
  });
}

void vc_instance_close(vc_instance *instance) { delete instance; }

size_t vc_instance_complaints(const vc_instance *instance, char *first, size_t bytes) {
  const std::lock_guard<std::mutex> lock(instance->complaints.mutex);
  if (first != nullptr && bytes > 0) {
    const size_t length = std::min(bytes - 1, instance->complaints.first.size());
    memcpy(first, instance->complaints.first.data(), length);
    first[length] = 0;
  }
  return instance->complaints.count;
}

size_t vc_device_count(const vc_instance *instance) { return instance->devices.size(); }
#endif
