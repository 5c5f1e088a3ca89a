/// A value for each part of the hue circle.
public struct HueBands<Value: Sendable & Hashable>: Sendable, Hashable {
  public var red, orange, yellow, green, aqua, blue, purple, magenta: Value

  /// All bands with the same value.
  public init(_ value: Value) {
    (red, orange, yellow, green) = (value, value, value, value)
    (aqua, blue, purple, magenta) = (value, value, value, value)
  }

  public subscript(band: HueBand) -> Value {
    get { self[keyPath: Self.place(of: band)] }
    set { self[keyPath: Self.place(of: band)] = newValue }
  }

  /// In the order of `HueBand.allCases`.
  public var values: [Value] { HueBand.allCases.map { self[$0] } }

  private static func place(of band: HueBand) -> WritableKeyPath<HueBands, Value> {
    switch band {
    case .red: \.red
    case .orange: \.orange
    case .yellow: \.yellow
    case .green: \.green
    case .aqua: \.aqua
    case .blue: \.blue
    case .purple: \.purple
    case .magenta: \.magenta
    }
  }
}
