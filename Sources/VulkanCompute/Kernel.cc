#include "Kernel.h"

#if SAFELIGHT_HAS_VULKAN
#include <algorithm>
#include <memory>
#include <vector>

#include "Error.h"

using safelight::Fail;
using safelight::Guarded;
using safelight::Owned;

namespace {

constexpr uint32_t kMagic = 0x07230203;
// The length of SPIR-V's header.
constexpr size_t kHeaderWords = 5;

bool CheckShape(const vc_device &device, const uint32_t *spirv, size_t words, size_t buffers,
                size_t parameter_bytes, vc_error *error) {
  if (words < kHeaderWords || spirv[0] != kMagic) {
    Fail(error, VC_FAILED, "the code of the kernel, %zu words, is not SPIR-V", words);
    return false;
  }
  const size_t most_buffers = std::min<size_t>(
      safelight::kMaxBuffers, device.traits.properties.limits.maxPerStageDescriptorStorageBuffers);
  if (buffers == 0 || buffers > most_buffers) {
    Fail(error, VC_TOO_LARGE, "a kernel with %zu buffers; it has from 1 to %zu", buffers, most_buffers);
    return false;
  }
  if (parameter_bytes % 4 != 0) {
    Fail(error, VC_FAILED, "a kernel with %zu bytes of parameters, which are not whole words",
         parameter_bytes);
    return false;
  }
  if (parameter_bytes > device.limits.parameter_bytes) {
    Fail(error, VC_TOO_LARGE, "a kernel with %zu bytes of parameters is above the device's limit of %u",
         parameter_bytes, device.limits.parameter_bytes);
    return false;
  }
  return true;
}

bool CreateLayout(vc_device &device, size_t buffers, size_t parameter_bytes, Owned<VkPipelineLayout> *layout,
                  vc_error *error) {
  const VkDescriptorSetLayout set = device.set_layouts[buffers].get();
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, static_cast<uint32_t>(parameter_bytes)};
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 1;
  info.pSetLayouts = &set;
  info.pushConstantRangeCount = parameter_bytes > 0 ? 1 : 0;
  info.pPushConstantRanges = &range;
  VkPipelineLayout made = VK_NULL_HANDLE;
  if (!device.Check(device.vk.CreatePipelineLayout(device.handle, &info, nullptr, &made), error,
                    "vkCreatePipelineLayout")) {
    return false;
  }
  *layout = Owned<VkPipelineLayout>(device.handle, made, device.vk.DestroyPipelineLayout);
  return true;
}

bool CreatePipeline(vc_device &device, VkShaderModule module, const uint32_t *specialization,
                    size_t constants, VkPipelineLayout layout, Owned<VkPipeline> *pipeline, vc_error *error) {
  std::vector<VkSpecializationMapEntry> entries(constants);
  for (uint32_t index = 0; index < constants; ++index) entries[index] = {index, 4 * index, 4};
  VkSpecializationInfo values = {};
  values.mapEntryCount = static_cast<uint32_t>(constants);
  values.pMapEntries = entries.data();
  values.dataSize = 4 * constants;
  values.pData = specialization;

  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = constants > 0 ? &values : nullptr;
  info.layout = layout;
  VkPipeline made = VK_NULL_HANDLE;
  const VkResult result =
      device.failures.Take(VC_FAILURE_KERNEL)
          ? VK_ERROR_INVALID_SHADER_NV
          : device.vk.CreateComputePipelines(device.handle, device.cache.get(), 1, &info, nullptr, &made);
  if (!device.Check(result, error, "vkCreateComputePipelines with %zu constants", constants)) return false;
  *pipeline = Owned<VkPipeline>(device.handle, made, device.vk.DestroyPipeline);
  return true;
}

}  // namespace

vc_kernel *vc_kernel_create(vc_device *device, const uint32_t *spirv, size_t words,
                            const uint32_t *specialization, size_t constants, size_t buffers,
                            size_t parameter_bytes, vc_error *error) {
  return Guarded(error, static_cast<vc_kernel *>(nullptr), [&]() -> vc_kernel * {
    if (!device->CheckAlive(error) || !CheckShape(*device, spirv, words, buffers, parameter_bytes, error)) {
      return nullptr;
    }
    VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = 4 * words;
    info.pCode = spirv;
    VkShaderModule made = VK_NULL_HANDLE;
    if (!device->Check(device->vk.CreateShaderModule(device->handle, &info, nullptr, &made), error,
                       "vkCreateShaderModule of %zu words", words)) {
      return nullptr;
    }
    const Owned<VkShaderModule> module(device->handle, made, device->vk.DestroyShaderModule);
    auto kernel = std::make_unique<vc_kernel>(vc_kernel{*device, buffers, parameter_bytes, {}, {}});
    if (!CreateLayout(*device, buffers, parameter_bytes, &kernel->layout, error) ||
        !CreatePipeline(*device, made, specialization, constants, kernel->layout.get(), &kernel->pipeline,
                        error)) {
      return nullptr;
    }
    return kernel.release();
  });
}

void vc_kernel_destroy(vc_kernel *kernel) { delete kernel; }
#endif
