import FrameCore

/// Parses the words of a mask.
struct MaskParser {
  private struct Word {
    let text: String
    /// The position of its first character in the text, from 1.
    let place: Int
  }

  private let words: [Word]
  private let end: Int
  private var index = 0

  init(_ text: String) {
    var words: [Word] = []
    var current = ""
    var start = 0
    func finish() {
      if !current.isEmpty { words.append(Word(text: current, place: start)) }
      current = ""
    }
    for (offset, character) in text.enumerated() {
      if character.isWhitespace {
        finish()
      } else if character == "(" || character == ")" {
        finish()
        words.append(Word(text: String(character), place: offset + 1))
      } else {
        if current.isEmpty { start = offset + 1 }
        current.append(character)
      }
    }
    finish()
    self.words = words
    end = text.count + 1
  }

  private var next: String? { index < words.count ? words[index].text : nil }

  private mutating func take(_ word: String) -> Bool {
    guard next == word else { return false }
    index += 1
    return true
  }

  /// An error at the next word.
  private func wrong(_ problem: String, _ remedy: String) -> SafelightError {
    let place = index < words.count ? words[index].place : end
    return SafelightError(.invalidValue, "Mask, character \(place): \(problem)", remedy: remedy)
  }

  /// `“0,5x” is not a place`, or that it is missing.
  private func isNot(_ what: String, _ remedy: String) -> SafelightError {
    guard let next else { return wrong("\(what) is missing", remedy) }
    return wrong("“\(NearestName.shortened(next))” is not \(what)", remedy)
  }

  mutating func parse() throws -> Mask {
    let mask = try list(depth: 1)
    guard next == nil else { throw isNot("+, - or &", "combine masks with one of them") }
    return mask
  }

  /// Masks joined from left to right.
  private mutating func list(depth: Int) throws -> Mask {
    guard depth <= Mask.depthLimit else {
      throw wrong("masks are nested more than \(Mask.depthLimit) deep", "use fewer parentheses")
    }
    var mask = try operand(depth: depth)
    // That of `mask`, if it was joined here.
    var last = ""
    while let sign = next, ["+", "-", "&"].contains(sign) {
      index += 1
      let other = try operand(depth: depth)
      switch (sign, mask) {
      case ("+", .add(let masks)) where last == sign: mask = .add(masks + [other])
      case ("&", .intersect(let masks)) where last == sign: mask = .intersect(masks + [other])
      case ("-", .subtract(let first, let others)) where last == sign:
        mask = .subtract(first, others + [other])
      case ("+", _): mask = .add([mask, other])
      case ("&", _): mask = .intersect([mask, other])
      default: mask = .subtract(mask, [other])
      }
      last = sign
    }
    return mask
  }

  private mutating func operand(depth: Int) throws -> Mask {
    guard depth <= Mask.depthLimit else {
      throw wrong("masks are nested more than \(Mask.depthLimit) deep", "leave out some of the words")
    }
    guard let word = next else { throw isNot("a mask", "begin with one of \(Self.known)") }
    if take("(") {
      let mask = try list(depth: depth + 1)
      guard take(")") else { throw isNot("a closing parenthesis", "close what “(” opened") }
      return mask
    }
    guard Mask.words.contains(word.lowercased()) else {
      let error = NearestName.error(unknown: "mask", word, among: Mask.words)
      throw wrong(error.problem.prefix(1).lowercased() + error.problem.dropFirst(), error.remedy)
    }
    index += 1
    switch word.lowercased() {
    case "linear": return .linear(from: try place(), to: try place())
    case "radial": return try radial()
    case "luminance": return try luminance()
    case "color": return try color()
    case "brush": return try brush()
    case "polygon": return .polygon(try places())
    case "not": return .invert(try operand(depth: depth + 1))
    default:
      let radius = try number("a radius")
      let edges = take("edges")
      return .feather(try operand(depth: depth + 1), radius: radius, edges: edges)
    }
  }

  private static let known = Mask.words.joined(separator: ", ")

  // MARK: Masks

  private mutating func radial() throws -> Mask {
    let center = try place()
    let sides = next?.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) } ?? []
    guard (1...2).contains(sides.count), let radiusX = sides[0], let radiusY = sides[sides.count - 1] else {
      throw isNot("a radius", "write one number for a circle, or two such as 0.2x0.1")
    }
    index += 1
    var (feather, angle) = (0.5, 0.0)
    while true {
      if take("feather") {
        feather = try number("a feather")
      } else if take("angle") {
        angle = try number("an angle")
      } else {
        return .radial(center: center, radiusX: radiusX, radiusY: radiusY, angle: angle, feather: feather)
      }
    }
  }

  private mutating func luminance() throws -> Mask {
    let ends = (next ?? "").replacing("…", with: "..").split(
      separator: "..", omittingEmptySubsequences: false
    )
    .map { Double($0) }
    guard ends.count == 2, let from = ends[0], let to = ends[1] else {
      throw isNot("a range of lightness", "write it like 0.6..1")
    }
    index += 1
    return .luminance(from: from, to: to, softness: take("soft") ? try number("a softness") : 0.1)
  }

  private mutating func color() throws -> Mask {
    guard let color = next.flatMap({ MaskColor(hex: $0) }) else {
      throw isNot("a colour", "write it like #c08040")
    }
    index += 1
    var (range, softness) = (0.05, 0.05)
    while true {
      if take("range") {
        range = try number("a range")
      } else if take("soft") {
        softness = try number("a softness")
      } else {
        return .color(color, range: range, softness: softness)
      }
    }
  }

  private mutating func brush() throws -> Mask {
    var strokes: [BrushStroke] = []
    var erases = take("erase")
    while true {
      let radius = try number("a radius")
      var stroke = BrushStroke(try places(), radius: radius, erases: erases)
      while true {
        if take("hardness") {
          stroke.hardness = try number("a hardness")
        } else if take("flow") {
          stroke.flow = try number("a flow")
        } else {
          break
        }
      }
      strokes.append(stroke)
      erases = next == "erase"
      guard take("stroke") || take("erase") else { return .brush(strokes) }
    }
  }

  // MARK: Values

  private mutating func number(_ what: String) throws -> Double {
    guard let value = next.flatMap({ Double($0) }) else { throw isNot(what, "write a number like 0.05") }
    index += 1
    return value
  }

  private mutating func place() throws -> MaskPoint {
    guard let point = next.flatMap(Self.place) else {
      throw isNot(
        "a place", "write X,Y such as 0.5,0.25: 0,0 is the top left corner, 1,1 the bottom right one")
    }
    index += 1
    return point
  }

  private mutating func places() throws -> [MaskPoint] {
    var points = [try place()]
    while let point = next.flatMap(Self.place) {
      points.append(point)
      index += 1
    }
    // A word with a comma was meant as one.
    if next?.contains(",") == true { points.append(try place()) }
    return points
  }

  private static func place(_ text: String) -> MaskPoint? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
    return MaskPoint(x, y)
  }
}
