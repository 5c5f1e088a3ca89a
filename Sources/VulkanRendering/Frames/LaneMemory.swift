import VulkanCompute

/// The device memory of one frame in flight, reused for the next one.
struct LaneMemory {
  /// Whether the device works in the processor's memory, and needs no copies.
  let isUnified: Bool
  var upload, source, guide, denoised, horizontal, downsampled, inBetween, target, download: DeviceBuffer?
  /// The light grids of the current picture, as the processor writes them and in a card's own memory: every pixel reads
  /// a dozen of their nodes, which would come through the bus one by one.
  var lightUpload, lightSource: DeviceBuffer?
  /// The bytes of device memory that the lane may hold.
  var limit = Int.max

  init(isUnified: Bool) { self.isUnified = isUnified }

  var light: DeviceBuffer? { isUnified ? lightUpload : lightSource }

  /// The bytes of device memory that the lane holds.
  var heldBytes: Int {
    var sum = (source?.bytes ?? 0) + (guide?.bytes ?? 0) + (denoised?.bytes ?? 0) + (horizontal?.bytes ?? 0)
    sum += (downsampled?.bytes ?? 0) + (inBetween?.bytes ?? 0) + (target?.bytes ?? 0) + (light?.bytes ?? 0)
    if isUnified { sum += (upload?.bytes ?? 0) + (download?.bytes ?? 0) }
    return sum
  }

  /// Frees memory of earlier frames if it would exceed the limit together with the memory needed now.
  mutating func makeRoom(
    source: Int, guide: Int = 0, denoised: Int = 0, horizontal: Int = 0, downsampled: Int = 0,
    inBetween: Int = 0, target: Int
  ) {
    func room(_ buffer: DeviceBuffer?, _ needed: Int) -> Int { max(buffer?.bytes ?? 0, needed) }
    var bytes = room(isUnified ? upload : self.source, source)
    bytes += room(self.guide, guide) + room(self.denoised, denoised)
    bytes += room(self.horizontal, horizontal) + room(self.downsampled, downsampled)
    bytes += room(self.inBetween, inBetween) + room(isUnified ? download : self.target, target)
    if bytes > limit { release() }
  }

  /// Frees all memory. Nothing may be in flight.
  mutating func release() {
    (upload, source, guide, denoised, horizontal) = (nil, nil, nil, nil, nil)
    (downsampled, inBetween, target, download, lightUpload, lightSource) = (nil, nil, nil, nil, nil, nil)
  }

  /// Returns a buffer of at least `bytes`: the existing one if it is large enough.
  static func grown(
    _ buffer: inout DeviceBuffer?, _ device: DeviceHandle, _ bytes: Int,
    _ memory: vc_memory = VC_MEMORY_DEVICE
  ) throws(VulkanFailure) -> DeviceBuffer {
    if let buffer, buffer.bytes >= bytes { return buffer }
    buffer = nil
    let made = try DeviceBuffer(device, bytes: max(bytes, 4), memory)
    buffer = made
    return made
  }
}
