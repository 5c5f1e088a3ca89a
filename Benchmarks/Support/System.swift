import Glibc

/// The number of processors online.
public var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// The monotonic clock in seconds.
public func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Prints a line on standard error.
public func progress(_ text: String) { print(text + "\n", to: STDERR_FILENO) }

/// Prints text at once, so that nothing is lost if the run is ended.
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

/// The size of a file in bytes; 0 if there is none.
public func fileSize(_ path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// The text of a small file; nil if it cannot be read.
public func textFile(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
  return String(decoding: bytes, as: UTF8.self)
}

/// The last words of a program in the log at `path`: see `lastWords(in:)`.
public func lastWords(ofLog path: String) -> String { lastWords(in: textFile(path) ?? "") }

/// Returns the last line that is not indented and what follows it, joined to one line: this is the error of a
/// Python traceback and of most programs. Files are named without their folders, which mean nothing on other
/// machines.
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

/// The names of the entries of a folder.
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

/// Removes a folder with all its contents.
public func removeFolder(_ path: String) {
  for name in names(in: path) {
    let child = "\(path)/\(name)"
    if unlink(child) != 0 { removeFolder(child) }
  }
  rmdir(path)
}

/// The median; NaN if there are no values.
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
