import LibraryTestSupport
import Safelight
import Testing

@Suite("Examples of the library")
struct LibraryExampleTests {
  /// README's example. `shown` compares the lines between the two marks.
  private func example() async throws {
    // example begins
    let look = try Recipe {
      WhiteBalance(temperature: 7400)
      Exposure(stops: 0.3)
      try LUT(contentsOf: "safelight:luts/golden-hour.cube", strength: 60)
      Crop(.proportions(width: 4, height: 5))
    }
    let photo = try Photo(contentsOf: "harbour.jpg")
    let edited = try await CPURenderer().render(photo, through: look)
    try edited.write(to: "harbour-edited.jpg")

    let before = try await CPURenderer().render(photo, through: look.geometryOnly)
    try Comparison(before, edited, layout: .split(at: 0.5)).write(to: "before-after.jpg")
    // example ends
  }

  /// README's example of live frames.
  private func liveExample() async throws {
    // live example begins
    let output = VideoDataOutput(lateFrames: .discard(keepingNewest: 1))
    let session = CaptureSession()
    try await session.configure {
      try $0.add(DeviceInput(CaptureDevice.camera()))
      try $0.add(output)
    }
    try await session.start()
    for await frame in output.frames {
      print(frame.time, frame.buffer.size, "dropped:", output.statistics.dropped)
    }
    // live example ends
  }

  /// The article's example of batches.
  private func batchExample() async throws {
    // batch example begins
    let recipe = try PresetLibrary.preset("warm-film").recipe
    let report = try await Batch(["shoot/"], through: recipe, to: "edited").run()
    print(report.count(.done), "done,", report.count(.failed), "failed")
    // batch example ends
  }

  @Test(
    "The examples of README and of an article compile, and are these",
    arguments: [
      ("README.md", "example"), ("README.md", "live example"),
      ("Sources/Safelight/Safelight.docc/ManyPhotos.md", "batch example"),
    ])
  func shown(_ file: String, _ name: String) throws {
    let source = try packageFile("Tests/SafelightTests/LibraryExampleTests.swift")
    let begin = try #require(source.firstRange(of: "    // \(name) begins\n"))
    let end = try #require(source.firstRange(of: "    // \(name) ends"))
    let lines = source[begin.upperBound..<end.lowerBound].split(
      separator: "\n", omittingEmptySubsequences: false)
    let example = lines.map { String($0.dropFirst(4)) }.joined(separator: "\n")
    let head = file == "README.md" ? "import Safelight\n\n" : ""
    #expect(try packageFile(file).contains("```swift\n\(head)\(example)```"))
  }

  @Test("What the example does, in a folder of its own")
  func works() async throws {
    let scratch = try Scratch()
    try makePhoto(makePicture(200, 150)).write(to: scratch("harbour.jpg"))
    let look = try Recipe {
      WhiteBalance(temperature: 7400)
      Exposure(stops: 0.3)
      try LUT(contentsOf: "safelight:luts/golden-hour.cube", strength: 60)
      Crop(.proportions(width: 4, height: 5))
    }
    let photo = try Photo(contentsOf: scratch("harbour.jpg"))
    let edited = try await CPURenderer().render(photo, through: look)
    try edited.write(to: scratch("harbour-edited.jpg"))
    let before = try await CPURenderer().render(photo, through: look.geometryOnly)
    try Comparison(before, edited, layout: .split(at: 0.5)).write(to: scratch("before-after.jpg"))

    let size = PixelSize(width: 120, height: 150)
    #expect(try PhotoHeader.read(scratch("harbour-edited.jpg")).size == size)
    #expect(try PhotoHeader.read(scratch("before-after.jpg")).size == size)
    // Warmer and brighter in the middle.
    #expect(pixel(edited.buffer, 60, 75)[0] > pixel(before.buffer, 60, 75)[0] + 10)
  }

  @Test("The table of filters in docs is the catalog")
  func filterTable() throws {
    let page = try packageFile("docs/filters.md")
    for filter in FilterCatalog.all {
      let flags = filter.parameters.compactMap { parameter in
        parameter.flag.map { "`--\($0)`" }
      }
      #expect(page.contains("| \(filter.id.name) | \(flags.joined(separator: " ")) | "), "\(filter.id)")
    }
  }
}
