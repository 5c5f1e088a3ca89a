import Libc
import Safelight

/// A device of keys or buttons, read as Linux's input events (linux/input.h): any key that goes down is a press.
final class InputEventDevice: @unchecked Sendable {
  private let path: String
  private let descriptor: Int32
  /// Whether the kernel stamps events on CLOCK_MONOTONIC.
  private let hasMonotonicTimes: Bool

  /// `struct input_event` on 64-bit systems: two 64-bit times, type, code, value.
  private static let eventBytes = 24
  private static let keyType: UInt16 = 1
  /// EVIOCSCLOCKID, `_IOW('E', 0xa0, int)`.
  private static let setClock: UInt = 0x4004_45A0

  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Opens the device; a pipe opens when its writer does.
  ///
  /// - Throws: `SafelightError` if the device cannot be read.
  init(_ path: String) throws {
    self.path = path
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else {
      let code = errno
      throw SafelightError(
        .device, "Cannot read keys from \(path): \(errorText(code))",
        remedy: code == EACCES
          ? "add yourself to the group input (sudo usermod -aG input $USER), and log in again"
          : "see “ls -l /dev/input/by-id” for the devices")
    }
    descriptor = number
    var clock = CLOCK_MONOTONIC
    hasMonotonicTimes = ioctl(number, Self.setClock, &clock) == 0
  }

  deinit { close(descriptor) }

  /// Blocks until a key goes down, and returns its time on CLOCK_MONOTONIC; nil at the end of a file or pipe.
  ///
  /// - Throws: `SafelightError` if the device is gone.
  func nextPress() throws -> Timestamp? {
    var event = [UInt8](repeating: 0, count: Self.eventBytes)
    while true {
      var filled = 0
      while filled < event.count {
        let count = event.withUnsafeMutableBytes { bytes in
          let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
          return read(descriptor, rest.baseAddress, rest.count)
        }
        if count == 0 { return nil }
        if count < 0 {
          if errno == EINTR { continue }
          throw SafelightError(
            .device, "The keys of \(path) can no longer be read: \(errorText(errno))",
            remedy: "plug the device in again, and start again")
        }
        filled += count
      }
      if let time = Self.press(event) { return hasMonotonicTimes ? time : .now }
    }
  }

  /// The time of a key that goes down; nil for anything else, such as its release or repetition.
  static func press(_ event: [UInt8]) -> Timestamp? {
    event.withUnsafeBytes { bytes in
      let type = bytes.loadUnaligned(fromByteOffset: 16, as: UInt16.self)
      let value = bytes.loadUnaligned(fromByteOffset: 20, as: Int32.self)
      guard type == keyType, value == 1 else { return nil }
      let seconds = bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self)
      let microseconds = bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self)
      return Timestamp(nanoseconds: seconds &* 1_000_000_000 &+ microseconds &* 1000)
    }
  }
}
