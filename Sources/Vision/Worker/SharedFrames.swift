import CProcess
import FrameCore
import Libc

/// Memory that a worker reads frames from. It cannot shrink while it is read, and only this process writes to it.
final class SharedFrames: @unchecked Sendable {
  /// The most pixels of a frame. Memory that no frame has reached is not taken.
  static let mostPixels = 64 << 20

  let descriptor: Int32
  private let base: UnsafeMutablePointer<UInt8>

  /// - Throws: `SafelightError(.noResources)` if the system grants no such memory.
  init() throws {
    var (descriptor, base): (Int32, UnsafeMutableRawPointer?) = (-1, nil)
    let code = cprocess_shared_memory(Self.mostPixels, &descriptor, &base)
    guard code == 0, let base else {
      throw SafelightError(
        .noResources, "There is no memory to share with \(VisionProgram.name): \(errorText(code))",
        remedy: "close other programs, and allow more open files")
    }
    self.descriptor = descriptor
    self.base = base.assumingMemoryBound(to: UInt8.self)
  }

  deinit {
    munmap(base, Self.mostPixels)
    close(descriptor)
  }

  /// Where the rows of a frame are written, one after another.
  ///
  /// - Throws: `SafelightError(.tooLarge)` beyond what a worker takes.
  func target(for size: PixelSize) throws -> UprightLuma.Target {
    guard size.longEdge <= VisionRequest.longestEdge, size.pixelCount <= Self.mostPixels else {
      throw SafelightError(
        .tooLarge,
        "The picture is too large to be searched (\(size)): at most \(VisionRequest.longestEdge) pixels per edge and "
          + "\(Self.mostPixels / 1_000_000) megapixels", remedy: "make it smaller first")
    }
    return UprightLuma.Target(base: base, rowBytes: size.width)
  }
}
