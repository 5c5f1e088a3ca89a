import ColorScience
import FilterGraph

/// Makes each channel of a mix of all three.
///
///     out = M · in        linear Rec. 2020, M in percent
///
/// Greys stay grey where the rows of M add up to the same, and keep their brightness where each adds up to 100.
public struct ChannelMixer: Filter {
  public static let id: FilterID = "channel-mixer"
  public static let phase = FilterPhase.color
  public static let summary = "Makes each channel of a mix of all three"

  private static func share(
    _ path: WritableKeyPath<ChannelMixer, Float> & Sendable, _ channel: String, from source: String
  ) -> Parameter {
    Parameter(
      path, "\(channel)-from-\(source)", in: -200...200, step: 1, neutral: channel == source ? 100 : 0,
      unit: .percent, flag: "mixer-\(channel)-from-\(source)", "How much of \(source) \(channel) gets")
  }

  public static let parameters = [
    share(\.red.x, "red", from: "red"), share(\.red.y, "red", from: "green"),
    share(\.red.z, "red", from: "blue"),
    share(\.green.x, "green", from: "red"), share(\.green.y, "green", from: "green"),
    share(\.green.z, "green", from: "blue"),
    share(\.blue.x, "blue", from: "red"), share(\.blue.y, "blue", from: "green"),
    share(\.blue.z, "blue", from: "blue"),
  ]

  /// What each channel gets of red, green and blue, -200…200 % each.
  public var red, green, blue: SIMD3<Float>

  public init() { self.init(red: SIMD3(100, 0, 0)) }
  public init(
    red: SIMD3<Float> = SIMD3(100, 0, 0), green: SIMD3<Float> = SIMD3(0, 100, 0),
    blue: SIMD3<Float> = SIMD3(0, 0, 100)
  ) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  public func lower(into plan: inout PlanBuilder) {
    guard self != ChannelMixer() else { return }
    plan.matrix(
      Matrix3x3(rows: SIMD3<Double>(red) / 100, SIMD3<Double>(green) / 100, SIMD3<Double>(blue) / 100))
  }
}
