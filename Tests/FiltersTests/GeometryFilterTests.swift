import FilterGraph
import Filters
import FrameCore
import Testing
import Libc

@Suite("Straighten, resize, rotate and flip")
struct GeometryFilterTests {
  static let sizes = [
    (6000, 4000), (4000, 6000), (1920, 1080), (500, 500), (97, 61), (1000, 3), (2, 700), (1, 1),
  ]
  .map { PixelSize(width: $0.0, height: $0.1) }
  static let angles: [Float] = [-45, -44.9, -30, -7.5, -2, -0.1, -0.001, 0.001, 0.02, 1, 2.3, 10, 29.7, 45]

  /// Whether a centred window of the straightened picture shows nothing from outside it.
  ///
  /// Each corner is turned back about the centre, in the words of trigonometry.
  static func fits(_ window: PixelSize, _ picture: PixelSize, angle: Float) -> Bool {
    let radians = Double(angle) * .pi / 180
    return [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)].allSatisfy { side in
      let (x, y) = (side.0 * Double(window.width) / 2, side.1 * Double(window.height) / 2)
      let length = (x * x + y * y).squareRoot()
      let direction = atan2(y, x) - radians
      return abs(length * cos(direction)) <= Double(picture.width) / 2 + 1e-9
        && abs(length * sin(direction)) <= Double(picture.height) / 2 + 1e-9
    }
  }

  @Test(
    "A straightened picture shows nothing from outside, and could not be a pixel larger", arguments: sizes,
    angles)
  func straighten(size: PixelSize, angle: Float) throws {
    let geometry = try #require(try Straighten(angle).geometry(of: size))
    let output = geometry.outputSize
    #expect(geometry.outside == .clamp)
    // A picture of a few pixels may have no room for one whole turned pixel; one is kept all the same.
    if output.width > 1 && output.height > 1 {
      #expect(Self.fits(output, size, angle: angle), "\(output)")
      let bounds = geometry.inputBounds
      #expect(bounds.minX >= -1e-9 && bounds.maxX <= Double(size.width) + 1e-9)
      #expect(bounds.minY >= -1e-9 && bounds.maxY <= Double(size.height) + 1e-9)
    }
    let larger = PixelSize(width: output.width + 1, height: output.height + 1)
    #expect(!Self.fits(larger, size, angle: angle), "\(larger)")
    // The proportions are the picture's own, to a pixel.
    let scale = Double(size.width) / Double(size.height)
    #expect(abs(Double(output.width) - Double(output.height) * scale) <= 1 + scale)
  }

  @Test("The centre stays the centre, and a positive angle turns the picture clockwise")
  func direction() throws {
    let size = PixelSize(width: 600, height: 400)
    let geometry = try #require(try Straighten(30).geometry(of: size))
    let (w, h) = (Double(geometry.outputSize.width), Double(geometry.outputSize.height))
    let center = geometry.map.apply(w / 2, h / 2)
    #expect(abs(center.x - 300) < 1e-9 && abs(center.y - 200) < 1e-9)
    // What was to the right of the centre is now below the line to the right: (cos 30°, sin 30°) · 100.
    let shown = geometry.map.apply(w / 2 + 86.60254037844386, h / 2 + 50)
    #expect(abs(shown.x - 400) < 1e-9 && abs(shown.y - 200) < 1e-9)
  }

  @Test("Empty corners that a crop takes off leave nothing transparent; those that it leaves do")
  func croppedCorners() throws {
    // Turned by 30°, 600×400 fills the middle of a canvas of 720×647 far beyond 400×200, and no corner.
    for (crop, outside) in [
      (Crop(.rectangle(x: 160, y: 224, width: 400, height: 200)), EdgeMode.clamp),
      (Crop(.rectangle(x: 0, y: 0, width: 400, height: 200)), .transparent),
    ] {
      let recipe = Recipe {
        Straighten(30, corners: .keep)
        crop
      }
      let input = PlanInput(size: PixelSize(width: 600, height: 400))
      let plan = try Plan(recipe, input: input, output: PlanOutput(), optimized: false)
      guard case .geometry(let geometry)? = plan.exactStages.first else {
        Issue.record("\(plan.exactStages)")
        continue
      }
      #expect(geometry.outside == outside)
    }
  }

  @Test("Keeping the corners keeps every pixel, on the smallest canvas", arguments: sizes, angles)
  func keepCorners(size: PixelSize, angle: Float) throws {
    let geometry = try #require(try Straighten(angle, corners: .keep).geometry(of: size))
    #expect(geometry.outside == .transparent)
    let back = geometry.map.inverse
    let (w, h) = (Double(size.width), Double(size.height))
    let corners = [back.apply(0, 0), back.apply(w, 0), back.apply(0, h), back.apply(w, h)]
    let left = corners.map(\.x).min() ?? 0
    let top = corners.map(\.y).min() ?? 0
    // Within a millionth of a pixel, so that rounding adds no empty row, and less than half a pixel of air.
    #expect(left > -1e-5 && left < 0.5 + 1e-5 && top > -1e-5 && top < 0.5 + 1e-5, "\(left), \(top)")
    #expect(abs((corners.map(\.x).max() ?? 0) + left - Double(geometry.outputSize.width)) < 1e-6)
    #expect(abs((corners.map(\.y).max() ?? 0) + top - Double(geometry.outputSize.height)) < 1e-6)
  }

  @Test(
    "Resizing gives the long edge, and the short one in proportion",
    arguments: [
      (6000, 4000, 1500, 1500, 1000), (4000, 6000, 1500, 1000, 1500), (6000, 4000, 1499, 1499, 999),
      (500, 500, 7, 7, 7), (6000, 10, 100, 100, 1), (3, 1000, 100, 1, 100), (600, 400, 1200, 1200, 800),
      (1, 1, 9000, 9000, 9000), (6000, 4000, 1, 1, 1),
    ])
  func resize(width: Int, height: Int, edge: Int, expectedWidth: Int, expectedHeight: Int) throws {
    let size = PixelSize(width: width, height: height)
    let geometry = try #require(try Resize(longEdge: edge).geometry(of: size))
    #expect(geometry.outputSize == PixelSize(width: expectedWidth, height: expectedHeight))
    let bounds = geometry.inputBounds
    #expect(bounds.minX == 0 && bounds.minY == 0)
    #expect(abs(bounds.maxX - Double(width)) < 1e-9 && abs(bounds.maxY - Double(height)) < 1e-9)
  }

  @Test(
    "Resizing also takes a box to fit into and a percentage; both may enlarge",
    arguments: [
      ("1600x1200", 6000, 4000, 1600, 1067), ("1600X1200", 4000, 6000, 800, 1200),
      ("1600×1200", 6000, 10, 1600, 3),
      ("1600x1200", 160, 100, 1600, 1000), ("7x9000", 10_000, 1, 7, 1), ("65535x1", 300, 200, 2, 1),
      ("50%", 6000, 4000, 3000, 2000), ("12.5%", 97, 61, 12, 8), ("200%", 3, 5, 6, 10),
      ("0.01%", 40, 30, 1, 1),
      ("100%", 640, 480, 640, 480), ("2048", 4096, 1024, 2048, 512), ("2048.0", 1024, 4096, 512, 2048),
    ])
  func resizeTexts(text: String, width: Int, height: Int, expectedWidth: Int, expectedHeight: Int) throws {
    let resize = Resize(try Resize.Size(parameterText: text))
    let size = PixelSize(width: width, height: height)
    let output = try resize.geometry(of: size)?.outputSize ?? size
    #expect(output == PixelSize(width: expectedWidth, height: expectedHeight))
    #expect(try Resize.Size(parameterText: resize.size.parameterText) == resize.size)
    let isEnlarged = expectedWidth > width || expectedHeight > height
    #expect(try resize.lowered(size: size).notes.isEmpty == !isEnlarged)
  }

  @Test(
    "What is no size is refused with a sentence that shows how sizes are written",
    arguments: [
      ("soft", "“soft” is not a whole number of pixels"), ("10.5", "“10.5” is not a whole number of pixels"),
      ("x", "“” is not a whole number of pixels"), ("1600x", "“” is not a whole number of pixels"),
      ("-1", "an edge has 1…65535 px"), ("0x20", "an edge has 1…65535 px"),
      ("65536", "an edge has 1…65535 px"),
      ("nan", "“nan” is not a whole number of pixels"), ("1x2x3", "it is neither an edge nor a box"),
      ("%", "a percentage is 0.01…10000"), ("-5%", "a percentage is 0.01…10000"),
      ("nan%", "a percentage is 0.01…10000"), ("1e9%", "a percentage is 0.01…10000"),
    ])
  func resizeMistakes(text: String, why: String) {
    let error = #expect(throws: SafelightError.self) { try Resize.Size(parameterText: text) }
    #expect(
      error?.description
        == "Cannot resize to “\(text)”: \(why); write 2048 for the longer edge, 1600x1200 to fit into, or 50%."
    )
  }

  @Test("Recipes hold sizes as texts or numbers, and those of earlier versions are read")
  func resizeRecipes() throws {
    func size(_ fields: String) throws -> Resize.Size? {
      let json = "{\"safelight\": 1, \"filters\": [{\"filter\": \"resize\", \(fields)}]}"
      let recipe = try Recipe(json: Array(json.utf8), file: "a.json", catalog: .standard) { _ in [] }
      #expect(recipe.json().contains("\"size\""))
      return (recipe.filters.first as? Resize)?.size
    }
    #expect(try size("\"size\": \"50%\"") == .percent(50))
    #expect(try size("\"size\": \"1600x1200\"") == .within(PixelSize(width: 1600, height: 1200)))
    #expect(try size("\"size\": 2048") == .longEdge(2048))
    #expect(try size("\"long-edge\": 2048") == .longEdge(2048))
    let both = #expect(throws: SafelightError.self) { try size("\"size\": 1, \"long-edge\": 2") }
    #expect(both?.description.contains("long-edge") == true)
  }

  @Test("Resizing to the size at hand, or to 0, does nothing; enlarging leaves a note")
  func resizeNotes() throws {
    let size = PixelSize(width: 600, height: 400)
    #expect(try Resize(longEdge: 0).lowered(size: size).stages.isEmpty)
    #expect(try Resize(longEdge: 600).lowered(size: size).stages.isEmpty)
    #expect(try Resize(longEdge: 599).lowered(size: size).notes.isEmpty)
    #expect(
      try Resize(longEdge: 601).lowered(size: size).notes == ["resize enlarges the picture from 600×400"])
  }

  @Test(
    "Turns and mirrors are the orientations of EXIF",
    arguments: [
      (Rotate(.none), .up), (Rotate(.clockwise), .right), (Rotate(.halfTurn), .down),
      (Rotate(.counterclockwise), .left),
      (Flip(.none), .up), (Flip(.horizontal), .upMirrored), (Flip(.vertical), .downMirrored),
    ] as [(any Filter, Orientation)])
  func orientations(filter: any Filter, orientation: Orientation) throws {
    let size = PixelSize(width: 5, height: 3)
    #expect(try filter.geometry(of: size) == Geometry(orientation: orientation, size: size))
  }
}
