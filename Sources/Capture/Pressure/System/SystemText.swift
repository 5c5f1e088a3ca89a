import Libc

/// Reads numbers from the small text files of /proc and /sys, without allocating. Files may hold anything.
enum SystemText {
  /// The most bytes of a file that are looked at. /proc/meminfo has 1.5 kB, what is asked of it stands in
  /// front.
  static let limit = 8192

  /// Calls `body` with the bytes of a file.
  ///
  /// - Returns: nil if the file cannot be read, as `memory.pressure` where the kernel has no pressure stall
  ///   information: it can be opened only.
  static func read<Value>(_ path: String, _ body: (UnsafeRawBufferPointer) -> Value?) -> Value? {
    // A path of the injected root may be a pipe, which would wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
      var count = 0
      while count < limit {
        let part = Libc.read(file, buffer.baseAddress?.advanced(by: count), limit - count)
        if part < 0 { return nil }
        if part == 0 { break }
        count += part
      }
      return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Returns the number that a file of one number holds: `42000`.
  static func integer(at path: String) -> Int? { read(path, integer) }

  /// Returns the number that `text` is, with white space around it; nil for anything else.
  static func integer(_ text: UnsafeRawBufferPointer) -> Int? {
    var rest = text[...]
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    // More digits than any count or frequency has.
    guard !rest.isEmpty, rest.count <= 18 else { return nil }
    var number = 0
    for byte in rest {
      guard let digit = digit(byte) else { return nil }
      number = 10 * number + digit
    }
    return isNegative ? -number : number
  }

  /// Returns the number behind `key` in the line that begins with `line`, such as `avg10=` in the line `some
  /// `; nil if there is none.
  ///
  /// Numbers have digits, perhaps a point and more digits, and are not negative.
  static func number(of key: String, inLine line: String, _ text: UnsafeRawBufferPointer) -> Double? {
    var start = text.startIndex
    while start < text.endIndex {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
      let content = text[start..<end]
      if content.starts(with: line.utf8) {
        return number(of: key, content.dropFirst(line.utf8.count))
      }
      start = end + 1
    }
    return nil
  }

  private static func number(of key: String, _ text: Slice<UnsafeRawBufferPointer>) -> Double? {
    var rest = text
    while !rest.starts(with: key.utf8) {
      guard !rest.isEmpty else { return nil }
      rest.removeFirst()
    }
    rest.removeFirst(key.utf8.count)
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    var (number, scale, digits) = (0.0, 1.0, 0)
    var hasPoint = false
    for byte in rest {
      if byte == UInt8(ascii: "."), !hasPoint, digits > 0 {
        hasPoint = true
        continue
      }
      guard let digit = digit(byte), digits < 18 else { break }
      digits += 1
      if hasPoint { scale *= 10 }
      number = 10 * number + Double(digit)
    }
    return digits > 0 ? number / scale : nil
  }

  private static func digit(_ byte: UInt8) -> Int? {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int(byte - UInt8(ascii: "0")) : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
