import FrameCore

/// The JSON form of masks: an object whose `kind` names the mask.
///
///     { "kind": "subtract", "masks": [
///         { "kind": "linear", "from": [0.5, 0.6], "to": [0.5, 0.3] },
///         { "kind": "radial", "center": [0.3, 0.4], "radius": [0.2, 0.1], "angle": 15, "feather": 0.5 },
///         { "kind": "luminance", "from": 0.8, "to": 1, "softness": 0.1 },
///         { "kind": "color", "color": "#c08040", "range": 0.05, "softness": 0.05 },
///         { "kind": "polygon", "points": [[0, 0], [1, 0], [0.5, 1]] },
///         { "kind": "feather", "radius": 0.01, "mask": { "kind": "brush", "strokes": [
///             { "points": [[0.1, 0.2], [0.3, 0.3]], "radius": 0.05, "hardness": 0.5, "flow": 1, "erase": true }] } },
///         { "kind": "feather", "radius": 0.02, "edges": true, "mask": { … } },
///         { "kind": "invert", "mask": { … } } ] }
///
/// The first of the masks that are subtracted is what the others are subtracted from.
extension Mask {
  /// - Parameter path: the place in its file, for errors.
  /// - Throws: `SafelightError` that names the place, the kind and the key.
  package init(_ json: JSONValue, at path: String) throws {
    var object = try JSONObject(json, path: path)
    guard let name = try object.string("kind") else {
      throw SafelightError(
        .corruptData, "\(path) has no “kind” key", remedy: "name the kind of mask, such as \"linear\"")
    }
    guard let kind = Kind(rawValue: name) else {
      throw NearestName.error(unknown: "mask", name, among: Kind.allCases.map(\.rawValue)).at(path)
    }
    self = try Mask(kind, &object)
    try object.refuseUnknownKeys()
  }

  private init(_ kind: Kind, _ object: inout JSONObject) throws {
    switch kind {
    case .linear: self = .linear(from: try object.place("from"), to: try object.place("to"))
    case .radial:
      let radius = try object.radii("radius")
      self = .radial(
        center: try object.place("center"), radiusX: radius.x, radiusY: radius.y,
        angle: try object.number("angle") ?? 0, feather: try object.number("feather") ?? 0.5)
    case .luminance:
      self = .luminance(
        from: try object.number("from") ?? 0, to: try object.number("to") ?? 1,
        softness: try object.number("softness") ?? 0.1)
    case .color:
      guard let text = try object.string("color"), let color = MaskColor(hex: text) else {
        throw SafelightError(
          .corruptData, "\(object.path) has no color like #c08040", remedy: "give one as \"color\"")
      }
      self = .color(
        color, range: try object.number("range") ?? 0.05, softness: try object.number("softness") ?? 0.05)
    case .brush:
      let path = object.path
      let strokes = try object.array("strokes") ?? []
      self = .brush(
        try strokes.enumerated().map { try BrushStroke($1, at: "\(path).strokes[\($0)]") })
    case .polygon: self = .polygon(try object.places("points"))
    case .add: self = .add(try object.masks("masks"))
    case .intersect: self = .intersect(try object.masks("masks"))
    case .subtract:
      let masks = try object.masks("masks")
      guard let first = masks.first else {
        throw SafelightError(
          .corruptData, "\(object.path) has no masks", remedy: "list the mask and those to subtract from it")
      }
      self = .subtract(first, Array(masks.dropFirst()))
    case .invert: self = .invert(try object.mask("mask"))
    case .feather:
      guard let radius = try object.number("radius") else { throw object.missing("radius", "a number") }
      self = .feather(
        try object.mask("mask"), radius: radius, edges: try object.isTrue("edges"))
    }
  }

