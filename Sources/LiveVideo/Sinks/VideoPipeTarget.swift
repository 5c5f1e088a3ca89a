import FrameCore

/// The destination of a byte stream of video.
public enum VideoPipeTarget: Sendable, Hashable {
  case standardOutput
  /// A descriptor open for writing; it stays open for its owner.
  case descriptor(Int32)
  /// A file, which is created or truncated, or a named pipe that has a reader.
  case path(String)

  func open() throws -> VideoPipe {
    switch self {
    case .standardOutput:
      let pipe = try VideoPipe(descriptor: 1, label: "standard output")
      guard !pipe.isTerminal else {
        throw SafelightError(
          .invalidValue, "Standard output is a terminal, and raw video would garble it",
          remedy: "pipe it to a program, such as | ffplay -, or redirect it to a file")
      }
      return pipe
    case .descriptor(let number): return try VideoPipe(descriptor: number, label: "descriptor \(number)")
    case .path(let path): return try VideoPipe(path: path)
    }
  }

  func name(of encoding: RawVideoEncoding) -> String {
    switch self {
    case .standardOutput: "stdout:\(encoding.rawValue)"
    case .descriptor(let number): "descriptor \(number)"
    case .path(let path): path
    }
  }
}
