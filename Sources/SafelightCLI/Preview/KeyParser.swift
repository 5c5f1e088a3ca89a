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

/// Finds keys in a terminal's input and skips escape sequences: an arrow key is `ESC [ A`, and its bracket is
/// not a pressed key.
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

  /// Whether the sequence that has begun may be the escape key alone.
  var isAfterEscape: Bool { state == .escape }

  /// Called if nothing followed for a while: it was the escape key.
  mutating func timeOut() { if state == .escape { state = .ground } }

  mutating func feed(_ byte: UInt8) -> LiveKey? {
    switch state {
    case .ground:
      switch byte {
      case 0x1B: state = .escape
      case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .quit
      case UInt8(ascii: "b"), UInt8(ascii: "B"): return .toggleOriginal
      case UInt8(ascii: "["): return .weaker
      case UInt8(ascii: "]"): return .stronger
      case UInt8(ascii: "s"), UInt8(ascii: "S"): return .saveStill
      case UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\n"): return .press
      default: break
      }
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .control
      case UInt8(ascii: "O"), UInt8(ascii: "N"): state = .single
      case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
        state = .string
      case 0x1B: break
      // Alt and a key.
      default: state = .ground
      }
    case .control: if (0x40...0x7E).contains(byte) { state = .ground }
    case .single: state = .ground
    case .string: state = byte == 0x1B ? .stringEscape : byte == 7 ? .ground : .string
    case .stringEscape: state = byte == UInt8(ascii: "\\") ? .ground : .string
    }
    return nil
  }
}
