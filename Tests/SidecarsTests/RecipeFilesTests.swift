import LibraryTestSupport
import Safelight
import FoundationEssentials
import Testing

/// A second filter with a file: multiplies by its first byte / 100. It keeps nothing of what it has loaded but that number,
/// and does not tell it.
private struct Gain: Filter {
  static let id: FilterID = "gain"
  static let phase = FilterPhase.color
  static let summary = "Multiplies by a number from a file"
  static let parameters = [
    Parameter(file: \Gain.source, "source", extensions: ["gain"], flag: nil, "The file")
  ]
  var source = ""
  var factor: Double?

  init() {}
  init(_ source: String) { self.source = source }
  mutating func loadFiles(from files: FilterFiles) throws {
    factor = try Double(files.read(source).first ?? 0) / 100
  }
  func lower(into plan: inout PlanBuilder) throws {
    guard let factor else { return }
    plan.matrix(.diagonal(SIMD3(repeating: factor)))
  }
}

/// A filter that holds filters.
private struct Holder: Filter {
  static let id: FilterID = "holder"
  static let phase = FilterPhase.color
  static let summary = "Does what the filters that it holds do"
  static let holdsFilters = true
  static let parameters: [Parameter] = []
  var nestedFilters: [any Filter] = []

  init() {}
  init(_ filters: any Filter...) { nestedFilters = filters }
  static func == (a: Holder, b: Holder) -> Bool {
    Recipe(filters: a.nestedFilters) == Recipe(filters: b.nestedFilters)
  }
  func lower(into plan: inout PlanBuilder) throws {
    for filter in nestedFilters { try filter.lower(into: &plan) }
  }
}

@Suite("Files that recipes name, in filters of any kind")
struct RecipeFilesTests {
  private static var catalog: FilterCatalog {
    get throws { try FilterCatalog.standard.adding(Gain.self, Holder.self) }
  }
  /// Halves encoded values.
  private static let table = "LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n"
  private static let json = """
    {"safelight": 1, "filters": [{"filter": "gain", "source": "files/a.gain"},
      {"filter": "holder", "filters": [{"filter": "lut", "file": "files/t.cube"},
        {"filter": "holder", "filters": [{"filter": "gain", "source": "files/b.gain"}]}]}]}
    """

