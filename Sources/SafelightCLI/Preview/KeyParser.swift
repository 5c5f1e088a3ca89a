/// The keys that control live pictures.
enum LiveKey: Equatable, Sendable {
  /// `q`
  case quit
  /// `b`: before and after.
  case toggleOriginal
  /// `[`
  case weaker
  /// `]`
  case stronger
  /// `s`
  case saveStill
  /// The space bar or Return, as a shutter.
  case press
}

/// Finds keys in a terminal's input and skips other escape sequences: an arrow key is `ESC [ A`, and its bracket
/// is not a pressed key.
struct KeyParser {
  private enum State {
    case ground
    case escape
    /// CSI, up to a final byte.
    case control
    /// ESC O or ESC N, followed by one byte.
    case single
    /// DCS, OSC, APC …, up to ST or BEL.
    case string
    case stringEscape
  }
  private var state = State.ground
  /// What a CSI sequence has brought so far; longer ones are none of keys.
  private var parameters: [UInt8] = []
  private static let mostParameters = 32

  /// Whether the sequence that has begun may be the escape key alone.
  var isAfterEscape: Bool { state == .escape }

  /// Called if nothing followed for a while: it was the escape key.
  mutating func timeOut() { if state == .escape { state = .ground } }

  mutating func feed(_ byte: UInt8) -> KeyEvent? {
    switch state {
    case .ground:
      guard byte == 0x1B else { return KeyEvent(byte: byte) }
      state = .escape
    case .escape:
      switch byte {
      case UInt8(ascii: "["):
        state = .control
        parameters.removeAll(keepingCapacity: true)
      case UInt8(ascii: "O"), UInt8(ascii: "N"): state = .single
      case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
        state = .string
      case 0x1B: break
      // Alt and a key.
      default: state = .ground
      }
    case .control:
      guard (0x40...0x7E).contains(byte) else {
        if parameters.count <= Self.mostParameters { parameters.append(byte) }
        break
      }
      state = .ground
      if byte == UInt8(ascii: "u"), parameters.count <= Self.mostParameters {
        return KeyEvent(parameters: parameters)
      }
    case .single: state = .ground
    case .string: state = byte == 0x1B ? .stringEscape : byte == 7 ? .ground : .string
    case .stringEscape: state = byte == UInt8(ascii: "\\") ? .ground : .string
    }
    return nil
  }
}
