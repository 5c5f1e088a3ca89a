import FoundationEssentials
import Libc

extension BatchReport {
  /// Whether a file is a report, or a list of what would be done, that a run has written: the next run may
  /// replace it.
  ///
  /// At most its first quarter of a megabyte is read, since reports of a million photos have some 300 MB. A
  /// longer file is a report where it begins like one, with a whole entry.
  public static func isReport(_ path: String) -> Bool {
    guard let bytes = beginning(of: path) else { return false }
    let isWhole = bytes.count <= longestBeginning
    var text = JSONBeginning(bytes)
    if text.take("[") {
      return isWhole
        ? decode([BatchRun.PlannedResult].self, from: bytes)?.isEmpty == false
        : decode(BatchRun.PlannedResult.self, from: text.takeObject()) != nil
    }
    guard !isWhole else { return decode(BatchReport.self, from: bytes) != nil }
    // Keys are in the order of the alphabet.
    guard text.take("{"), text.take("\"entries\""), text.take(":"), text.take("[") else { return false }
    return decode(Entry.self, from: text.takeObject()) != nil
  }

  /// In bytes. An entry has a few hundred of them, and some thousands where paths and warnings are long.
  static let longestBeginning = 256 << 10

  private static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }

  /// - Returns: at most a byte more than `longestBeginning`; nil where no regular file can be read.
  private static func beginning(of path: String) -> [UInt8]? {
    // A pipe that nobody writes to would be waited at.
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

/// JSON that may be cut off, taken from its beginning.
private struct JSONBeginning {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  private mutating func skipBlanks() {
    rest = rest.drop { $0 == 0x20 || $0 == 9 || $0 == 10 || $0 == 13 }
  }

  /// Passes over a text, which stands next but for blanks.
  ///
  /// - Returns: whether it was there.
  mutating func take(_ text: String) -> Bool {
    skipBlanks()
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// The object that stands next; empty where none does, or its end was cut off.
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
