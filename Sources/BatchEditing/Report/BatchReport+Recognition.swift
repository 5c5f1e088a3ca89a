import FoundationEssentials
import Libc

extension BatchReport {
  /// Whether a file is a report, or a list of planned results, that a run has written: the next run may replace
  /// it.
  ///
  /// At most the first 256 KiB are read, since reports of a million photos have some 300 MB. A longer file is a
  /// report if it begins like one, with a complete entry.
  package static func isReport(_ path: String) -> Bool {
    guard let bytes = beginning(of: path) else { return false }
    let isWhole = bytes.count <= longestBeginning
    var text = JSONBeginning(bytes)
    if text.take("[") {
      return isWhole
        ? decode([BatchRun.PlannedResult].self, from: bytes)?.isEmpty == false
        : decode(BatchRun.PlannedResult.self, from: text.takeObject()) != nil
    }
    guard !isWhole else { return decode(BatchReport.self, from: bytes) != nil }
    // Keys are in alphabetical order.
    guard text.take("{"), text.take("\"entries\""), text.take(":"), text.take("[") else { return false }
    return decode(Entry.self, from: text.takeObject()) != nil
  }

  /// The bytes read at most. An entry has a few hundred, and some thousands if paths and warnings are long.
  static let longestBeginning = 256 << 10

  private static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }

  /// - Returns: at most one byte more than `longestBeginning`; nil if it is not a readable regular file.
  private static func beginning(of path: String) -> [UInt8]? {
    // Without O_NONBLOCK, opening a pipe without a writer would block.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: longestBeginning + 1)
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes { room in
        read(descriptor, room.baseAddress.map { $0 + count }, room.count - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { return nil }
      if more == 0 { break }
      count += more
    }
    return Array(bytes[..<count])
  }
}

/// Reads JSON that may be truncated, from its beginning.
private struct JSONBeginning {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  private mutating func skipBlanks() {
    rest = rest.drop { $0 == 0x20 || $0 == 9 || $0 == 10 || $0 == 13 }
  }

  /// Skips a text that comes next, apart from whitespace.
  ///
  /// - Returns: whether it was present.
  mutating func take(_ text: String) -> Bool {
    skipBlanks()
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// Returns the next object; empty if there is none, or if it is truncated.
  mutating func takeObject() -> [UInt8] {
    skipBlanks()
    guard rest.first == UInt8(ascii: "{") else { return [] }
    var (depth, isText, isEscaped) = (0, false, false)
    for (place, byte) in zip(rest.indices, rest) {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"):
        depth -= 1
        guard depth == 0 else { break }
        let object = Array(rest[...place])
        rest = rest[(place + 1)...]
        return object
      default: break
      }
    }
    return []
  }
}
