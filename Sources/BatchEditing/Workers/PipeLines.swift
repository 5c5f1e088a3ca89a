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

  let descriptor: Int32
  private var bytes: [UInt8] = []

  /// Whether the next line is longer than any may be.
  var isTooLong: Bool { bytes.count > WorkerProtocol.longestLine }

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
      guard !isTooLong else { return .end }
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
      guard let chunk = readChunk() else { return .end }
      bytes += chunk
    }
  }

  /// Reads what has arrived, at most 64 KiB; nil at the end.
  private func readChunk() -> ArraySlice<UInt8>? {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        // Somebody has made the pipe non-blocking.
        var watched = pollfd(descriptor: descriptor)
        _ = poll(&watched, 1, -1)
        continue
      }
      return count > 0 ? chunk[..<count] : nil
    }
  }

  /// Passes the next `count` bytes to `take`, in pieces; false if the writer ends before.
  mutating func pass(_ count: Int, to take: (ArraySlice<UInt8>) throws -> Void) rethrows -> Bool {
    var left = count
    while left > 0 {
      if bytes.isEmpty {
        guard let chunk = readChunk() else { return false }
        bytes = Array(chunk)
      }
      let taken = bytes.prefix(left)
      left -= taken.count
      try take(taken)
      bytes.removeFirst(taken.count)
    }
    return true
  }
}

extension pollfd {
  /// Waits for input.
  init(descriptor: Int32) { self.init(fd: descriptor, events: Int16(POLLIN), revents: 0) }
}
