import FrameCore
import VulkanCompute

extension VulkanRenderer {
  /// Measures how fast the device copies within its own memory, as a reference for its kernels.
  ///
  /// - Parameter bytes: the size of each copy, reduced if the device has little memory. It should be several times
  ///   the size of the device's caches.
  /// - Returns: bytes read plus bytes written, in 10⁹ per second: the fastest of several copies.
  /// - Throws: `SafelightError` if the device fails.
  public func measureCopyBandwidth(bytes: Int = 256 << 20) throws -> Double {
    let device = context.device
    let most = max(1 << 16, min(device.availableBytes / 8, device.bufferBytes))
    let bytes = min(max(1, bytes), most) & ~3
    return try speaking {
      let source = try DeviceBuffer(device, bytes: bytes, VC_MEMORY_DEVICE)
      let target = try DeviceBuffer(device, bytes: bytes, VC_MEMORY_DEVICE)
      let recording = try Recording(device, timestamps: 2)
      var least = Double.infinity
      // The first copy makes the memory's pages.
      for number in 0..<6 {
        let began = Timestamp.now
        try recording.begin()
        recording.timestamp(0)
        recording.barrier()
        recording.copy(source, to: target, bytes: bytes)
        recording.barrier()
        recording.timestamp(1)
        try recording.submit()
        try recording.wait()
        var seconds = Timestamp.now.seconds(since: began)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2) { clocks in
          if recording.read(clocks), clocks[1] > clocks[0] { seconds = Double(clocks[1] - clocks[0]) * 1e-9 }
        }
        if number > 0 { least = min(least, seconds) }
      }
      return 2e-9 * Double(bytes) / least
    }
  }
}
