/// A value that may not be known: null in JSON, so that scripts can tell it from a key that a version does not have.
/// (Synthesized coding leaves out keys whose value is nil.)
struct OrNull<Value: Encodable>: Encodable {
  let value: Value?

  init(_ value: Value?) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value {
      try container.encode(value)
    } else {
      try container.encodeNil()
    }
  }
}
