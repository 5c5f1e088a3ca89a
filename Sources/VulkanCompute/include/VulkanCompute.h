#ifndef VULKAN_COMPUTE_H
#define VULKAN_COMPUTE_H

// Compute on a Vulkan 1.3 device: devices, memory, kernels, and recordings of commands that run concurrently.
//
// The loader (libvulkan.so.1) is opened at run time; without it, a machine has no devices. Knows nothing of
// pictures. If Vulkan's header was missing at compile time, every function reports that.
//
// Functions of a device may be called on any thread, those of a buffer, a kernel or a recording on one thread
// at a time; recordings on several threads may use the same kernels and buffers. Objects must be destroyed
// before the device that made them, and after the last recording that uses them has ended; devices before
// their instance.
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Errors

typedef enum {
  VC_OK = 0,
  // Compiled without Vulkan's headers.
  VC_NOT_BUILT,
  VC_NO_LOADER,
  VC_NO_DEVICE,
  // The device lacks something that the message names.
  VC_UNSUITABLE,
  VC_OUT_OF_DEVICE_MEMORY,
  VC_OUT_OF_HOST_MEMORY,
  VC_DEVICE_LOST,
  // Above a limit of the device; the message contains both numbers.
  VC_TOO_LARGE,
  VC_TIMEOUT,
  // A mistake of the caller or of a driver.
  VC_FAILED
} vc_status;

#define VC_MESSAGE_BYTES 256

// What failed and why, without a full stop, such as “vkAllocateMemory of 2,097,152 bytes: out of device
// memory”.
typedef struct {
  vc_status status;
  char message[VC_MESSAGE_BYTES];
} vc_error;

// MARK: Devices

typedef struct vc_instance vc_instance;

// Opens the loader. `validate` 1 enables VK_LAYER_KHRONOS_validation, which fails if it is not installed; 2
// also checks for missing barriers between commands, treating every access to a buffer as one to all of it.
// Returns NULL on failure, also if no driver has a device.
vc_instance *vc_instance_open(int validate, vc_error *error);
void vc_instance_close(vc_instance *instance);

// Returns the number of the validation layer's complaints (errors and warnings), and copies the first one,
// `bytes` including the terminating 0; empty if there is none.
size_t vc_instance_complaints(const vc_instance *instance, char *first, size_t bytes);

typedef enum { VC_KIND_OTHER, VC_KIND_INTEGRATED, VC_KIND_DISCRETE, VC_KIND_VIRTUAL, VC_KIND_CPU } vc_kind;

typedef struct {
  char name[256];
  // The driver's name and version.
  char driver[256];
  vc_kind kind;
  uint32_t api_major, api_minor, api_patch;
  uint32_t vendor, device;
  // Identifies the device and driver; pipeline caches are stored under it.
  uint8_t pipeline_cache_uuid[16];
  uint8_t device_uuid[16];
  // The size of device-local memory.
  uint64_t memory_bytes;
  // The maximum number of invocations in a work group, and the bytes of memory that they share.
  uint32_t group_invocations;
  uint32_t shared_bytes;
  // Why it cannot be used, such as “has Vulkan 1.1; 1.3 is needed”; empty if it can.
  char problem[VC_MESSAGE_BYTES];
} vc_device_info;

size_t vc_device_count(const vc_instance *instance);
void vc_device_describe(const vc_instance *instance, size_t index, vc_device_info *info);

typedef struct vc_device vc_device;

typedef struct {
  // The maximum size of a buffer that kernels read or write.
  uint64_t buffer_bytes;
  // The shared memory of a work group.
  uint32_t shared_bytes;
  uint32_t group_invocations;
  uint32_t groups[3];
  // The parameters of a kernel.
  uint32_t parameter_bytes;
  // The alignment of addresses and lengths of imported memory; 0 if memory cannot be imported.
  uint64_t import_alignment;
  // Whether dma-bufs can be imported.
  int imports_dma_buf;
  // Whether the processor can access all of the device's memory at no extra cost, so that nothing need be
  // staged: buffers of VC_MEMORY_DEVICE then have contents.
  int is_unified;
  // Nanoseconds per tick of the device's clock; 0 if it has none.
  double tick_ns;
} vc_limits;

// `cache` is an earlier result of vc_device_pipeline_cache for this device and driver; anything else is
// ignored.
vc_device *vc_device_open(vc_instance *instance, size_t index, const void *cache, size_t cache_bytes,
                          vc_error *error);
void vc_device_close(vc_device *device);
void vc_device_limits(const vc_device *device, vc_limits *limits);
// Returns the device-local bytes that can still be allocated, as reported by the driver
// (VK_EXT_memory_budget), or else the rest of the heap.
uint64_t vc_device_memory_available(const vc_device *device);
// Sets the maximum device memory of all buffers together, if a user or a test wants less than there is;
// allocations beyond it fail as if the device had no more.
void vc_device_set_memory_limit(vc_device *device, uint64_t bytes);
// Copies the compiled kernels. Returns their size, also if `data` is NULL or too small; nothing is copied
// then.
size_t vc_device_pipeline_cache(const vc_device *device, void *data, size_t bytes);

