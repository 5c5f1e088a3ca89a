import Capture
import Dispatch
import FrameCore
import Synchronization
import Libc

/// Writes one picture to a virtual camera again and again, 25 times a second, on a thread of its own.
final class VirtualCameraFeed: Sendable {
  /// v4l2loopback's devices, of which `run-tests` makes two.
  static let node = "/dev/video0"
  static let otherNode = "/dev/video1"

  /// What other programs must find: the bars, first the white one.
  static let size = PixelSize(width: 320, height: 240)

  private let isStopped = Atomic(false)
  private let failure = Mutex<String?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  /// - Throws: `CaptureFailure` where the device cannot be opened.
  init(_ path: String = node, format: PixelFormat) throws {
    let tags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)
    let picture = try Self.bars(format, tags)
    // The device belongs to the thread from here on.
    nonisolated(unsafe) let device = try VideoOutputDevice(
      path: path, size: Self.size, format: format, tags: tags, framesPerSecond: 25)
    DispatchQueue(label: "virtual camera").async { [self] in
      while !isStopped.load(ordering: .relaxed) {
        do {
          try device.write(picture)
        } catch {
          failure.withLock { $0 = "\(error)" }
          break
        }
        usleep(40_000)
      }
      device.close()
      ended.signal()
    }
  }

  /// Ends the writing, and says what went wrong, if anything.
  func stop() -> String? {
    isStopped.store(true, ordering: .relaxed)
    ended.wait()
    return failure.withLock { $0 }
  }

  private static func bars(_ format: PixelFormat, _ tags: ColorTags) throws -> PixelBuffer {
    let picture = try PixelBuffer(size: size, format: format, tags: tags)
    for y in 0..<size.height {
      for x in stride(from: 0, to: size.width, by: 2) {
        let color = ColorBars.ycbcr[x * 8 / size.width].map { UInt8($0) }
        switch format {
        case .yuyv422:
          let row = picture.row(y, as: UInt8.self)
          (row[2 * x], row[2 * x + 1], row[2 * x + 2], row[2 * x + 3]) = (
            color[0], color[1], color[0], color[2]
          )
        case .nv12:
          let (luma, chroma) = (picture.row(y, as: UInt8.self), picture.row(y / 2, of: 1, as: UInt8.self))
          (luma[x], luma[x + 1], chroma[x], chroma[x + 1]) = (color[0], color[0], color[1], color[2])
        default: throw Shell.Failed(description: "bars are not drawn as \(format)")
        }
      }
    }
    return picture
  }
}
