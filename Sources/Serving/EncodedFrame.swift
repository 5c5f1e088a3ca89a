import FrameCore
import Synchronization
import Libc

/// A JPEG as one part of a multipart stream, in reusable memory.
///
/// The boundary of the next part is sent with this one: browsers show a part when it ends, not when the next
/// begins.
final class EncodedFrame: @unchecked Sendable {
  static let boundary = "frame"
  private static let boundaryLine = Array("\r\n--\(boundary)\r\n".utf8)

  /// The number of the frame, from 1; a higher number is newer.
  fileprivate(set) var number: UInt64 = 0
  private var memory: UnsafeMutableRawBufferPointer
  private var headCount = 0
  private var jpegCount = 0

  init() { memory = .allocate(byteCount: 1 << 16, alignment: 16) }

  deinit { memory.deallocate() }

  /// The size of its memory. Constant while anything but the pool refers to the frame.
  var byteCount: Int { memory.count }

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

/// Frames that are reused once no client is being sent them. Used by one thread.
struct EncodedFramePool {
  private var frames: [EncodedFrame] = []
  private var count: UInt64 = 0

  /// The number of unreferenced frames that are kept: the next one, and those that clients have just released.
  static let idleFrames = 3

  /// The number of frames, in use and idle.
  var frameCount: Int { frames.count }

  /// Returns an unreferenced frame with the next number. Idle frames beyond `idleFrames` are released.
  mutating func take() -> EncodedFrame {
    count += 1
    var (idle, index) = (0, 0)
    var free: Int?
    while index < frames.count {
      if isKnownUniquelyReferenced(&frames[index]) {
        idle += 1
        if idle > Self.idleFrames {
          frames.remove(at: index)
          continue
        }
        free = free ?? index
      }
      index += 1
    }
    if let free {
      // The reads of its last reader must be complete before it is written.
      atomicMemoryFence(ordering: .acquiring)
      frames[free].number = count
      return frames[free]
    }
    let frame = EncodedFrame()
    frame.number = count
    frames.append(frame)
    return frame
  }
}

/// Bounds the memory of frames being sent to clients. A slow client keeps its frame while newer ones are sent:
/// clients that stop at different frames would keep as many frames as there are clients.
enum FramesOnTheirWay {
  /// The bytes of all frames being sent to clients: a hundred or more of 1080p, tens of 4K.
  static let limit = 64 << 20

  /// A client that is receiving a frame.
  struct Taking {
    var client: StreamPlaces.ClientID
    /// The number of the frame; the lower it is, the longer the client has been receiving it.
    var number: UInt64
    /// The size of the frame; clients share its memory.
    var bytes: Int
  }

  /// Returns the clients to disconnect: those that have been receiving a frame longest. Clients of the newest
  /// frame always stay.
  static func leaving(_ taking: [Taking], newest: UInt64, atMost limit: Int) -> [StreamPlaces.ClientID] {
    var sizes: [UInt64: Int] = [:]
    for one in taking { sizes[one.number] = one.bytes }
    var total = sizes.values.reduce(0, +)
    guard total > limit else { return [] }
    var leaving: Set<UInt64> = []
    for (number, bytes) in sizes.sorted(by: { $0.key < $1.key }) where total > limit && number != newest {
      leaving.insert(number)
      total -= bytes
    }
    return taking.filter { leaving.contains($0.number) }.map(\.client)
  }
}
