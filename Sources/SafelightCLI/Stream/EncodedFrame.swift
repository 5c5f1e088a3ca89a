import Safelight
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A JPEG as one part of a multipart stream, in memory that is used again.
///
/// The boundary that opens the next part is sent with this one: browsers show a part when it ends, not when the next
/// begins.
final class EncodedFrame: @unchecked Sendable {
  static let boundary = "frame"
  private static let boundaryLine = Array("\r\n--\(boundary)\r\n".utf8)

  /// Counts from 1; a higher number is newer.
  fileprivate(set) var number: UInt64 = 0
  private var memory: UnsafeMutableRawBufferPointer
  private var headCount = 0
  private var jpegCount = 0

  init() { memory = .allocate(byteCount: 1 << 16, alignment: 16) }

  deinit { memory.deallocate() }

  /// The whole part: its header, the JPEG, and the boundary after it.
  var part: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[..<(headCount + jpegCount + Self.boundaryLine.count)])
  }

  var jpeg: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[headCount..<headCount + jpegCount])
  }

  func fill(_ jpeg: UnsafeRawBufferPointer, time: Timestamp) {
    let micros = String(time.nanoseconds / 1000 % 1_000_000)
    let seconds =
      "\(time.nanoseconds / 1_000_000_000)." + String(repeating: "0", count: 6 - micros.utf8.count) + micros
    let head = "Content-Type: image/jpeg\r\nContent-Length: \(jpeg.count)\r\nX-Timestamp: \(seconds)\r\n\r\n"
    headCount = head.utf8.count
    jpegCount = jpeg.count
    let total = headCount + jpegCount + Self.boundaryLine.count
    if total > memory.count {
      memory.deallocate()
      memory = .allocate(byteCount: total * 3 / 2, alignment: 16)
    }
    memory.copyBytes(from: head.utf8)
    UnsafeMutableRawBufferPointer(rebasing: memory[headCount...]).copyMemory(from: jpeg)
    UnsafeMutableRawBufferPointer(rebasing: memory[(headCount + jpegCount)...]).copyBytes(
      from: Self.boundaryLine)
  }
}

/// Frames that are filled again once no client sends them any more. Used by one thread.
struct EncodedFramePool {
  private var frames: [EncodedFrame] = []
  private var count: UInt64 = 0

  /// A frame with the next number that nobody else refers to.
  mutating func take() -> EncodedFrame {
    count += 1
    for index in frames.indices where isKnownUniquelyReferenced(&frames[index]) {
      // What its last reader read must be over before it is written.
      atomicMemoryFence(ordering: .acquiring)
      frames[index].number = count
      return frames[index]
    }
    let frame = EncodedFrame()
    frame.number = count
    frames.append(frame)
    return frame
  }
}
