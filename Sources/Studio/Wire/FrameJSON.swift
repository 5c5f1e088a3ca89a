import Safelight

extension JSONValue {
  static func region(_ region: Region) -> JSONValue {
    .object([
      "x": .number(region.columns.lowerBound), "y": .number(region.rows.lowerBound),
      "width": .number(region.columns.count), "height": .number(region.rows.count),
    ])
  }

  /// The way from 0…1 of a picture to 0…1 of the photo, as `studio/page/masks/places.js` goes it.
  static func places(_ places: PicturePlaces) -> JSONValue {
    func numbers(_ list: [Double]) -> JSONValue { .array(list.map { .number($0) }) }
    let m = places.projection
    let lens = places.lens.map { lens -> JSONValue in
      let (numbersOfCurve, map) = (lens.numbers, lens.toLens)
      return .object([
        "terms": numbers(numbersOfCurve.terms), "limit": .number(numbersOfCurve.limit),
        "toLens": numbers([map.a, map.b, map.c, map.d, map.e, map.f]),
      ])
    }
    return .object([
      "map": numbers([m.a, m.b, m.c, m.d, m.e, m.f, m.g, m.h, m.i]), "lens": lens ?? .null,
    ])
  }

  static func stripes(_ stripes: [StripeEncoder.Stripe]) -> JSONValue {
    .array(
      stripes.map {
        .object(["y": .number($0.y), "height": .number($0.height), "bytes": .number($0.bytes.count)])
      })
  }
}
