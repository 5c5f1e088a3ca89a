import Safelight

/// Pictures on their way to the page.
enum StudioPicture {
  /// Shows transparent corners as the black that the page has behind the picture.
  ///
  /// - Parameter picture: `rgba8`.
  static func blackenTransparency(of picture: PixelBuffer) {
    guard picture.alpha == .straight else { return }
    for y in 0..<picture.height {
      let row = picture.planes[0].row(y).assumingMemoryBound(to: UInt8.self)
      for x in 0..<picture.width where row[4 * x + 3] < 255 {
        let alpha = UInt16(row[4 * x + 3])
        for channel in 0..<3 {
          row[4 * x + channel] = UInt8((UInt16(row[4 * x + channel]) * alpha + 127) / 255)
        }
      }
    }
  }
}

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