  /// A recipe `r.json` with three files beside it, and a photo.
  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.makeFolder("files")
    try scratch.write([50], to: "files/a.gain")
    try scratch.write([80], to: "files/b.gain")
    try scratch.write(Self.table, to: "files/t.cube")
    try scratch.write(Self.json, to: "r.json")
    try makePhoto(makePicture(40, 30)).write(to: scratch("a.png"))
    return scratch
  }

  private func read(_ scratch: Scratch) throws -> Recipe {
    try Recipe(contentsOf: scratch("r.json"), catalog: Self.catalog)
      .locatingFiles(besideRecipe: scratch("r.json"))
  }

  private func factors(_ recipe: Recipe) -> [Double?] {
    recipe.allFilters.compactMap { $0 as? Gain }.map(\.factor)
  }

  @Test("Files are located beside the recipe, loaded, and named absolutely")
  func located() throws {
    let scratch = try makeFolder()
    let recipe = try read(scratch)
    #expect(recipe.files.map(\.name) == ["a.gain", "t.cube", "b.gain"].map { scratch("files/" + $0) })
    #expect(recipe.files.map(\.filterNumber) == [[1], [2, 1], [2, 2, 1]])
    #expect(factors(recipe) == [0.5, 0.8])
    #expect(recipe.allFilters.contains { ($0 as? LUT)?.table != nil })

    let roundabout = recipe.mapFiles { $0.replacing("/files/", with: "/files/../files/") }
    let absolute = roundabout.namingFilesAbsolutely.files.map(\.name)
    #expect(absolute.allSatisfy { $0.hasPrefix("/") && !$0.contains("..") })
    #expect(absolute.map { $0.suffix(13) } == ["/files/a.gain", "/files/t.cube", "/files/b.gain"])
    // What is not found, or ships, keeps its name.
    let kept = Recipe { Holder(Gain("none.gain"), Gain("safelight:luts/noir.cube")) }
    #expect(kept.namingFilesAbsolutely.files.map(\.name) == ["none.gain", "safelight:luts/noir.cube"])
  }

  @Test("An edit beside a photo names files relative to it, and they move along with it")
  func sidecar() throws {
    let scratch = try makeFolder()
    try scratch.makeFolder("shoot")
    try scratch.makeFolder("elsewhere")
    for name in ["files", "r.json", "a.png"] {
      try FileManager.default.moveItem(atPath: scratch(name), toPath: scratch("shoot/" + name))
    }
    try scratch.write([30], to: "elsewhere/c.gain")
    let catalog = try Self.catalog
    let photo = scratch("shoot/a.png")
    let own = try Recipe(contentsOf: scratch("shoot/r.json"), catalog: catalog)
      .locatingFiles(besideRecipe: scratch("shoot/r.json"))
    var foreign = Gain(scratch("elsewhere/c.gain"))
    foreign.factor = 0.3
    let saved = try RecipeSidecar.save(
      own.then(Recipe { Holder(foreign) }), forPhoto: photo, .set, catalog: catalog)
    let names = saved.recipe?.files.map(\.name) ?? []
    #expect(names.prefix(3) == ["files/a.gain", "files/t.cube", "files/b.gain"])
    #expect(names.last?.hasPrefix("/") == true && names.last?.hasSuffix("/elsewhere/c.gain") == true)

    try FileManager.default.moveItem(atPath: scratch("shoot"), toPath: scratch("moved"))
    let moved = scratch("moved/a.png")
    let loaded = try RecipeSidecar.recipe(forPhoto: moved, catalog: catalog)
    #expect(factors(loaded) == [0.5, 0.8, 0.3])
    #expect(
      Array(try RecipeSidecar.files(ofPhoto: moved, catalog: catalog).prefix(3))
        == ["a.gain", "t.cube", "b.gain"].map { scratch("moved/files/" + $0) })
    #expect(
      message { _ = try RecipeSidecar.read(forPhoto: moved) }?.contains("Unknown filter “gain”") == true)

    // A file that changes, nested or not, changes the edit.
    func fingerprint() throws -> String {
      try RecipeSidecar.fingerprint(forPhoto: moved, acceptChanged: false, options: [], catalog: catalog)
    }
    var seen = [try fingerprint()]
    for name in ["moved/files/a.gain", "moved/files/b.gain", "elsewhere/c.gain"] {
      try scratch.write([77], to: name)
      seen.append(try fingerprint())
    }
    try scratch.write(Self.table.replacing("0.5", with: "0.4"), to: "moved/files/t.cube")
    seen.append(try fingerprint())
    #expect(Set(seen).count == 5)
  }

  @Test("Another step of the history is kept with its files, and taken back")
  func history() throws {
    let scratch = try makeFolder()
    let (photo, catalog) = (scratch("a.png"), try Self.catalog)
    try RecipeSidecar.save(read(scratch), forPhoto: photo, .set, catalog: catalog)
    try RecipeSidecar.clear(forPhoto: photo, catalog: catalog)
    let undone = try RecipeSidecar.undo(forPhoto: photo, catalog: catalog)
    #expect(undone?.recipe?.files.map(\.name) == ["files/a.gain", "files/t.cube", "files/b.gain"])
  }

  @Test("Files of a shipped preset are portable in any filter, however deep")
  func portable() {
    let recipe = Recipe {
      Gain("../luts/a.gain")
      Holder(Gain("b.gain"), Gain("safelight:luts/c.cube"))
    }
    let names = Preset(id: "test", recipe: recipe).portableRecipe.files.map(\.name)
    #expect(names == ["safelight:luts/a.gain", "safelight:looks/b.gain", "safelight:luts/c.cube"])
  }

  @Test("A batch that goes on makes photos again whose recipe's files have changed", arguments: ["a", "b"])
  func resumed(name: String) async throws {
    let scratch = try makeFolder()
    let recipe = try read(scratch)
    var batch = Batch([scratch("a.png")], through: recipe, to: scratch("out"))
    batch.resumes = true
    batch.conflict = .overwrite
    #expect(try await batch.run().entries.map(\.reason) == [nil])
    let before = try scratch.read("out/a.png")
    #expect(try await batch.run().entries.map(\.reason) == ["done before"])
    try scratch.write([99], to: "files/\(name).gain")
    var again = Batch([scratch("a.png")], through: try read(scratch), to: scratch("out"))
    again.resumes = true
    again.conflict = .overwrite
    #expect(try await again.run().count(.done) == 1)
    #expect(try scratch.read("out/a.png") != before)
  }

  @Test("A snapshot tells the bytes that were used, whatever becomes of the file")
  func snapshot() throws {
    let scratch = try makeFolder()
    let files = FileSnapshot()
    let recipe = try Recipe(contentsOf: scratch("r.json"), in: files, catalog: Self.catalog)
      .locatingFiles(besideRecipe: scratch("r.json"))
    let before = try recipe.fingerprint(options: [], in: files)
    #expect(try recipe.fingerprint(options: []) == before)
    try scratch.write([1], to: "files/b.gain")
    #expect(try recipe.fingerprint(options: [], in: files) == before)
    #expect(try recipe.fingerprint(options: []) != before)
  }

  @Test("Fingerprints count what decides pixels: no names of recipes or files, but all of a table")
  func fingerprints() throws {
    let scratch = try Scratch()
    try scratch.write(Self.table, to: "a.cube")
    try scratch.write(Self.table, to: "b.cube")
    try scratch.write("LUT_1D_SIZE 2\nDOMAIN_MAX 2 2 2\n0 0 0\n0.5 0.5 0.5\n", to: "wide.cube")
    func fingerprint(
      _ name: String, title: String = "", description: String = "", options: [String] = []
    ) throws -> String {
      try Recipe(
        name: title, description: description, filters: [LUT(contentsOf: scratch(name)), Exposure(stops: 1)]
      ).fingerprint(options: options)
    }
    let plain = try fingerprint("a.cube")
    #expect(try fingerprint("a.cube", title: "Noir", description: "Black and white") == plain)
    #expect(try fingerprint("b.cube") == plain)
    #expect(try fingerprint("wide.cube") != plain)
    #expect(try fingerprint("a.cube", options: ["x"]) != plain)
    #expect(try Recipe { Exposure(stops: 1) }.fingerprint(options: []) != plain)
  }

  @Test("Each property of an export that decides the file changes the fingerprint, and no other does")
  func exports() {
    let plain = PhotoExport().fingerprintOptions
    func text(_ change: (inout PhotoExport) -> Void) -> [String] {
      var export = PhotoExport()
      change(&export)
      return export.fingerprintOptions
    }
    let deciding = [
      text { $0.quality = 91 }, text { $0.maximumBytes = 9 }, text { $0.format = .png },
      text { $0.maximumSize = PixelSize(width: 9, height: 9) }, text { $0.colorSpace = .displayP3 },
      text { $0.interpolation = .bilinear }, text { $0.metadata = .strip }, text { $0.copyright = "me" },
      text { $0.comparison = .init(layout: .wipe) }, text { $0.comparison = .init(layout: .split(at: 0.5)) },
      text { $0.comparison = .init(layout: .split(at: 0.4)) },
      text { $0.comparison = .init(layout: .wipe, labels: false) },
      text { $0.comparison = .init(layout: .wipe, geometry: .original) },
    ]
    #expect(Set(deciding + [plain]).count == deciding.count + 1)
    for same in [
      text { $0.overwrite = true }, text { $0.followsLinks = false }, text { $0.isSequential = true },
    ] {
      #expect(same == plain)
    }
  }
}
