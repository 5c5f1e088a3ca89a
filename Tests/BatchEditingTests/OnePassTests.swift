import FilterGraph
import LibraryTestSupport
import Safelight
import Synchronization
import Testing
import Libc

/// A filter of colour that counts how often it is lowered.
private struct CountedFilter: Filter {
  static let id: FilterID = "counted"
  static let phase = FilterPhase.color
  static let summary = "Counts"
  static let parameters: [Parameter] = []

  final class Counter: Sendable {
    let count = Mutex(0)
  }
  let counter: Counter

  init() { counter = Counter() }
  func lower(into plan: inout PlanBuilder) throws {
    counter.count.withLock { $0 += 1 }
    plan.oklabChroma(1.3)
  }
  static func == (a: Self, b: Self) -> Bool { a.counter === b.counter }
  var count: Int { counter.count.withLock { $0 } }
}

@Suite("A photo of a batch is opened and lowered once")
struct OnePassTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.makeFolder("in")
  }

  /// More than is read of a file for its header.
  private func writeLargeJPEG(to path: String) throws {
    let picture = try PixelBuffer(size: PixelSize(width: 900, height: 700), format: .rgba8)
    var random = SystemRandomNumberGenerator()
    for y in 0..<700 {
      let row = picture.row(y, as: UInt8.self)
      for x in 0..<3600 { row[x] = x % 4 == 3 ? 255 : UInt8.random(in: .min ... .max, using: &random) }
    }
    try picture.write(to: path, quality: 100)
    #expect(try FileContents.read(path).count > 600 << 10)
  }

  private func run(
    _ name: String, _ settings: LocalBatchEditor.Settings, into folder: String = "out"
  ) throws -> BatchReport {
    let options = BatchRun.Options(
      naming: BatchNaming(template: try NameTemplate("{stem}{ext}")), edit: { _ in "" }, jobs: 2)
    return try BatchRun(to: scratch(folder), options) { LocalBatchEditor(settings) }
      .run([BatchInputs.Photo(path: scratch("in/" + name))])
  }

  @Test("with a recipe, and comes out as alone", arguments: ["a.jpg", "large.jpg", "a.png", "a.tif"])
  func recipe(name: String) throws {
    let path = scratch("in/" + name)
    if name == "large.jpg" {
      try writeLargeJPEG(to: path)
    } else {
      try makePicture(90, 70).write(to: path)
    }
    let (opened, filter) = (try OpenCounter(path), CountedFilter())
    let recipe = Recipe(filters: [Straighten(2), Exposure(stops: 0.3), filter])
    let report = try run(name, LocalBatchEditor.Settings(export: PhotoExport()) { _ in recipe })
    #expect(report.count(.done) == 1, "\(report.entries)")
    #expect(opened.take() == 1)
    #expect(filter.count == 1)
    _ = try PhotoExport().run(path, through: recipe, to: scratch("alone-" + name))
    #expect(try scratch.read("alone-" + name) == scratch.read("out/" + name))
    #expect(filter.count == 2 && opened.take() == 1)
  }

  @Test(
    "with values that are found in it, and comes out as alone", arguments: ["a.jpg", "large.jpg", "a.png"])
  func found(name: String) throws {
    let path = scratch("in/" + name)
    if name == "large.jpg" {
      try writeLargeJPEG(to: path)
    } else {
      try makePicture(90, 70).write(to: path)
    }
    let (opened, filter) = (try OpenCounter(path), CountedFilter())
    let recipe = Recipe(filters: [filter, Crop(.square)])
    let found = Mutex(Recipe())
    let settings = LocalBatchEditor.Settings(
      export: PhotoExport(),
      finding: { photo in
        let sample = try PhotoSample(photo)
        let values = try AutoValues(sample, finding: Set(AutoValues.Kind.allCases), joining: recipe)
        // A photo without a horizon is turned too.
        let turned = AutoStraightening(sample, joining: recipe).joined(to: recipe)
        let all = turned.then(Recipe(filters: values.filters + [Straighten(1.5)]))
        found.withLock { $0 = all }
        return (all, nil)
      }
    ) { _ in recipe }
    let report = try run(name, settings)
    #expect(report.count(.done) == 1, "\(report.entries)")
    #expect(opened.take() == 1)
    #expect(filter.count == 1)
    _ = try PhotoExport().run(path, through: found.withLock { $0 }, to: scratch("alone-" + name))
    #expect(try scratch.read("alone-" + name) == scratch.read("out/" + name))
  }

  @Test("and planned once where the finding leaves the recipe as it is")
  func unfound() throws {
    let path = scratch("in/a.jpg")
    try makePicture(90, 70).write(to: path)
    let filter = CountedFilter()
    let recipe = Recipe(filters: [filter, Exposure(stops: 0.5)])
    var settings = LocalBatchEditor.Settings(export: PhotoExport(), finding: { _ in nil }) { _ in recipe }
    let looked = try run("a.jpg", settings, into: "looked")
    #expect(looked.count(.done) == 1 && filter.count == 1, "\(looked.entries), \(filter.count)")
    settings.looksAtPixels = false
    let report = try run("a.jpg", settings)
    #expect(report.count(.done) == 1 && filter.count == 2, "\(report.entries), \(filter.count)")
    _ = try PhotoExport().run(path, through: recipe, to: scratch("alone.jpg"))
    for folder in ["looked", "out"] {
      #expect(try scratch.read("alone.jpg") == scratch.read(folder + "/a.jpg"), "\(folder)")
    }
  }

  @Test("with an edit beside it, for which its contents are compared")
  func sidecar() throws {
    let path = scratch("in/a.jpg")
    try makePicture(90, 70).write(to: path)
    let sidecar = RecipeSidecar(
      recipe: Recipe(filters: [Exposure(stops: 0.4)]), photo: try FileFingerprint(contentsOf: path))
    try scratch.write(try sidecar.json(), to: "in/a.jpg" + RecipeSidecar.suffix)
    let opened = try OpenCounter(path)
    let settings = LocalBatchEditor.Settings(export: PhotoExport()) { try RecipeSidecar.recipe(for: $0) }
    #expect(try run("a.jpg", settings).count(.done) == 1)
    #expect(opened.take() == 1)

    try makePicture(90, 71).write(to: path, overwrite: true)
    let changed = try run("a.jpg", settings, into: "again")
    #expect(changed.entries.first?.reason?.hasPrefix("\(path) has changed since its edit was made") == true)
  }

  @Test("unless it is modified while it waits: then it is edited as it is by now")
  func modified() throws {
    let path = scratch("in/a.png")
    try makePicture(90, 70).write(to: path)
    let editor = LocalBatchEditor(.init(export: PhotoExport()) { _ in Recipe(filters: [Exposure(stops: 1)]) })
    let photo = try editor.open(path)
    try makePicture(40, 30).write(to: scratch("other.png"))
    let bytes = try scratch.read("other.png")
    let file = try #require(fopen(path, "w"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    let result = try photo.edit(to: scratch("b.png"), overwrite: false)
    #expect(result.width == 40 && result.height == 30)
    #expect(photo.examination.width == 90)
  }

  @Test("and stays what it was examined as when another file takes its name")
  func replaced() throws {
    let path = scratch("in/a.png")
    try makePicture(90, 70).write(to: path)
    let editor = LocalBatchEditor(.init(export: PhotoExport()) { _ in Recipe(filters: [Exposure(stops: 1)]) })
    let photo = try editor.open(path)
    // Written beside it and renamed.
    try makePicture(40, 30).write(to: path, overwrite: true)
    let result = try photo.edit(to: scratch("b.png"), overwrite: false)
    #expect(result.width == 90 && result.height == 70)
  }
}
