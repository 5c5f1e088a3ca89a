import FrameCore
import Synchronization
import VulkanCompute

/// An open device. Every object made by it keeps it open.
final class DeviceHandle: @unchecked Sendable {
  let pointer: OpaquePointer
  let limits: vc_limits
  /// Whether pictures need no copies in the device's memory.
  let isUnified: Bool
  private let instance: VulkanInstance
  /// The bytes of device memory that buffers take, and their peak.
  private let allocated = Atomic<Int>(0)
  private let mostAllocated = Atomic<Int>(0)

  /// - Parameters:
  ///   - cache: compiled kernels of an earlier run.
  ///   - copiesAlways: whether pictures are copied as on a card with its own memory; for tests.
  init(_ device: VulkanDevice, cache: [UInt8], copiesAlways: Bool = false) throws {
    instance = device.instance
    let instance = instance
    pointer = try checked { error in
      cache.withUnsafeBytes {
        vc_device_open(instance.pointer, device.number, $0.baseAddress, $0.count, &error)
      }
    }
    var limits = vc_limits()
    vc_device_limits(pointer, &limits)
    self.limits = limits
    isUnified = limits.is_unified != 0 && !copiesAlways
  }

  deinit { vc_device_close(pointer) }

  var allocatedBytes: Int { allocated.load(ordering: .relaxed) }
  var mostAllocatedBytes: Int { mostAllocated.load(ordering: .relaxed) }
  /// The bytes that can still be allocated, as reported by the driver.
  var availableBytes: Int { Int(clamping: vc_device_memory_available(pointer)) }
  /// The maximum size of a buffer.
  var bufferBytes: Int { Int(clamping: limits.buffer_bytes) }

  fileprivate func count(_ bytes: Int) {
    let now = allocated.add(bytes, ordering: .relaxed).newValue
    _ = mostAllocated.max(now, ordering: .relaxed)
  }

  var pipelineCache: [UInt8] {
    let size = vc_device_pipeline_cache(pointer, nil, 0)
    return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      // If the cache has grown meanwhile, it is left to the next call.
      count = vc_device_pipeline_cache(pointer, bytes.baseAddress, size) == size ? size : 0
    }
  }
}

/// Memory for kernels and copies.
final class DeviceBuffer: @unchecked Sendable {
  let pointer: OpaquePointer
  let bytes: Int
  private let device: DeviceHandle
  /// Bytes of device memory: 0 for imported memory and, on devices with their own memory, for the processor's.
  private let ownBytes: Int

  init(_ device: DeviceHandle, bytes: Int, _ memory: vc_memory) throws(VulkanFailure) {
    pointer = try checked { vc_buffer_create(device.pointer, UInt64(bytes), memory, &$0) }
    self.device = device
    self.bytes = bytes
    ownBytes = device.isUnified || memory == VC_MEMORY_DEVICE ? bytes : 0
    device.count(ownBytes)
  }

  /// Imports memory of the processor, which must outlive the buffer.
  init(_ device: DeviceHandle, importing memory: UnsafeMutableRawPointer, bytes: Int) throws(VulkanFailure) {
    pointer = try checked { vc_buffer_import_memory(device.pointer, memory, UInt64(bytes), &$0) }
    self.device = device
    self.bytes = bytes
    ownBytes = 0
  }

  /// Imports the memory of a dma-buf.
  init(_ device: DeviceHandle, importing descriptor: Int32, bytes: Int) throws(VulkanFailure) {
    pointer = try checked { vc_buffer_import_dma_buf(device.pointer, descriptor, UInt64(bytes), &$0) }
    self.device = device
    self.bytes = bytes
    ownBytes = 0
  }

  deinit {
    vc_buffer_destroy(pointer)
    device.count(-ownBytes)
  }

  /// Returns the address at which the processor can access the buffer.
  ///
  /// - Throws: `VulkanFailure` if the buffer is not mapped.
  func contents() throws(VulkanFailure) -> UnsafeMutableRawPointer {
    guard let contents = vc_buffer_contents(pointer) else {
      throw VulkanFailure(VC_FAILED, "memory for transfers is not mapped")
    }
    return contents
  }