  /// JSON text that decodes to an equal mask.
  package var json: String {
    func number(_ value: Double) -> String { PlainNumber.text(value) }
    func place(_ point: MaskPoint) -> String { "[\(number(point.x)), \(number(point.y))]" }
    func list(_ items: [String]) -> String { "[" + items.joined(separator: ", ") + "]" }
    let fields: [String] =
      switch self {
      case .linear(let from, let to): ["\"from\": \(place(from))", "\"to\": \(place(to))"]
      case .radial(let center, let radiusX, let radiusY, let angle, let feather):
        [
          "\"center\": \(place(center))",
          "\"radius\": "
            + (radiusX == radiusY ? number(radiusX) : list([number(radiusX), number(radiusY)])),
        ] + (angle == 0 ? [] : ["\"angle\": \(number(angle))"]) + ["\"feather\": \(number(feather))"]
      case .luminance(let from, let to, let softness):
        ["\"from\": \(number(from))", "\"to\": \(number(to))", "\"softness\": \(number(softness))"]
      case .color(let color, let range, let softness):
        [
          "\"color\": \(JSONValue.quoted(color.hex))", "\"range\": \(number(range))",
          "\"softness\": \(number(softness))",
        ]
      case .brush(let strokes): ["\"strokes\": \(list(strokes.map(\.json)))"]
      case .polygon(let points): ["\"points\": \(list(points.map(place)))"]
      case .add(let masks), .intersect(let masks): ["\"masks\": \(list(masks.map(\.json)))"]
      case .subtract(let mask, let others): ["\"masks\": \(list(([mask] + others).map(\.json)))"]
      case .invert(let mask): ["\"mask\": \(mask.json)"]
      case .feather(let mask, let radius, let edges):
        ["\"radius\": \(number(radius))"] + (edges ? ["\"edges\": true"] : [])
          + ["\"mask\": \(mask.json)"]
      }
    return "{ " + (["\"kind\": \"\(kind)\""] + fields).joined(separator: ", ") + " }"
  }
}

extension BrushStroke {
  fileprivate init(_ json: JSONValue, at path: String) throws {
    var object = try JSONObject(json, path: path)
    guard let radius = try object.number("radius") else { throw object.missing("radius", "a number") }
    let erases = try object.isTrue("erase")
    self.init(
      try object.places("points"), radius: radius,
      hardness: try object.number("hardness") ?? Self.defaultHardness,
      flow: try object.number("flow") ?? 1, erases: erases)
    try object.refuseUnknownKeys()
  }

  fileprivate var json: String {
    let places = points.map { "[\(PlainNumber.text($0.x)), \(PlainNumber.text($0.y))]" }
    return "{ \"points\": [\(places.joined(separator: ", "))], \"radius\": \(PlainNumber.text(radius))"
      + ", \"hardness\": \(PlainNumber.text(hardness))"
      + (flow == 1 ? "" : ", \"flow\": \(PlainNumber.text(flow))")
      + (erases ? ", \"erase\": true" : "") + " }"
  }
}

extension JSONObject {
  fileprivate func missing(_ key: String, _ kind: String) -> SafelightError {
    SafelightError(.corruptData, "\(path): “\(key)” must be \(kind)")
  }

  /// False if the key is missing.
  fileprivate mutating func isTrue(_ key: String) throws -> Bool {
    switch value(key) {
    case nil: return false
    case .bool(let value)?: return value
    case .some: throw missing(key, "true or false")
    }
  }

  fileprivate mutating func place(_ key: String) throws -> MaskPoint {
    guard let value = value(key), let point = MaskPoint(value) else {
      throw missing(key, "a place such as [0.5, 0.5]")
    }
    return point
  }

  fileprivate mutating func places(_ key: String) throws -> [MaskPoint] {
    try (array(key) ?? []).map { value in
      guard let point = MaskPoint(value) else {
        throw missing(key, "a list of places such as [[0, 0], [1, 1]]")
      }
      return point
    }
  }

  /// One number for a circle, two for an ellipse.
  fileprivate mutating func radii(_ key: String) throws -> MaskPoint {
    switch value(key) {
    case .number(let radius)?: return MaskPoint(radius, radius)
    case let value?:
      if let radii = MaskPoint(value) { return radii }
    case nil: break
    }
    throw missing(key, "a number, or two of them such as [0.2, 0.1]")
  }

  fileprivate mutating func mask(_ key: String) throws -> Mask {
    guard let value = value(key) else { throw missing(key, "a mask") }
    return try Mask(value, at: "\(path).\(key)")
  }

  fileprivate mutating func masks(_ key: String) throws -> [Mask] {
    let values = try array(key) ?? []
    return try values.enumerated().map { try Mask($1, at: "\(path).\(key)[\($0)]") }
  }
}

extension MaskPoint {
  /// Nil unless it is a pair of numbers.
  fileprivate init?(_ json: JSONValue) {
    guard case .array(let pair) = json, pair.count == 2, case .number(let x) = pair[0],
      case .number(let y) = pair[1]
    else { return nil }
    self.init(x, y)
  }
}
