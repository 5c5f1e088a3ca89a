#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "Loader.h"
#include "VulkanCompute.h"

#if SAFELIGHT_HAS_VULKAN
// Vulkan's instance, its devices, and the validation layer's messages.
struct vc_instance {
  ~vc_instance();
  vc_instance() = default;
  vc_instance(const vc_instance &) = delete;
  vc_instance &operator=(const vc_instance &) = delete;

  // Returns whether it could be opened; called once.
  bool Open(int validate, vc_error *error);

  safelight::InstanceFunctions vk;
  VkInstance handle = VK_NULL_HANDLE;
  std::vector<VkPhysicalDevice> devices;

  struct Complaints {
    mutable std::mutex mutex;
    size_t count = 0;
    std::string first;
  } complaints;

 private:
  bool LoadFunctions(const safelight::Loader &loader, vc_error *error);

  PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger_ = nullptr;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};
#endif