// Failures injected to test fallbacks, since working devices do not fail.
typedef enum {
  // Creating a buffer: out of device memory.
  VC_FAILURE_ALLOCATION,
  // Creating a kernel.
  VC_FAILURE_KERNEL,
  // Submitting or waiting: the device is lost, permanently.
  VC_FAILURE_SUBMIT_LOST,
  VC_FAILURE_WAIT_LOST
} vc_failure;

// For tests only: after the next `after` calls of that kind, `times` calls fail.
void vc_device_set_failure(vc_device *device, vc_failure what, uint32_t after, uint32_t times);

// MARK: Memory

typedef struct vc_buffer vc_buffer;

typedef enum {
  // Fastest for kernels.
  VC_MEMORY_DEVICE,
  // Written by the processor.
  VC_MEMORY_UPLOAD,
  // Read by the processor.
  VC_MEMORY_DOWNLOAD
} vc_memory;

// Contents are undefined. Kernels and copies may use every buffer.
vc_buffer *vc_buffer_create(vc_device *device, uint64_t bytes, vc_memory memory, vc_error *error);
// Imports the processor's memory as a buffer, without a copy; it must outlive the buffer. Address and length
// are multiples of import_alignment. Kernels may use at most buffer_bytes of it, copies all.
vc_buffer *vc_buffer_import_memory(vc_device *device, void *memory, uint64_t bytes, vc_error *error);
// Imports the memory of a dma-buf, such as V4L2's VIDIOC_EXPBUF creates. The caller keeps the descriptor.
vc_buffer *vc_buffer_import_dma_buf(vc_device *device, int descriptor, uint64_t bytes, vc_error *error);
void vc_buffer_destroy(vc_buffer *buffer);
uint64_t vc_buffer_bytes(const vc_buffer *buffer);
// Returns the address at which the processor can access the buffer; NULL if it cannot.
void *vc_buffer_contents(vc_buffer *buffer);
// Call flush after the processor wrote, and invalidate before it reads what kernels or copies wrote. They do
// nothing if the memory is coherent.
void vc_buffer_flush(vc_buffer *buffer, uint64_t offset, uint64_t bytes);
void vc_buffer_invalidate(vc_buffer *buffer, uint64_t offset, uint64_t bytes);

// MARK: Kernels

typedef struct vc_kernel vc_kernel;

// A compute pipeline. The shader's entry point is `main`, its storage buffers are bindings 0, 1, … of set 0,
// its parameters a push constant block, its specialization constants 32 bits each with the identifiers 0, 1,
// ….
vc_kernel *vc_kernel_create(vc_device *device, const uint32_t *spirv, size_t words,
                            const uint32_t *specialization, size_t constants, size_t buffers,
                            size_t parameter_bytes, vc_error *error);
void vc_kernel_destroy(vc_kernel *kernel);

// MARK: Recordings

typedef struct vc_commands vc_commands;

// A recording that is recorded, submitted and waited for repeatedly; allocates nothing after the first time
// unless it grows. `timestamps` is the number of its timestamps.
vc_commands *vc_commands_create(vc_device *device, size_t timestamps, vc_error *error);
// Waits for the recording to end first.
void vc_commands_destroy(vc_commands *commands);

// The recording must have ended. Errors while recording are kept and reported by `submit`.
int vc_commands_begin(vc_commands *commands, vc_error *error);
void vc_commands_copy(vc_commands *commands, vc_buffer *from, uint64_t from_offset, vc_buffer *to,
                      uint64_t to_offset, uint64_t bytes);
void vc_commands_dispatch(vc_commands *commands, vc_kernel *kernel, vc_buffer *const *buffers, size_t count,
                          const void *parameters, size_t parameter_bytes, uint32_t groups_x,
                          uint32_t groups_y, uint32_t groups_z);
// Makes the writes of all commands recorded so far visible to the commands that follow.
void vc_commands_barrier(vc_commands *commands);
// Records the device's clock when all commands recorded so far have ended.
void vc_commands_timestamp(vc_commands *commands, size_t index);
// Submits the recording to the device's queue. When it has ended, its writes are visible to the processor,
// and to submissions after the processor has waited for it. A recording that has ended may be submitted again
// unchanged. Returns 0 on failure.
int vc_commands_submit(vc_commands *commands, vc_error *error);
// Returns whether it has ended by then; 0 is a time-out or a failure, which `error` distinguishes. UINT64_MAX
// waits forever.
int vc_commands_wait(vc_commands *commands, uint64_t timeout_ns, vc_error *error);
// Reads the first `count` timestamps of a recording that has ended, in nanoseconds from an arbitrary moment.
// Returns 0 if the device has no clock, or if the recording has not ended or did not set them all.
int vc_commands_timestamps(vc_commands *commands, uint64_t *nanoseconds, size_t count);

#ifdef __cplusplus
}
#endif
#endif
