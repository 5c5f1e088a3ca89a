import Safelight

extension JSONValue {
  static func region(_ region: Region) -> JSONValue {
    .object([
      "x": .number(region.columns.lowerBound), "y": .number(region.rows.lowerBound),
      "width": .number(region.columns.count), "height": .number(region.rows.count),
    ])
  }

  static func stripes(_ stripes: [StripeEncoder.Stripe]) -> JSONValue {
    .array(
      stripes.map {
        .object(["y": .number($0.y), "height": .number($0.height), "bytes": .number($0.bytes.count)])
      })
  }
}
