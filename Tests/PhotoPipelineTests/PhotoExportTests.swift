import LibraryTestSupport
import Safelight
import Testing

@Suite("Exports")
struct PhotoExportTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let size: PixelSize
    var orientation = Orientation.up
    var format = PixelFormat.rgba8
    var alpha = AlphaMode.opaque
    let recipe: Recipe

    init(
      _ description: String, _ width: Int, _ height: Int, orientation: Orientation = .up,
      format: PixelFormat = .rgba8, alpha: AlphaMode = .opaque, @RecipeBuilder _ recipe: () -> [any Filter]
    ) {
      testDescription = description
      size = PixelSize(width: width, height: height)
      (self.orientation, self.format, self.alpha) = (orientation, format, alpha)
      self.recipe = Recipe(filters: recipe())
    }
  }

  /// Results of 64 rows a band and more than one band: bands are of about half a megapixel, at least 64 rows.
  static let cases = [
    Case("colour only", 8200, 150) { Exposure(stops: 0.3) },
    Case("straightened", 8200, 150) { Straighten(0.4) },
    Case("on its side", 150, 8200, orientation: .right) { Contrast(15) },
    Case("upside down", 8200, 150, orientation: .down) { Saturation(20) },
    Case("a quarter turn and a mirror", 150, 8200) {
      Rotate(.clockwise)
      Flip(.horizontal)
    },
    Case("shrunk", 16_600, 300) { Resize(longEdge: 8200) },
    Case(
      "turned, cropped, shrunk, 16 bits with alpha", 190, 9000, orientation: .left, format: .rgba16,
      alpha: .straight
    ) {
      Straighten(-0.3)
      Crop(.proportions(width: 60, height: 1))
      Resize(longEdge: 8200)
      Exposure(stops: -0.5)
    },
    Case("high enough for a window of rows", 4200, 520) {
      Straighten(0.4)
      Exposure(stops: 0.3)
    },
    Case("rows from the middle of a window", 4200, 560, format: .rgba16) {
      Crop(.rectangle(x: 10, y: 300, width: 4100, height: 140))
    },
    Case("with the light of rows below, sharpened", 4200, 520) {
      Tone(highlights: -50, shadows: 60)
      Clarity(40)
      Sharpen(60)
    },
    Case(
      "with its light, turned, cropped, shrunk, 16 bits with alpha", 190, 9000, orientation: .left,
      format: .rgba16, alpha: .straight
    ) {
      Straighten(-0.3)
      Crop(.proportions(width: 60, height: 1))
      Resize(longEdge: 8200)
      Tone(shadows: 60)
      Vignette(amount: -40)
    },
    Case("with its light, downsampled", 16_600, 300) {
      Resize(longEdge: 8200)
      Clarity(60)
    },
    Case("without noise", 1200, 700) {
      NoiseReduction(luminance: 60, color: 40)
      Tone(shadows: 30)
    },
    Case("small", 5, 3) { WhiteBalance(temperature: 5000) },
  ]

  @Test("A file made in bands has the pixels of a picture rendered whole", arguments: cases)
  func bands(example: Case) throws {
    let scratch = try Scratch()
    let buffer = try makePicture(
      example.size.width, example.size.height, format: example.format, alpha: example.alpha)
    try makePhoto(buffer).write(to: scratch("in.tif"))
    try tagOrientation(example.orientation, of: scratch("in.tif"), in: scratch)
    let photo = try Photo(contentsOf: scratch("in.tif"))
    #expect(photo.orientation == example.orientation)

    let whole = try CPURenderer().render(photo, through: example.recipe).buffer
    for isSequential in [false, true] {
      var export = PhotoExport()
      export.isSequential = isSequential
      export.overwrite = true
      let report = try export.run(
        scratch("in.tif"), through: example.recipe, to: scratch("out.tif"),
        renderer: CPURenderer(threads: isSequential ? 1 : nil))
      #expect(report.outputSize == whole.size)
      #expect(areEqual(try Photo(contentsOf: scratch("out.tif")).buffer, whole))
      #expect(try scratch.names == ["in.tif", "out.tif"])
    }
  }

  @Test(
    "The light of a photo is found whichever decoder reads its file twice", arguments: ["jpg", "png", "tif"])
  func light(format: String) throws {
    let scratch = try Scratch()
    try makePhoto(makePicture(1100, 700)).write(to: scratch("in.\(format)"))
    let recipe = Recipe {
      Tone(highlights: -60, shadows: 70)
      Clarity(60)
      Texture(40)
    }
    let photo = try Photo(contentsOf: scratch("in.\(format)"))
    let whole = try CPURenderer().render(photo, through: recipe).buffer
    for round in 0..<3 {
      var export = PhotoExport()
      export.overwrite = true
      _ = try export.run(scratch("in.\(format)"), through: recipe, to: scratch("out.tif"))
      let out = try Photo(contentsOf: scratch("out.tif")).buffer
      var worst = 0
      for y in 0..<out.height {
        let (a, b) = (out.row(y, as: UInt8.self), whole.row(y, as: UInt8.self))
        for x in a.indices { worst = max(worst, abs(Int(a[x]) - Int(b[x]))) }
      }
      // The proxy of JPEG data is made of a reduced picture.
      #expect(worst <= (format == "jpg" ? 12 : 0), "round \(round): \(worst)")
    }
  }

  /// Sets TIFF's tag 274, which `PhotoWriter` writes as 1, by the bytes.
  private func tagOrientation(_ orientation: Orientation, of path: String, in scratch: Scratch) throws {
    var bytes = try scratch.read("in.tif")
    func number(_ at: Int, _ count: Int) -> Int {
      bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(bytes[0] == 0x49)
    let directory = number(4, 4)
    let entries = (0..<number(directory, 2)).map { directory + 2 + 12 * $0 }
    let entry = try #require(entries.first { number($0, 2) == 274 })
    bytes[entry + 8] = UInt8(orientation.rawValue)
    try scratch.write(bytes, to: "in.tif")
  }

  @Test("A comparison in a file is the comparison of both renderings", arguments: [true, false])
  func comparison(isOriginalGeometry: Bool) throws {
    let scratch = try Scratch()
    let photo = try makePhoto(makePicture(300, 200))
    try photo.write(to: scratch("in.png"))
    let recipe = Recipe {
      Crop(.square)
      Exposure(stops: -1)
    }
    var export = PhotoExport()
    export.comparison = .init(
      layout: .sideBySide, labels: false, geometry: isOriginalGeometry ? .original : .edited)
    let report = try export.run(scratch("in.png"), through: recipe, to: scratch("out.png"))
    let before = try CPURenderer().render(
      photo, through: isOriginalGeometry ? Recipe() : recipe.geometryOnly)
    let after = try CPURenderer().render(photo, through: recipe)
    let expected = try Comparison(before, after, layout: .sideBySide, labels: false).render()
    #expect(report.outputSize == expected.size)
    #expect(areEqual(try Photo(contentsOf: scratch("out.png")).buffer, expected))
  }

  @Test("A comparison shows what the edit alone makes of local light, and what it did not find")
  func litComparison() throws {
    let scratch = try Scratch()
    let picture = try makePhoto(makePicture(700, 500))
    try picture.write(to: scratch("in.png"))
    try picture.write(to: scratch("in.jpg"), quality: 95)
    let recipe = Recipe {
      Clarity(40)
      Dehaze(60)
      Crop(.rectangle(x: 100, y: 50, width: 300, height: 200))
    }
    for name in ["in.png", "in.jpg"] {
      var export = PhotoExport()
      let report = try export.run(scratch(name), through: recipe, to: scratch("\(name)-alone.png"))
      export.comparison = .init(layout: .sideBySide, labels: false)
      let compared = try export.run(scratch(name), through: recipe, to: scratch("\(name)-both.png"))
      #expect(compared.warnings == report.warnings)
      let before = try CPURenderer().render(
        try Photo(contentsOf: scratch(name)), through: recipe.geometryOnly)
      let after = try Photo(contentsOf: scratch("\(name)-alone.png")).buffer
      let expected = try Comparison(before.buffer, after, layout: .sideBySide, labels: false).render()
      #expect(areEqual(try Photo(contentsOf: scratch("\(name)-both.png")).buffer, expected), "\(name)")
    }
  }

  @Test("A comparison keeps to the size that is allowed, or is refused")
  func comparisonSize() throws {
    let scratch = try Scratch()
    try makePhoto(makePicture(30, 20)).write(to: scratch("in.png"))
    var export = PhotoExport()
    export.comparison = .init(layout: .sideBySide)
    for size in [PixelSize(width: 20, height: 20), PixelSize(width: 4, height: 1)] {
      export.maximumSize = size
      let report = try export.run(
        scratch("in.png"), through: Recipe(), to: scratch("\(size.width).png"))
      #expect(report.outputSize.fits(into: size), "\(report.outputSize)")
    }
    export.maximumSize = PixelSize(width: 3, height: 3)
    #expect(
      message { _ = try export.run(scratch("in.png"), through: Recipe(), to: scratch("out.png")) }
        == "Before and after side by side take at least 4×1 pixels, but 3×3 are allowed; allow more, or "
        + "choose another layout.")
    #expect(try !scratch.names.contains("out.png"))
  }

  @Test("Damage in the middle of the source leaves nothing, and the output's file as it was")
  func damage() throws {
    let scratch = try Scratch()
    try makePhoto(makePicture(2000, 600)).write(to: scratch("in.jpg"), quality: 100)
    try makePhoto(makePicture(2000, 600)).write(to: scratch("in.png"))
    for name in ["in.jpg", "in.png"] {
      let whole = try scratch.read(name)
      try scratch.write(Array(whole[..<(whole.count * 2 / 3)]), to: name)
      try scratch.write("precious", to: "kept.jpg")
      let before = try scratch.names
      for output in ["new.jpg", "new.tif", "kept.jpg"] {
        for comparison in [nil, PhotoExport.ComparisonOptions(layout: .wipe)] {
          var export = PhotoExport()
          export.comparison = comparison
          export.overwrite = true
          let text = message {
            _ = try export.run(
              scratch(name), through: Recipe(filters: [Exposure(stops: 1)]), to: scratch(output))
          }
          #expect(
            text?.contains("end early; copy the file again from its source.") ?? false
              || text?.contains("end early (") ?? false, "\(text ?? "")")
        }
      }
      #expect(try scratch.names == before)
      #expect(try scratch.read("kept.jpg") == Array("precious".utf8))
    }
  }

  @Test("An existing file is refused, unless overwrite is set")
  func overwrite() throws {
    let scratch = try Scratch()
    try makePhoto(makePicture(30, 20)).write(to: scratch("in.png"))
    try scratch.write("precious", to: "out.png")
    var export = PhotoExport()
    #expect(
      message { _ = try export.run(scratch("in.png"), through: Recipe(), to: scratch("out.png")) }
        == "Cannot write \(scratch("out.png")): the file already exists; "
        + "allow overwriting or choose another name.")
    #expect(try scratch.read("out.png") == Array("precious".utf8))
    export.overwrite = true
    _ = try export.run(scratch("in.png"), through: Recipe(), to: scratch("out.png"))
    #expect(try Photo(contentsOf: scratch("out.png")).buffer.width == 30)
  }

  @Test("The report names the steps in their order, and its time holds the longest")
  func report() throws {
    let scratch = try Scratch()
    try makePhoto(makePicture(300, 200)).write(to: scratch("in.png"))
    let report = try PhotoExport().run(
      scratch("in.png"), through: Recipe(filters: [Straighten(3)]), to: scratch("out.jpg"))
    #expect(report.steps.map(\.name) == ["open", "plan", "decode", "render", "encode", "write"])
    #expect(report.steps.allSatisfy { $0.seconds >= 0 && $0.seconds <= report.seconds })
    #expect(report.plan.outputSize == report.outputSize)
    #expect(report.warnings == [])
  }

  @Test("Twenty exports at once do not disturb each other")
  func concurrent() async throws {
    let scratch = try Scratch()
    let recipe = Recipe {
      Straighten(1)
      Exposure(stops: 0.5)
    }
    let photo = try makePhoto(makePicture(200, 150))
    try photo.write(to: scratch("in.png"))
    try export(scratch, recipe, to: "expected.png")
    let folder = scratch.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          _ = try PhotoExport().run("\(folder)/in.png", through: recipe, to: "\(folder)/\(number).png")
        }
      }
      try await group.waitForAll()
    }
    let expected = try scratch.read("expected.png")
    for number in 0..<20 { #expect(try scratch.read("\(number).png") == expected) }
    #expect(try scratch.names.count == 22)
  }

  private func export(_ scratch: Scratch, _ recipe: Recipe, to name: String) throws {
    _ = try PhotoExport().run(scratch("in.png"), through: recipe, to: scratch(name))
  }
}
