import FrameCore

/// What a worker is asked.
///
/// `vision/messages.h` is the other side. A message is a length of four bytes and as many bytes; numbers are
/// little-endian.
struct VisionRequest {
  /// The longest edge of a frame, in pixels.
  static let longestEdge = 32_767

  /// What a search may try.
  struct Flags: OptionSet {
    let rawValue: UInt8

    /// Codes: more rows, and damaged codes. Faces: small ones, in more steps.
    static let harder = Flags(rawValue: 1)
    /// Codes: turned by 90°.
    static let turned = Flags(rawValue: 2)
    /// Codes: at reduced sizes.
    static let smaller = Flags(rawValue: 4)
    /// Codes: dark on light.
    static let plain = Flags(rawValue: 8)
    /// Codes: light on dark.
    static let inverted = Flags(rawValue: 16)
    /// Codes: DataBar, stacked or not.
    static let stacked = Flags(rawValue: 128)
    /// Codes: as in a mirror, if nothing else was found.
    static let mirrored = Flags(rawValue: 64)
    /// Text: the frame is a single line.
    static let oneLine = Flags(rawValue: 32)
  }

  enum Task {
    case find(VisionAbility, Flags)
    case trial(VisionTrial)
  }

  var sequence: UInt32
  var task: Task
  var size: PixelSize
  var rowBytes: Int
  var seconds: Double

  /// The message with its length.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func put<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    put(UInt32(24))
    put(sequence)
    switch task {
    case .find(let ability, let flags):
      put(ability.rawValue)
      put(flags.rawValue)
      put(UInt16(0))
    case .trial(let trial):
      put(UInt8(200))
      put(UInt8(0))
      put(trial.rawValue)
    }
    put(UInt32(size.width))
    put(UInt32(size.height))
    put(UInt32(rowBytes))
    put(UInt32(clamping: Int(min(seconds, 86_400) * 1000)))
    return bytes
  }
}

/// What tests ask, to see what happens when a worker is broken or taken over: the numbers of `vision/trials.cc`.
enum VisionTrial: UInt16, CaseIterable {
  case hang = 1
  case crash, end, hugeLength, half, foreignSequence, noise, allocate, reach, abort
}
