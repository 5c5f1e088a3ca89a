import Libc
import Safelight

/// A key of an input device that goes down or up.
struct InputKeyChange: Equatable {
  /// As in linux/input-event-codes.h.
  var code: UInt16
  var isDown: Bool
  /// On CLOCK_MONOTONIC, if the device says so.
  var time: Timestamp
}

/// A device of keys or buttons, read as Linux's input events (linux/input.h).
final class InputEventDevice: @unchecked Sendable {
  private let path: String
  private let descriptor: Int32
  /// Whether the kernel stamps events on CLOCK_MONOTONIC.
  private let hasMonotonicTimes: Bool

  /// `struct input_event` on 64-bit systems: two 64-bit times, type, code, value.
  private static let eventBytes = 24
  private static let keyType: UInt16 = 1
  /// EVIOCGVERSION, `_IOR('E', 0x01, int)`.
  private static let getVersion: UInt = 0x8004_4501
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
    var version: Int32 = 0
    guard Self.isPipe(path) || ioctl(number, Self.getVersion, &version) == 0 else {
      close(number)
      throw SafelightError(
        .device, "\(path) is not an input device", remedy: "see “ls -l /dev/input/by-id” for the devices")
    }
    descriptor = number
    var clock = CLOCK_MONOTONIC
    hasMonotonicTimes = ioctl(number, Self.setClock, &clock) == 0
  }

  deinit { close(descriptor) }

  /// Blocks until a key goes down or up; returns nil at the end of a pipe.
  ///
  /// - Throws: `SafelightError` if the device is gone.
  func nextChange() throws -> InputKeyChange? {
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
      guard var change = Self.change(event) else { continue }
      if !hasMonotonicTimes { change.time = .now }
      return change
    }
  }

  /// Reads an event of 24 bytes; nil for anything but a key that goes down or up, such as its repetition.
  static func change(_ event: [UInt8]) -> InputKeyChange? {
    event.withUnsafeBytes { bytes in
      let type = bytes.loadUnaligned(fromByteOffset: 16, as: UInt16.self)
      let value = bytes.loadUnaligned(fromByteOffset: 20, as: Int32.self)
      guard type == keyType, value == 0 || value == 1 else { return nil }
      let seconds = bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self)
      let microseconds = bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self)
      return InputKeyChange(
        code: bytes.loadUnaligned(fromByteOffset: 18, as: UInt16.self), isDown: value == 1,
        time: Timestamp(nanoseconds: seconds &* 1_000_000_000 &+ microseconds &* 1000))
    }
  }
}
