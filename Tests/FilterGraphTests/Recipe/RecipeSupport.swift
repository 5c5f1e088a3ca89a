import TestSupport
import ColorScience
import FilterGraph
import Filters
import FrameCore

/// What recipe tests read in place of files.
enum RecipeFiles {
  /// A table that exchanges nothing but halves red.
  static let cube = """
    LUT_3D_SIZE 2
    0 0 0
    0.5 0 0
    0 1 0
    0.5 1 0
    0 0 1
    0.5 0 1
    0 1 1
    0.5 1 1

    """

  static func read(_ name: String) -> [UInt8] {
    Array((name == "broken.cube" ? "LUT_3D_SIZE many\n" : cube).utf8)
  }

  static func decode(_ json: some Collection<UInt8>) throws -> Recipe {
    try Recipe(json: Array(json), file: "look.json", catalog: .standard, read: read)
  }
}

extension Recipe {
  /// All that a recipe says, for comparison.
  var contents: [[ParameterValue]] {
    [[.text(name), .text(description), .text(order.rawValue)]]
      + allFilters.map { filter in
        let filterType = type(of: filter)
        return [.text(filterType.id.name)] + filterType.parameters.map { $0.value(in: filter) }
      }
  }

  /// Filters of every kind with values from all over their ranges, many of them at an end or neutral.
  static func random(using random: inout SeededRandom) throws -> Recipe {
    let table = try ColorLUT(cube: Array(RecipeFiles.cube.utf8), name: "two.cube")
    func pick(_ range: ClosedRange<Float>, neutral: Float) -> Float {
      switch random.next() % 6 {
      case 0: range.lowerBound
      case 1: range.upperBound
      case 2: neutral
      default: Float.random(in: range, using: &random)
      }
    }
    func unit() -> Double { Double.random(in: 0...1, using: &random) }
    let filters = (0..<Int(random.next() % 9)).map { _ -> any Filter in
      switch random.next() % 12 {
      case 0: Rotate(Rotate.Turn.allCases.randomElement(using: &random) ?? .none)
      case 1: Flip(([.none, .horizontal, .vertical] as [Flip.Axis]).randomElement(using: &random) ?? .none)
      case 2: Straighten(pick(-45...45, neutral: 0), corners: random.next() % 2 == 0 ? .crop : .keep)
      case 3: Crop(.proportions(width: 0.1 + unit() * 20, height: 0.1 + unit(), x: unit(), y: unit()))
      case 4:
        Crop(
          .rectangle(
            x: Int(random.next() % 100), y: 0, width: 1 + Int(random.next() % 9000), height: 1))
      case 5:
        switch random.next() % 3 {
        case 0: Resize(longEdge: Int(pick(0...65_535, neutral: 0)))
        case 1: Resize(.percent(0.01 + unit() * 9999))
        default:
          Resize(
            .within(
              PixelSize(width: 1 + Int(random.next() % 65_535), height: 1 + Int(random.next() % 65_535))))
        }
      case 6:
        WhiteBalance(temperature: pick(2000...25_000, neutral: 6500), tint: pick(-100...100, neutral: 0))
      case 7: Exposure(stops: pick(-5...5, neutral: 0))
      case 8: Contrast(pick(-100...100, neutral: 0))
      case 9: Saturation(pick(-100...100, neutral: 0))
      case 10:
        Group(
          .random(using: &random, depth: 3), opacity: pick(0...100, neutral: 100),
          filters: [Exposure(stops: pick(-5...5, neutral: 0))])
      default:
        LUT(
          table, name: "../lüts/a \"b\" \\c.cube", strength: pick(0...100, neutral: 100),
          encoding: LUT.Encoding.allCases.randomElement(using: &random) ?? .sRGB)
      }
    }
    let texts = ["", "Golden Hour", "“Ünïcode” 📷 \u{0}\u{1f}\u{7f}\u{2028}", "\"\\/\u{8}\u{c}\n\r\t"]
    return Recipe(
      name: texts.randomElement(using: &random) ?? "", description: texts.randomElement(using: &random) ?? "",
      order: random.next() % 2 == 0 ? .canonical : .listed, filters: filters)
  }
}
