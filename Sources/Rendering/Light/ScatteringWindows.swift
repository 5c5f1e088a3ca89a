import FilterGraph
import FrameCore

/// The windows of `Scattering` on a grid.
final class ScatteringWindows: @unchecked Sendable {
  private let weights: [[Float]]

  init(_ size: PixelSize) {
    weights = (0..<3).flatMap { channel in
      Scattering.windows(channel: channel, on: size).map { $0.map { Float($0) } }
    }
  }

  func withWindows(
    _ channel: Int,
    _ body: (UnsafePointer<UnsafePointer<Float>?>, UnsafePointer<Int32>) -> Void
  ) {
    let (narrow, wide) = (weights[2 * channel], weights[2 * channel + 1])
    narrow.withUnsafeBufferPointer { narrow in
      wide.withUnsafeBufferPointer { wide in
        var windows = (narrow.baseAddress, wide.baseAddress)
        var reaches = (Int32(narrow.count - 1), Int32(wide.count - 1))
        withUnsafePointer(to: &windows) { windows in
          withUnsafePointer(to: &reaches) { reaches in
            windows.withMemoryRebound(to: UnsafePointer<Float>?.self, capacity: 2) { windows in
              reaches.withMemoryRebound(to: Int32.self, capacity: 2) { body(windows, $0) }
            }
          }
        }
      }
    }
  }
}
