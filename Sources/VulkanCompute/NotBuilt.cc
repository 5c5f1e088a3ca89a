// Replaces the module if Vulkan's header was missing: an instance that never opens, so nothing else can be
// called.
#include "Error.h"

#if !SAFELIGHT_HAS_VULKAN
namespace {

template <typename Result>
Result NotBuilt(vc_error *error) {
  safelight::Fail(error, VC_NOT_BUILT, "compiled without the headers of Vulkan 1.3");
  return {};
}

}  // namespace

vc_instance *vc_instance_open(int, vc_error *error) { return NotBuilt<vc_instance *>(error); }
void vc_instance_close(vc_instance *) {}
size_t vc_instance_complaints(const vc_instance *, char *first, size_t bytes) {
  if (first != nullptr && bytes > 0) *first = 0;
  return 0;
}
size_t vc_device_count(const vc_instance *) { return 0; }
void vc_device_describe(const vc_instance *, size_t, vc_device_info *info) { *info = {}; }

vc_device *vc_device_open(vc_instance *, size_t, const void *, size_t, vc_error *error) {
  return NotBuilt<vc_device *>(error);
}
void vc_device_close(vc_device *) {}
void vc_device_limits(const vc_device *, vc_limits *limits) { *limits = {}; }
uint64_t vc_device_memory_available(const vc_device *) { return 0; }
void vc_device_set_memory_limit(vc_device *, uint64_t) {}
size_t vc_device_pipeline_cache(const vc_device *, void *, size_t) { return 0; }
void vc_device_set_failure(vc_device *, vc_failure, uint32_t, uint32_t) {}

vc_buffer *vc_buffer_create(vc_device *, uint64_t, vc_memory, vc_error *error) {
  return NotBuilt<vc_buffer *>(error);
}
vc_buffer *vc_buffer_import_memory(vc_device *, void *, uint64_t, vc_error *error) {
  return NotBuilt<vc_buffer *>(error);
}
vc_buffer *vc_buffer_import_dma_buf(vc_device *, int, uint64_t, vc_error *error) {
  return NotBuilt<vc_buffer *>(error);
}
void vc_buffer_destroy(vc_buffer *) {}
uint64_t vc_buffer_bytes(const vc_buffer *) { return 0; }
void *vc_buffer_contents(vc_buffer *) { return nullptr; }
void vc_buffer_flush(vc_buffer *, uint64_t, uint64_t) {}
void vc_buffer_invalidate(vc_buffer *, uint64_t, uint64_t) {}

vc_kernel *vc_kernel_create(vc_device *, const uint32_t *, size_t, const uint32_t *, size_t, size_t, size_t,
                            vc_error *error) {
  return NotBuilt<vc_kernel *>(error);
}
void vc_kernel_destroy(vc_kernel *) {}

vc_commands *vc_commands_create(vc_device *, size_t, vc_error *error) {
  return NotBuilt<vc_commands *>(error);
}
void vc_commands_destroy(vc_commands *) {}
int vc_commands_begin(vc_commands *, vc_error *error) { return NotBuilt<int>(error); }
void vc_commands_copy(vc_commands *, vc_buffer *, uint64_t, vc_buffer *, uint64_t, uint64_t) {}
void vc_commands_dispatch(vc_commands *, vc_kernel *, vc_buffer *const *, size_t, const void *, size_t,
                          uint32_t, uint32_t, uint32_t) {}
void vc_commands_barrier(vc_commands *) {}
void vc_commands_timestamp(vc_commands *, size_t) {}
int vc_commands_submit(vc_commands *, vc_error *error) { return NotBuilt<int>(error); }
int vc_commands_wait(vc_commands *, uint64_t, vc_error *error) { return NotBuilt<int>(error); }
int vc_commands_timestamps(vc_commands *, uint64_t *, size_t) { return 0; }
#endif