  /// Must be called after the processor has written.
  func flush(_ count: Int) { vc_buffer_flush(pointer, 0, UInt64(count)) }
  /// Must be called before the processor reads.
  func invalidate(_ count: Int) { vc_buffer_invalidate(pointer, 0, UInt64(count)) }
}

/// A compiled shader with its constants.
final class DeviceKernel: @unchecked Sendable {
  let pointer: OpaquePointer
  private let device: DeviceHandle

  /// The size of the push constants defined in `shaders/parameters.glsl`.
  static let parameterBytes = 124

  init(_ device: DeviceHandle, _ variant: ShaderVariant) throws {
    let code = try variant.code()
    pointer = try checked { error in
      code.withUnsafeBufferPointer { code in
        variant.constants.withUnsafeBufferPointer {
          vc_kernel_create(
            device.pointer, code.baseAddress, code.count, $0.baseAddress, $0.count, 4, Self.parameterBytes,
            &error)
        }
      }
    }
    self.device = device
  }

  deinit { vc_kernel_destroy(pointer) }
}

/// Commands for a device, recorded anew for each use.
final class Recording: @unchecked Sendable {
  /// Nil once closed.
  private var pointer: OpaquePointer?
  private let device: DeviceHandle

  init(_ device: DeviceHandle, timestamps: Int) throws {
    pointer = try checked { vc_commands_create(device.pointer, timestamps, &$0) }
    self.device = device
  }

  deinit { close() }

  /// Returns when the device has finished; accepts no further commands.
  func close() {
    if let pointer { vc_commands_destroy(pointer) }
    pointer = nil
  }

  private func open() throws(VulkanFailure) -> OpaquePointer {
    guard let pointer else { throw VulkanFailure(VC_DEVICE_LOST, "its commands were given up") }
    return pointer
  }

  func begin() throws(VulkanFailure) {
    let pointer = try open()
    try checked { vc_commands_begin(pointer, &$0) }
  }

  func copy(
    _ source: DeviceBuffer, from offset: Int = 0, to target: DeviceBuffer, start: Int = 0, bytes: Int
  ) {
    guard let pointer else { return }
    vc_commands_copy(pointer, source.pointer, UInt64(offset), target.pointer, UInt64(start), UInt64(bytes))
  }

  func dispatch(
    _ dispatch: Dispatch, _ kernel: DeviceKernel, from source: DeviceBuffer, to target: DeviceBuffer,
    tables: DeviceBuffer, light: DeviceBuffer
  ) {
    guard let pointer else { return }
    var buffers: (OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?) = (
      source.pointer, target.pointer, tables.pointer, light.pointer
    )
    withUnsafePointer(to: &buffers) { buffers in
      buffers.withMemoryRebound(to: OpaquePointer?.self, capacity: 4) { buffers in
        dispatch.parameters.withUnsafeBytes {
          vc_commands_dispatch(
            pointer, kernel.pointer, buffers, 4, $0.baseAddress, $0.count, UInt32(dispatch.groups.x),
            UInt32(dispatch.groups.y), 1)
        }
      }
    }
  }

  func barrier() {
    if let pointer { vc_commands_barrier(pointer) }
  }

  func timestamp(_ index: Int) {
    if let pointer { vc_commands_timestamp(pointer, index) }
  }

  func submit() throws(VulkanFailure) {
    let pointer = try open()
    try checked { vc_commands_submit(pointer, &$0) }
  }

  func wait() throws(VulkanFailure) {
    let pointer = try open()
    try checked { vc_commands_wait(pointer, .max, &$0) }
  }

  /// Reads the timestamps of a finished recording, in nanoseconds; returns false if the device has no clock.
  func read(_ clocks: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    guard let pointer else { return false }
    return vc_commands_timestamps(pointer, clocks.baseAddress, clocks.count) != 0
  }
}
