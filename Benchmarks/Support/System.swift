import Glibc

/// The processors that are online.
public var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// Seconds of the monotonic clock.
public func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A line on the standard error.
public func progress(_ text: String) { print(text + "\n", to: STDERR_FILENO) }

/// Written at once, so that nothing is lost when the run is ended.
public func print(_ text: String, to descriptor: Int32) {
  var text = text
  text.withUTF8 { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// Bytes; 0 where there is no such file.
public func fileSize(_ path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// The text of a small file; nil where it cannot be read.
public func textFile(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
  return String(decoding: bytes, as: UTF8.self)
}

/// What a program said last, as the log at `path` has it: see `lastWords(in:)`.
public func lastWords(ofLog path: String) -> String { lastWords(in: textFile(path) ?? "") }

/// The last line that is not indented and what follows it, which is the error of a Python traceback and of most programs, on
/// one line. Files are named without their folders: those belong to one machine, and pages are for all.
public func lastWords(in text: String) -> String {
  let lines = text.split(whereSeparator: \.isNewline).filter { $0.contains { !$0.isWhitespace } }
  guard let first = lines.lastIndex(where: { $0.first?.isWhitespace == false }) else { return "" }
  let words = lines[first...].flatMap { $0.split(whereSeparator: \.isWhitespace) }
  return words.map { word in
    guard let start = word.firstIndex(of: "/"), let end = word.lastIndex(of: "/"), start < end,
      word[..<start].allSatisfy(\.isPunctuation)
    else { return String(word) }
    return String(word[..<start] + word[word.index(after: end)...])
  }.joined(separator: " ")
}

/// The names in a folder.
public func names(in path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Removes a folder with all that is in it.
public func removeFolder(_ path: String) {
  for name in names(in: path) {
    let child = "\(path)/\(name)"
    if unlink(child) != 0 { removeFolder(child) }
  }
  rmdir(path)
}

/// The middle value, or the mean of both; NaN where there are none.
public func median(_ values: [Double]) -> Double {
  guard !values.isEmpty else { return .nan }
  let sorted = values.sorted()
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

/// `value` with `digits` decimals.
public func fixed(_ value: Double, _ digits: Int) -> String {
  guard value.isFinite else { return "-" }
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let scaled = Int((abs(value) * scale).rounded())
  var text = "\(scaled / Int(scale))"
  if digits > 0 {
    let rest = "\(scaled % Int(scale))"
    text += "." + String(repeating: "0", count: digits - rest.count) + rest
  }
  return value < 0 && scaled != 0 ? "-" + text : text
}
