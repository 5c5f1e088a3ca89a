import FrameCore
import Libc

/// Reads lines from a pipe.
struct PipeLineReader {
  enum Line: Sendable, Hashable {
    case line([UInt8])
    /// The writer has closed its end.
    case end
    /// Nothing arrived in time.
    case timeout
  }

  /// Longer lines are treated as damage.
  private static let longest = 1 << 24
  let descriptor: Int32
  private var bytes: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Parameter deadline: nil waits for ever.
  mutating func next(until deadline: Timestamp? = nil) -> Line {
    var searched = 0
    while true {
      if let end = bytes[searched...].firstIndex(of: 10) {
        let line = Array(bytes[..<end])
        bytes.removeSubrange(...end)
        return .line(line)
      }
      searched = bytes.count
      guard bytes.count <= Self.longest else { return .end }
      var wait: Int32 = -1
      if let deadline {
        let left = deadline.seconds(since: .now)
        guard left > 0 else { return .timeout }
        wait = Int32(min(left * 1000 + 1, 1_000_000))
      }
      var watched = pollfd(descriptor: descriptor)
      let ready = poll(&watched, 1, wait)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .end }
      bytes += chunk[..<count]
    }
  }
}

extension pollfd {
  /// Waits for input.
  init(descriptor: Int32) { self.init(fd: descriptor, events: Int16(POLLIN), revents: 0) }
}
