/// Builds an EXIF block from fields, for files that store them differently.
///
/// Source: TIFF 6.0, section 2; EXIF 2.32, section 4.5.
struct EXIFWriter {
  struct Field: Hashable {
    let type: UInt16
    let count: Int
    /// In the byte order of the block.
    let bytes: [UInt8]
  }

  enum Directory: CaseIterable {
    case image
    case photo
    case location
  }

  let order: ByteOrder
  private var directories: [Directory: [UInt16: Field]] = [:]
  /// The maker note, and its required offset in the block: offsets within it count from the block's first
  /// byte.
  private var makerNote: (bytes: [UInt8], offset: Int)?

  init(order: ByteOrder) { self.order = order }

  private enum Tag {
    static let photoDirectory: UInt16 = 0x8769
    static let locationDirectory: UInt16 = 0x8825
    static let makerNote: UInt16 = 0x927C
  }

  subscript(_ directory: Directory, _ tag: UInt16) -> Field? {
    get { directories[directory]?[tag] }
    set { directories[directory, default: [:]][tag] = newValue }
  }

  /// - Parameter offset: the note's place in a file, if its offsets count from there; nil if they count from
  ///   the note itself.
  mutating func setMakerNote(_ bytes: [UInt8], offset: Int?) {
    if let offset {
      makerNote = (bytes, offset)
    } else {
      self[.photo, Tag.makerNote] = Field(type: 7, count: bytes.count, bytes: bytes)
    }
  }

  // MARK: Fields

  func text(_ text: String) -> Field {
    let bytes = Array(text.utf8.filter { $0 != 0 }) + [0]
    return Field(type: 2, count: bytes.count, bytes: bytes)
  }

  func short(_ value: Int) -> Field { Field(type: 3, count: 1, bytes: number(value, 2)) }

  func long(_ value: Int) -> Field { Field(type: 4, count: 1, bytes: number(value, 4)) }

  /// Rational numbers; exposure times below a third of a second are written in the usual form, 1/250.
  func rationals(_ values: [Double]) -> Field {
    let bytes = values.flatMap { value -> [UInt8] in
      let value = min(max(value, 0), 4_000_000)
      let inverse = value > 0 ? 1 / value : 0
      if value > 0, value < 0.3, inverse < 4_000_000 {
        let denominator = inverse.rounded()
        // A nearly whole reciprocal is a shutter speed.
        if abs(inverse - denominator) < 0.01 * inverse {
          return number(1, 4) + number(Int(denominator), 4)
        }
      }
      let denominator = value < 4000 ? 1_000_000 : 1000
      return number(Int((value * Double(denominator)).rounded()), 4) + number(denominator, 4)
    }
    return Field(type: 5, count: values.count, bytes: bytes)
  }

  /// A positive number as the simplest fraction within a ten-millionth of it.
  ///
  /// These are the convergents of its continued fraction: Hardy and Wright, An Introduction to the Theory of
  /// Numbers, chapter 10.
  func fraction(_ value: Double) -> Field {
    var (numerator, denominator) = (1, 0)
    var (lastNumerator, lastDenominator) = (0, 1)
    var rest = min(max(value, 0), Double(UInt32.max))
    while true {
      let whole = Int(rest)
      let next = (whole * numerator + lastNumerator, whole * denominator + lastDenominator)
      // Before the first convergent there is none to keep.
      guard denominator == 0 || max(next.0, next.1) <= Int(UInt32.max) else { break }
      (lastNumerator, lastDenominator) = (numerator, denominator)
      (numerator, denominator) = next
      let error = abs(Double(numerator) / Double(denominator) - value)
      let remainder = rest - Double(whole)
      guard error > 1e-7 * value, remainder * Double(UInt32.max) > 1 else { break }
      rest = 1 / remainder
    }
    return Field(type: 5, count: 1, bytes: number(numerator, 4) + number(denominator, 4))
  }

  /// A number of either sign to a thousandth, in lowest terms.
  func signedRational(_ value: Double) -> Field {
    let thousandths = Int((min(max(value, -2_000_000), 2_000_000) * 1000).rounded())
    var (divisor, rest) = (1000, abs(thousandths))
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    return Field(
      type: 10, count: 1, bytes: number(thousandths / divisor, 4) + number(1000 / divisor, 4))
  }

