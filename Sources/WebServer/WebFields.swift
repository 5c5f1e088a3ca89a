/// The header fields of a request or a response, in order. Names are compared without regard to case.
public struct WebFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  public struct Field: Sendable, Hashable {
    public var name: String
    public var value: String
  }

  public private(set) var fields: [Field] = []

  public init() {}
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0, value: $1) }
  }
  init(_ pairs: some Sequence<(name: String, value: String)>) {
    // Blanks around a value are no part of it (RFC 9110, §5.5); the parser leaves those behind it.
    fields = pairs.map { Field(name: $0.name, value: Self.trimmed($0.value)) }
  }

  /// The values of all fields of a name.
  public func all(_ name: String) -> [String] {
    fields.filter { Self.areSame($0.name, name) }.map(\.value)
  }

  /// The value of a field that may be stated once; nil if it is missing or repeated.
  public func single(_ name: String) -> String? {
    let values = all(name)
    return values.count == 1 ? values[0] : nil
  }

  public func contains(_ name: String) -> Bool { fields.contains { Self.areSame($0.name, name) } }

  public mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

  /// Whether a comma-separated list, such as `Connection`, has a word.
  func list(_ name: String, has word: String) -> Bool {
    all(name).contains { value in
      value.split(separator: ",").contains { Self.areSame(Self.trimmed($0), word) }
    }
  }

  /// Whether two texts are equal without regard to the case of ASCII letters.
  static func areSame(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
    a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  /// An ASCII letter in lower case; other bytes as they are.
  static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  static func trimmed(_ text: some StringProtocol) -> String {
    var rest = Substring(text)
    while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
    while rest.last == " " || rest.last == "\t" { rest.removeLast() }
    return String(rest)
  }
}
