import LibraryTestSupport
import Safelight
import Foundation
import Testing

@testable import Sidecars

@Suite("Adobe's crop")
struct AdobeCropTests {
  struct Crop: CustomTestStringConvertible {
    var left, top, right, bottom, angle: Double
    var testDescription: String { "\(left), \(top), \(right), \(bottom) at \(angle)°" }

    var settings: AdobeSettings {
      get throws {
        try AdobeSettings(
          packet: Array(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
              xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/"><rdf:Description c:HasCrop="True" c:CropLeft="\(left)"
              c:CropTop="\(top)" c:CropRight="\(right)" c:CropBottom="\(bottom)" c:CropAngle="\(angle)"/></rdf:RDF>
            """.utf8), file: "a.xmp")
      }
    }
  }

  /// What the recipe shows, as one map from the result to the photo as stored.
  static func geometry(_ recipe: Recipe, _ size: PixelSize, _ orientation: Orientation) throws -> Geometry {
    let plan = try Plan(
      recipe, input: PlanInput(size: size, orientation: orientation), output: PlanOutput(), optimized: false)
    let stages = plan.exactStages.compactMap { stage in
      if case .geometry(let geometry) = stage { geometry } else { nil }
    }
    return stages.first ?? Geometry(orientation: .up, size: size)
  }

  /// Measured in Lightroom on an uncropped landscape photo: a crop of 0.3, 0.4, 0.8, 0.9 (top, left, bottom, right), and the
  /// same crop after its angle was set to 10° (Adobe's forum, "What is the formula for converting crop coordinates when a
  /// photo gets angled?"). The proportions of the photo follow from the numbers: 0.25·sin 10° / (0.275035 − 0.25·cos 10°).
  @Test(
    "A crop that was turned by 10° in Lightroom keeps its middle and its size, and turns the picture clockwise"
  )
  func measured() throws {
    let size = PixelSize(width: 6000, height: 3985)
    let crop = Crop(left: 0.374965, top: 0.36916, right: 0.925035, bottom: 0.73084, angle: -10)
    let result = try AdobeImport(crop.settings, size: size, orientation: .up, isOwn: true)
    let shown = try Self.geometry(result.recipe, size, .up)
    #expect(
      abs(shown.outputSize.width - 3000) <= 1 && abs(shown.outputSize.height - 1992) <= 1,
      "\(shown.outputSize)")
    let middle = shown.map.apply(Double(shown.outputSize.width) / 2, Double(shown.outputSize.height) / 2)
    #expect(abs(middle.x - 0.65 * 6000) < 1 && abs(middle.y - 0.55 * 3985) < 1, "\(middle)")
    #expect(abs(shown.turn.degrees - 10) < 1e-4 && !shown.turn.mirrored)
  }

  static let crops = [
    Crop(left: 0.1, top: 0.2, right: 0.7, bottom: 0.9, angle: 0),
    Crop(left: 0, top: 0, right: 1, bottom: 1, angle: 0),
    Crop(left: 0.25, top: 0.3, right: 0.75, bottom: 0.7, angle: 3.2),
    Crop(left: 0.3, top: 0.2, right: 0.6, bottom: 0.8, angle: -7.5),
    // Reaches beyond what a straightened picture of the same proportions shows.
    Crop(left: 0.03, top: 0.36, right: 0.97, bottom: 0.66, angle: 5),
    Crop(left: 0.42, top: 0.2, right: 0.58, bottom: 0.8, angle: 40),
  ]

  /// The definition itself, independent of how it is computed: a rectangle on the stored photo, turned clockwise by the
  /// angle, from its corner (left, top) along its sides to (right, bottom); then the photo's orientation.
  @Test(
    "It shows the pixels of the turned rectangle, for every orientation, to a pixel",
    arguments: crops, Orientation.allCases)
  func definition(crop: Crop, orientation: Orientation) throws {
    let size = PixelSize(width: 1200, height: 800)
    let result = try AdobeImport(crop.settings, size: size, orientation: orientation, isOwn: true)
    let shown = try Self.geometry(result.recipe, size, orientation)

    let radians = crop.angle * .pi / 180
    let along = (x: cos(radians), y: sin(radians))
    let down = (x: -sin(radians), y: cos(radians))
    let start = (x: crop.left * 1200, y: crop.top * 800)
    let diagonal = (x: crop.right * 1200 - start.x, y: crop.bottom * 800 - start.y)
    let width = diagonal.x * along.x + diagonal.y * along.y
    let height = diagonal.x * down.x + diagonal.y * down.y
    let stored = PixelSize(width: Int(width.rounded()), height: Int(height.rounded()))
    let upright = orientation.applied(to: stored)
    #expect(
      abs(shown.outputSize.width - upright.width) <= 2 && abs(shown.outputSize.height - upright.height) <= 2,
      "\(shown.outputSize) instead of \(upright)")

    // EXIF's orientation of the rectangle's own pixels: from the result to them.
    let toRectangle = Geometry(orientation: orientation, size: stored).map
    for (x, y) in [(0.1, 0.1), (0.9, 0.2), (0.5, 0.5), (0.2, 0.8)] {
      let inside = toRectangle.apply(x * Double(upright.width), y * Double(upright.height))
      let wanted = (
        x: start.x + inside.x * along.x + inside.y * down.x,
        y: start.y + inside.x * along.y + inside.y * down.y
      )
      let found = shown.map.apply(
        x * Double(shown.outputSize.width), y * Double(shown.outputSize.height))
      #expect(hypot(found.x - wanted.x, found.y - wanted.y) < 1.5, "\((x, y)): \(found) instead of \(wanted)")
    }
    // Nothing of the outside shows, so nothing need be transparent.
    #expect(shown.outside == .clamp)
  }

  @Test("A whole picture that is only straightened is cropped as Straighten does it")
  func straightenedOnly() throws {
    // Lightroom's largest crop of the photo's proportions: scale = 1 / (cos + sin · w/h) of each side, turned.
    let (w, h, angle) = (1200.0, 800.0, 5.0 * .pi / 180)
    let scale = 1 / (cos(angle) + sin(angle) * w / h)
    let (halfWidth, halfHeight) = (scale * w / 2, scale * h / 2)
    // Its corner (right, bottom), turned clockwise with the rectangle.
    let x = halfWidth * cos(angle) - halfHeight * sin(angle)
    let y = halfWidth * sin(angle) + halfHeight * cos(angle)
    let crop = Crop(
      left: 0.5 - x / w, top: 0.5 - y / h, right: 0.5 + x / w, bottom: 0.5 + y / h, angle: 5)
    let size = PixelSize(width: 1200, height: 800)
    let recipe = try AdobeImport(crop.settings, size: size, orientation: .up, isOwn: true).recipe
    #expect(recipe.filters.count == 1)
    #expect((recipe.filters.first as? Straighten)?.angle == -5)
  }

  @Test(
    "A photo that was turned in Lightroom is turned, where the file is its own",
    arguments: Orientation.allCases)
  func turned(orientation: Orientation) throws {
    let size = PixelSize(width: 30, height: 20)
    let packet = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:t="http://ns.adobe.com/tiff/1.0/"
        xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/"><rdf:Description t:Orientation="8" c:Exposure2012="0"/></rdf:RDF>
      """
    let settings = try AdobeSettings(packet: Array(packet.utf8), file: "a.xmp", isSidecar: true)
    let own = try AdobeImport(settings, size: size, orientation: orientation, isOwn: true).recipe
    #expect(try Self.geometry(own, size, orientation) == Geometry(orientation: .left, size: size))
    #expect(
      try AdobeImport(settings, size: size, orientation: orientation, isOwn: false).recipe.filters.isEmpty)
  }
}
