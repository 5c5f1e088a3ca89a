import FoundationEssentials
import Safelight
import Libc

/// What the program prints, and how.
enum Output {
  /// Text for whoever reads standard output. On a terminal it cannot do anything but be read; programs get it as it is.
  static func line(_ text: String, terminator: String = "\n") {
    print(isatty(1) == 1 ? VisibleText.lines(text) : text, terminator: terminator)
  }

  /// A line about one thing, such as a photo, whose name may hold line ends: one line on a terminal all the same.
  static func entry(_ text: String) { print(isatty(1) == 1 ? VisibleText.line(text) : text) }

  /// What was done, for people: one line on a terminal. Not with --quiet.
  static func done(_ text: String) {
    if Verbosity.current != .quiet { entry(text) }
  }

  /// What was decided, on standard error, with --verbose.
  static func detail(_ text: String) {
    if Verbosity.current == .verbose { problem(text) }
  }

  /// Opens /dev/null in the place of standard streams that are closed, as under some service managers: a file opened later
  /// must not be taken for one of them.
  ///
  /// It is opened for reading only, so that writing to a stream that was closed stays the error that it would be.
  static func openStandardStreams() {
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) == -1 { _ = open("/dev/null", O_RDONLY) }
  }

  /// Makes a write beyond `ulimit -f` an error that is reported, not the end of the process.
  static func surviveFileSizeLimit() { signal(SIGXFSZ, SIG_IGN) }

  /// - Throws: `SafelightError` where what was printed did not get out: a program that reads it must know. A reader
  ///   that went away early, as `head` does, has what it wanted.
  static func finish() throws {
    guard fflush(nil) != 0, errno != EPIPE else { return }
    guard errno != EBADF else {
      throw SafelightError(
        .file, "Cannot write to standard output: it is closed",
        remedy: "leave it open, or send it to /dev/null where nobody reads it")
    }
    throw SafelightError(
      .file, "Cannot write to standard output: \(String(cString: strerror(errno)))",
      remedy: "check where it goes")
  }

  /// A sentence for people, on standard error.
  static func warning(_ text: String) {
    guard Verbosity.current != .quiet else { return }
    let sentence = text.hasSuffix(".") ? text : text + "."
    FileDescriptorStream.standardError.write("Warning: \(VisibleText.line(sentence))\n")
  }

  /// A line for people beside the output proper, on standard error. With --quiet only what failed.
  static func note(_ text: String) {
    guard Verbosity.current != .quiet || text.hasPrefix("Error: ") || text.hasPrefix("Failed") else {
      return
    }
    FileDescriptorStream.standardError.write(VisibleText.line(text) + "\n")
  }

  /// What went wrong, with what to do about it, on as many lines as it has.
  static func problem(_ text: String) {
    FileDescriptorStream.standardError.write(VisibleText.lines(text) + "\n")
  }

  /// Writes over the line that the cursor is on, on a terminal at standard error; an empty text clears it.
  static func statusLine(_ text: String) {
    guard Verbosity.current != .quiet else { return }
    FileDescriptorStream.standardError.write("\r\u{1B}[K" + VisibleText.line(text))
  }

  /// A value for scripts on one line.
  static func jsonLine(_ value: some Encodable, toStandardError: Bool = false) throws {
    let line = try encoded(value, [.sortedKeys, .withoutEscapingSlashes]) + "\n"
    guard !toStandardError else { return FileDescriptorStream.standardError.write(line) }
    print(line, terminator: "")
    // Whoever reads reports of a run wants them while it runs.
    try finish()
  }

  /// A value for scripts, on standard output.
  static func json(_ value: some Encodable) throws {
    print(try encoded(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]))
  }

  /// JSON text for scripts, on standard output, which may be a terminal.
  static func jsonText(_ text: String) { print(VisibleText.json(text), terminator: "") }

  private static func encoded(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    return VisibleText.json(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// `decode 61.2 + render 50.0 + encode 40.1 − side by side 24.3 = 127.0 ms`
  static func steps(_ steps: [Stopwatch.Step], total: Double) -> String {
    StepTimes(steps, total: total).text
  }

  static func rounded(_ value: Double, _ decimals: Int = 3) -> Double {
    Double(PlainNumber.fixed(value, decimals)) ?? value
  }
}

private struct FileDescriptorStream {
  static let standardError = FileDescriptorStream(descriptor: 2)
  let descriptor: Int32

  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = systemWrite(descriptor, rest.baseAddress, rest.count)
        guard count > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }
}

/// write(2); a method of this name hides it above.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

extension String {
  /// Filled with spaces, on the left unless `left` aligns it there.
  func padded(to width: Int, left: Bool = false) -> String {
    let fill = String(repeating: " ", count: max(0, width - count))
    return left ? self + fill : fill + self
  }

  var indented: String { split(separator: "\n").map { "  " + $0 }.joined(separator: "\n") }
}
