import Libc
import Safelight

/// The program's output.
enum Output {
  /// Prints text to standard output: escaped on a terminal, so that it cannot control it, and unchanged otherwise.
  static func line(_ text: String, terminator: String = "\n") {
    print(isatty(1) == 1 ? VisibleText.lines(text) : text, terminator: terminator)
  }

  /// Prints a line about one item, such as a photo, whose name may contain line breaks: always a single line on a
  /// terminal.
  static func entry(_ text: String) { print(isatty(1) == 1 ? VisibleText.line(text) : text) }

  /// Prints what was done: one line on a terminal. Omitted with --quiet.
  static func done(_ text: String) {
    if Verbosity.current != .quiet { entry(text) }
  }

  /// Prints details, on standard error, with --verbose.
  static func detail(_ text: String) {
    if Verbosity.current == .verbose { problem(text) }
  }

  /// Opens /dev/null in place of closed standard streams, which some service managers leave: a file opened later
  /// must not be mistaken for one of them.
  ///
  /// It is opened for reading only, so that writing to a closed stream is still an error.
  static func openStandardStreams() {
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) == -1 { _ = open("/dev/null", O_RDONLY) }
  }

  /// Makes a write beyond `ulimit -f` a reported error instead of ending the process.
  static func surviveFileSizeLimit() { signal(SIGXFSZ, SIG_IGN) }

  /// - Throws: `SafelightError` if the output could not be written: a program that reads it must know. A reader
  ///   that closed early, as `head` does, is no error.
  static func finish() throws {
    guard fflush(nil) != 0, errno != EPIPE else { return }
    guard errno != EBADF else {
      throw SafelightError(
        .file, "Cannot write to standard output: it is closed",
        remedy: "leave it open, or redirect it to /dev/null")
    }
    throw SafelightError(
      .file, "Cannot write to standard output: \(errorText(errno))",
      remedy: "check where it goes")
  }

  /// Prints a warning sentence, on standard error.
  static func warning(_ text: String) {
    guard Verbosity.current != .quiet else { return }
    let sentence = text.hasSuffix(".") ? text : text + "."
    FileDescriptorStream.standardError.write("Warning: \(VisibleText.line(sentence))\n")
  }

  /// Prints a line in addition to the actual output, on standard error. With --quiet only failures are printed.
  static func note(_ text: String) {
    guard Verbosity.current != .quiet || text.hasPrefix("Error: ") || text.hasPrefix("Failed") else {
      return
    }
    FileDescriptorStream.standardError.write(VisibleText.line(text) + "\n")
  }

  /// Prints a problem and its remedy, on as many lines as it has.
  static func problem(_ text: String) {
    FileDescriptorStream.standardError.write(VisibleText.lines(text) + "\n")
  }

  /// Overwrites the current line, on a terminal at standard error; an empty text clears it.
  static func statusLine(_ text: String) {
    guard Verbosity.current != .quiet else { return }
    FileDescriptorStream.standardError.write("\r\u{1B}[K" + VisibleText.line(text))
  }

  /// Prints a report as one line of JSON.
  static func jsonLine(_ report: some JSONReport, toStandardError: Bool = false) throws {
    let line = try report.jsonLine() + "\n"
    guard !toStandardError else { return FileDescriptorStream.standardError.write(line) }
    print(line, terminator: "")
    // Readers of a run's reports need them while it runs.
    try finish()
  }

  /// Prints a report as JSON, on standard output.
  static func json(_ report: some JSONReport) throws { print(try report.json()) }

  /// Prints reports as a JSON list, on standard output.
  static func json(_ reports: [some JSONReport]) throws { print(try reports.json()) }

  /// `decode 61.2 + render 50.0 + encode 40.1 − side by side 24.3 = 127.0 ms`
  static func steps(_ steps: [Stopwatch.Step], total: Double) -> String {
    StepTimes(steps, total: total).text
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
  /// Returns the text padded with spaces, on the left unless `left` aligns it there.
  func padded(to width: Int, left: Bool = false) -> String {
    let fill = String(repeating: " ", count: max(0, width - count))
    return left ? self + fill : fill + self
  }

  var indented: String { split(separator: "\n").map { "  " + $0 }.joined(separator: "\n") }
}
