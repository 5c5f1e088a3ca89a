/// A value that may be unknown, encoded as null, so that readers can tell it from a key that a version does not have.
/// (Synthesized coding leaves out keys whose value is nil.)
@propertyWrapper
public struct OrNull<Value: Codable & Sendable>: Codable, Sendable {
  public var wrappedValue: Value?

  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue {
      try container.encode(wrappedValue)
    } else {
      try container.encodeNil()
    }
  }
}

extension OrNull: Equatable where Value: Equatable {}

extension OrNull: Hashable where Value: Hashable {}
