import ColorScience
import FilterGraph
import Filters
import FrameCore

/// Masks drawn on a photo, as recipes: what renderers draw is then what they would mask.
public enum MaskDrawing: String, Sendable, CaseIterable {
  /// The photo, half covered with red where the mask is 1.
  case overlay
  /// Black where the mask is 0, white where it is 1.
  case grey

  /// Returns a recipe for each mask of a recipe, in the order of its groups: they turn and crop as it does, and draw the
  /// mask on the colours that reach the first group.
  ///
  /// - Throws: `SafelightError` if the recipe has no masks.
  public func recipes(for recipe: Recipe) throws -> [(mask: Mask, recipe: Recipe)] {
    let groups = recipe.filters.compactMap { $0 as? Group }
    let masks = groups.compactMap(\.mask)
    guard !masks.isEmpty else {
      throw SafelightError(
        .invalidValue, "The recipe has no group with a mask", remedy: "give one, or a mask as text")
    }
    return try masks.map { ($0, try drawing($0, on: recipe)) }
  }

  /// Returns a recipe that draws a mask on the uncropped photo.
  public func recipe(for mask: Mask) throws -> Recipe { try drawing(mask, on: Recipe()) }

  private func drawing(_ mask: Mask, on recipe: Recipe) throws -> Recipe {
    var drawing = Recipe(order: recipe.order)
    // In the listed order, only what comes before the first group reaches it; geometry always does.
    let first = recipe.filters.firstIndex { $0 is Group } ?? recipe.filters.count
    drawing.filters = recipe.filters.enumerated().filter { index, filter in
      let phase = type(of: filter).phase
      return phase.isGeometry || (phase < .group && (recipe.order == .canonical || index < first))
    }.map(\.element)
    switch self {
    case .overlay:
      drawing.filters.append(Group(mask, opacity: 50, filters: [try Self.paint("1 0 0", "red")]))
    case .grey:
      drawing.filters.append(Group(nil, filters: [try Self.paint("0 0 0", "black")]))
      drawing.filters.append(Group(mask, filters: [try Self.paint("1 1 1", "white")]))
      drawing.filters.append(try Self.asSamples())
    }
    return drawing
  }

  /// A table that makes all colours one.
  private static func paint(_ color: String, _ name: String) throws -> LUT {
    let lines = Array(repeating: color, count: 8).joined(separator: "\n")
    return LUT(try ColorLUT(cube: Array("LUT_3D_SIZE 2\n\(lines)\n".utf8), name: name), name: name)
  }

  /// A table whose light has samples of the input's values: half a mask is the middle code.
  private static func asSamples() throws -> LUT {
    let last = 4095
    let lines = (0...last).map { index -> String in
      let value = TransferFunction.sRGB.decode(Double(index) / Double(last))
      return "\(value) \(value) \(value)"
    }
    let text = "LUT_1D_SIZE \(last + 1)\n" + lines.joined(separator: "\n") + "\n"
    return LUT(try ColorLUT(cube: Array(text.utf8), name: "samples"), name: "samples", encoding: .linear)
  }
}

/// What was drawn of a photo's masks.
public struct MaskReport: JSONReport {
  public struct Drawing: Codable, Sendable {
    /// The mask as text.
    public var mask: String
    /// The file that it was drawn to.
    public var output: String
    /// The size of the drawing in pixels.
    public var width: Int
    public var height: Int

    public init(mask: Mask, output: String, size: PixelSize) {
      (self.mask, self.output, width, height) = (mask.text, output, size.width, size.height)
    }
  }

  public var photo: String
  /// In the order of the recipe's groups.
  public var masks: [Drawing]
  public var warnings: [String]

  public init(_ photo: String, _ masks: [Drawing], warnings: [String]) {
    (self.photo, self.masks, self.warnings) = (photo, masks, warnings)
  }
}
