import CV4L2
import FrameCore
import Synchronization
import Libc

/// A region of a driver's memory, mapped until its last reference is released: frames may outlive their stream.
final class MappedRegion: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let length: Int
  /// The region for other devices; nil if the driver does not share its memory.
  let dmaBuf: DMABuf?

  /// - Parameter export: returns the descriptor of a dma-buf, or a negative errno.
  init(_ node: DeviceNode, offset: UInt32, length: UInt32, export: () -> Int32) throws {
    // Never written to, but not every driver supports read-only mappings.
    let address = mmap(nil, Int(length), PROT_READ | PROT_WRITE, MAP_SHARED, node.descriptor, Int(offset))
    guard let address, address != MAP_FAILED else { throw DeviceErrors.failure(.mapping, node, errno) }
    base = address
    self.length = Int(length)
    let descriptor = export()
    dmaBuf =
      descriptor < 0 ? nil : DMABuf(descriptor: descriptor, base: address, bytes: Int(length))
  }

  deinit {
    munmap(base, length)
    if let dmaBuf { close(dmaBuf.descriptor) }
  }
}

/// The buffers filled by a driver, with their current owners: the driver, or readers of a frame.
///
/// With a layout, each buffer is wrapped once as a `PixelBuffer`, which is passed on without copying and returned
/// to the driver when `reclaim` finds it unreferenced. Nothing is allocated after `init`.
final class MappedBuffers {
  let node: DeviceNode
  private let type: UInt32
  private let memoryPlanes: UInt32
  private let regions: [[MappedRegion]]
  /// Empty without a layout.
  private var pictures: [PixelBuffer]
  /// The buffers as compressed pictures; empty with a layout.
  private var encoded: [EncodedPicture]
  private var isOut: [Bool]
  /// The number of buffers held by readers.
  private(set) var outCount = 0
  /// The number of buffers held by the driver, including filled ones.
  private(set) var queuedCount = 0

  var count: Int { regions.count }

  /// Requests buffers from the driver, maps them and queues them all.
  ///
  /// - Parameter wrapping: how the buffers are passed on; nil if their contents are always copied.
  /// - Throws: `CaptureFailure`.
  init(
    _ node: DeviceNode, type: UInt32, count: Int, memoryPlanes: Int,
    wrapping: (layout: PictureLayout, size: PixelSize, format: PixelFormat, tags: ColorTags)?
  ) throws {
    self.node = node
    self.type = type
    self.memoryPlanes = UInt32(memoryPlanes)
    var request = v4l2_requestbuffers()
    request.count = UInt32(count)
    request.type = type
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try node.check(Self.retryingOnce { cv4l2_request_buffers(node.descriptor, &request) }, .requestingBuffers)
    var regions: [[MappedRegion]] = []
    for index in 0..<request.count {
      var buffer = cv4l2_buffer()
      try node.check(cv4l2_query_buffer(node.descriptor, type, index, &buffer), .requestingBuffers)
      regions.append(
        try Self.map(buffer, index, node, type: type, memoryPlanes: memoryPlanes, exports: wrapping != nil))
    }
    guard !regions.isEmpty else { throw DeviceErrors.failure(.requestingBuffers, node, ENOMEM) }
    self.regions = regions
    isOut = Array(repeating: false, count: regions.count)
    pictures = try regions.map { regions in
      guard let wrapping else { return nil }
      return try Self.wrap(regions, wrapping, node)
    }.compactMap { $0 }
    encoded =
      wrapping == nil
      ? regions.map { regions in
        EncodedPicture(wrapping: regions[0].base, capacity: regions[0].length) { [regions] in
          withExtendedLifetime(regions) {}
        }
      } : []
    for index in 0..<regions.count { try queue(UInt32(index)) }
  }

  /// Retries once: drivers in transition may fail a valid request with EINVAL.
  private static func retryingOnce(_ request: () -> Int32) -> Int32 {
    let status = request()
    return status == -EINVAL ? request() : status
  }

  private static func map(
    _ buffer: cv4l2_buffer, _ index: UInt32, _ node: DeviceNode, type: UInt32, memoryPlanes: Int,
    exports: Bool
  ) throws -> [MappedRegion] {
    let lengths = withUnsafeBytes(of: buffer.length) { Array($0.bindMemory(to: UInt32.self)) }
    let offsets = withUnsafeBytes(of: buffer.map_offset) { Array($0.bindMemory(to: UInt32.self)) }
    guard Int(buffer.plane_count) >= memoryPlanes else {
      throw DeviceErrors.failure(.requestingBuffers, node, EINVAL)
    }
    return try (0..<memoryPlanes).map { plane in
      try MappedRegion(node, offset: offsets[plane], length: lengths[plane]) {
        exports ? cv4l2_export_buffer(node.descriptor, type, index, UInt32(plane)) : -ENOTSUP
      }
    }
  }