  func undefined(_ bytes: [UInt8]) -> Field { Field(type: 7, count: bytes.count, bytes: bytes) }

  /// Returns the fields of a directory, for a file whose own directory it becomes.
  func fields(of directory: Directory) -> [TIFFDirectoryTree.Field] {
    (directories[directory] ?? [:]).map { tag, field in
      TIFFDirectoryTree.Field(tag: tag, type: field.type, count: field.count, value: field.bytes)
    }
  }

  // MARK: The block

  /// Returns the block, starting at its byte order mark.
  func block() -> [UInt8] {
    var fields = directories
    let pointed: [(Directory, UInt16)] = [(.photo, Tag.photoDirectory), (.location, Tag.locationDirectory)]
    if let makerNote {
      // The entry gives the note's length and place; the note itself keeps its offset in the block.
      fields[.photo, default: [:]][Tag.makerNote] = Field(type: 7, count: makerNote.bytes.count, bytes: [])
    }
    for (directory, tag) in pointed where !(fields[directory] ?? [:]).isEmpty {
      fields[.image, default: [:]][tag] = long(0)
    }
    // The directories precede the maker note if they fit, and otherwise follow it.
    let length = Directory.allCases.reduce(0) { $0 + Self.length(fields[$1] ?? [:]) }
    let noteEnd = makerNote.map { $0.offset + $0.bytes.count } ?? 0
    let isBefore = makerNote.map { 8 + length <= $0.offset } ?? true
    var start = isBefore ? 8 : noteEnd + noteEnd % 2
    let first = start
    var starts: [Directory: Int] = [:]
    for directory in Directory.allCases {
      starts[directory] = start
      start += Self.length(fields[directory] ?? [:])
    }
    for (directory, tag) in pointed where fields[.image]?[tag] != nil {
      fields[.image]?[tag] = long(starts[directory] ?? 0)
    }
    var block = [UInt8](repeating: 0, count: max(start, noteEnd))
    block.replaceSubrange(0..<2, with: Array((order == .littleEndian ? "II" : "MM").utf8))
    block.replaceSubrange(2..<4, with: number(42, 2))
    block.replaceSubrange(4..<8, with: number(first, 4))
    for directory in Directory.allCases where directory == .image || !(fields[directory] ?? [:]).isEmpty {
      let bytes = self.bytes(of: fields[directory] ?? [:], at: starts[directory] ?? 0)
      block.replaceSubrange((starts[directory] ?? 0)..<(starts[directory] ?? 0) + bytes.count, with: bytes)
    }
    if let makerNote {
      block.replaceSubrange(makerNote.offset..<noteEnd, with: makerNote.bytes)
    }
    return block
  }

  private func bytes(of fields: [UInt16: Field], at start: Int) -> [UInt8] {
    var entries = number(fields.count, 2)
    var values: [UInt8] = []
    let valuesStart = start + 2 + 12 * fields.count + 4
    // TIFF requires fields in ascending order.
    for (tag, field) in fields.sorted(by: { $0.key < $1.key }) {
      entries += number(Int(tag), 2) + number(Int(field.type), 2) + number(field.count, 4)
      if tag == Tag.makerNote, field.bytes.isEmpty, let makerNote {
        entries += number(makerNote.offset, 4)
      } else if field.bytes.count <= 4 {
        entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
      } else {
        entries += number(valuesStart + values.count, 4)
        values += field.bytes
        if values.count % 2 == 1 { values.append(0) }
      }
    }
    return entries + number(0, 4) + values
  }

  /// Returns the size in bytes of a directory with its values.
  private static func length(_ fields: [UInt16: Field]) -> Int {
    fields.values.reduce(6 + 12 * fields.count) {
      $0 + ($1.bytes.count > 4 ? $1.bytes.count + $1.bytes.count % 2 : 0)
    }
  }

  private func number(_ value: Int, _ byteCount: Int) -> [UInt8] { order.bytes(value, byteCount) }
}