  private static func wrap(
    _ regions: [MappedRegion],
    _ wrapping: (layout: PictureLayout, size: PixelSize, format: PixelFormat, tags: ColorTags),
    _ node: DeviceNode
  ) throws -> PixelBuffer {
    for (region, required) in zip(regions, wrapping.layout.requiredBytes) where region.length < required {
      throw CaptureFailure(
        .inputOutput,
        SafelightError(
          .device,
          "The driver of \(DeviceErrors.label(node.name, node.path)) gives buffers of \(region.length) bytes for "
            + "pictures of \(required)", remedy: "ask for another size or encoding"))
    }
    do {
      return try PixelBuffer(
        wrapping: wrapping.layout.planes.map { (regions[$0.memory].base + $0.offset, $0.rowBytes) },
        size: wrapping.size, format: wrapping.format, tags: wrapping.tags,
        // Devices import a single region for all planes.
        dmaBuf: wrapping.layout.planes.allSatisfy { $0.memory == 0 } ? regions[0].dmaBuf : nil,
        release: { withExtendedLifetime(regions) {} })
    } catch let error as SafelightError {
      throw CaptureFailure(.unsupported, error)
    }
  }

  /// Starts streaming.
  func start() throws {
    try node.check(Self.retryingOnce { cv4l2_stream_on(node.descriptor, type) }, .starting)
  }

  /// Queues a buffer for the driver.
  func queue(_ index: UInt32) throws {
    try node.check(
      Self.retryingOnce { cv4l2_queue_buffer(node.descriptor, type, index, memoryPlanes) }, .queueing)
    queuedCount += 1
  }

  /// Queues the buffers that readers have released.
  func reclaim() throws {
    guard outCount > 0 else { return }
    for index in regions.indices where isOut[index] {
      guard isReleased(index) else { continue }
      // Readers must have finished before the device writes again.
      atomicMemoryFence(ordering: .acquiring)
      isOut[index] = false
      outCount -= 1
      try queue(UInt32(index))
    }
  }

  private func isReleased(_ index: Int) -> Bool {
    pictures.isEmpty
      ? EncodedPicture.isUnshared(&encoded[index]) : PixelBuffer.isUnshared(&pictures[index])
  }

  /// Dequeues the next filled buffer from the driver.
  ///
  /// - Returns: 0 or a negative errno; -EAGAIN if none is filled.
  func dequeue(_ buffer: inout cv4l2_buffer) -> Int32 {
    let status = cv4l2_dequeue_buffer(node.descriptor, type, &buffer)
    if status == 0 { queuedCount -= 1 }
    return status
  }

  /// Returns the picture in a dequeued buffer, which is queued again when `reclaim` finds it released.
  func lend(_ index: Int) -> PixelBuffer {
    isOut[index] = true
    outCount += 1
    return pictures[index]
  }

  /// Returns the first `count` bytes of a dequeued buffer, which is queued again when `reclaim` finds them
  /// released.
  func lendBytes(_ index: Int, count: Int) -> EncodedPicture {
    isOut[index] = true
    outCount += 1
    encoded[index].setCount(min(count, encoded[index].capacity))
    return encoded[index]
  }

  /// Returns the bytes of a dequeued buffer.
  func bytes(_ index: Int, memory: Int = 0) -> UnsafeRawBufferPointer {
    let region = regions[index][memory]
    return UnsafeRawBufferPointer(start: region.base, count: region.length)
  }

  /// Stops streaming and frees the driver's queue for others. Pictures still in use remain mapped.
  func stop() {
    _ = cv4l2_stream_off(node.descriptor, type)
    var request = v4l2_requestbuffers()
    request.type = type
    request.memory = V4L2_MEMORY_MMAP.rawValue
    _ = cv4l2_request_buffers(node.descriptor, &request)
  }
}

extension DeviceErrors {
  static func failure(_ request: DeviceRequest, _ node: DeviceNode, _ code: Int32) -> CaptureFailure {
    failure(request, path: node.path, name: node.name, errno: code)
  }
}
