import LibraryTestSupport
import Safelight
import FoundationEssentials
import Testing
import Libc

@Suite("Recipes, tables and sheets")
struct LookFileTests {
  @Test("A recipe file of presets/looks is the preset that ships", arguments: PresetLibrary.ids)
  func shippedRecipes(id: String) throws {
    let preset = try PresetLibrary.preset(id)
    let file = try Recipe(contentsOf: "\(packageFolder)/presets/looks/\(id).json")
    #expect(file.json() == preset.recipe.json())
    let photo = try makePhoto(makePicture(40, 30))
    #expect(
      areEqual(
        try CPURenderer().render(photo, through: file).buffer,
        try CPURenderer().render(photo, through: preset.recipe).buffer))
  }

  @Test("A portable recipe is the preset wherever its JSON is saved", arguments: PresetLibrary.ids)
  func portable(id: String) throws {
    let preset = try PresetLibrary.preset(id)
    let scratch = try Scratch()
    try scratch.write(preset.portableRecipe.json(), to: "mine.json")
    let read = try Recipe(contentsOf: scratch("mine.json"))
    let photo = try makePhoto(makePicture(40, 30))
    #expect(
      areEqual(
        try CPURenderer().render(photo, through: read).buffer,
        try CPURenderer().render(photo, through: preset.recipe).buffer))
    #expect(read.json() == preset.portableRecipe.json())
  }

  @Test("Shipped tables are the files of presets/luts")
  func shippedTables() throws {
    let folder = "\(packageFolder)/presets/luts"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(ShippedFiles.tables == files.map { "safelight:luts/" + $0 })
    for name in files {
      #expect(
        try ShippedFiles.contents("safelight:luts/" + name)
          == Array(Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
    }
    #expect(
      message { _ = try ShippedFiles.contents("safelight:luts/vivd.cube") }?
        .hasPrefix(
          "Unknown shipped file “safelight:luts/vivd.cube”; did you mean “safelight:luts/vivid.cube”?")
        ?? false)
  }

  @Test("A table does what its rows say, at its strength and in its encoding")
  func table() throws {
    let scratch = try Scratch()
    // Halves encoded values.
    try scratch.write("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n", to: "half.cube")
    let photo = try makePhoto(makePlain([200, 100, 50]))
    func render(_ lut: LUT) throws -> [Int] {
      Array(pixel(try CPURenderer().render(photo, through: Recipe(filters: [lut])).buffer, 1, 1).prefix(3))
    }
    let path = scratch("half.cube")
    #expect(try render(LUT(contentsOf: path)) == [100, 50, 25])
    #expect(
      zip(try render(LUT(contentsOf: path, strength: 50)), [150, 75, 37.5]).allSatisfy {
        abs(Double($0) - $1) <= 1
      })
    // Half the light: encode(decode(v) / 2) of IEC 61966-2-1 for 200, 100 and 50.
    #expect(
      zip(try render(LUT(contentsOf: path, encoding: .linear)), [146.8, 71.4, 33.4])
        .allSatisfy { abs(Double($0) - $1) <= 1 })
  }

  @Test("Files that cannot be read are errors that name them")
  func unreadable() throws {
    let scratch = try Scratch()
    #expect(
      message { _ = try LUT(contentsOf: scratch("none.cube")) }
        == "Cannot read \(scratch("none.cube")): there is no such file; check the spelling.")
    #expect(
      message { _ = try Recipe(contentsOf: scratch.path) }
        == "Cannot read \(scratch.path): it is a folder; name a file in it.")
    #expect(
      message { _ = try LUT(contentsOf: scratch("table.vlt")) }
        == "\(scratch("table.vlt")) has no extension of a table of colours; convert the table to .cube or .clf; read are .cube, .3dl, .csp, .look, .clf, .cc, .ccc, .cdl, .icc, .icm, .png, .tif, .tiff."
    )
  }

  @Test("A recipe's table is looked up beside the recipe")
  func relative() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("looks")
    try scratch.makeFolder("tables")
    try scratch.write("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n", to: "tables/half.cube")
    try scratch.write(
      #"{"safelight": 1, "filters": [{"filter": "lut", "file": "../tables/half.cube"}]}"#, to: "looks/r.json")
    let recipe = try Recipe(contentsOf: scratch("looks/r.json"))
    let photo = try makePhoto(makePlain([200, 100, 50]))
    #expect(pixel(try CPURenderer().render(photo, through: recipe).buffer, 1, 1) == [100, 50, 25, 255])
  }

  private static let tableRecipe =
    #"{"safelight": 1, "filters": [{"filter": "lut", "file": "safelight-test.cube"}]}"#

  @Test(
    "A recipe below /dev has its tables beside it too",
    .enabled(if: access("/dev/shm", W_OK) == 0, "there is no /dev/shm that may be written to"))
  func sharedMemory() throws {
    let folder = "/dev/shm/safelight-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileContents.write(
      Array("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n".utf8), to: folder + "/safelight-test.cube")
    try FileContents.write(Array(Self.tableRecipe.utf8), to: folder + "/r.json")
    let recipe = try Recipe(contentsOf: folder + "/r.json")
    let located = recipe.locatingFiles(besideRecipe: folder + "/r.json")
    #expect((located.filters.first as? LUT)?.file == folder + "/safelight-test.cube")
    for path in ["/dev/stdin", "/dev/fd/63", "/proc/self/fd/63", "/proc/1/task/1/fd/63"] {
      #expect(
        (recipe.locatingFiles(besideRecipe: path).filters.first as? LUT)?.file == "safelight-test.cube")
    }
  }

  @Test("Tables of a recipe from a pipe are looked up in the working directory, wherever the pipe is")
  func namedPipe() throws {
    let scratch = try Scratch()
    let pipe = scratch("r.json")
    #expect(mkfifo(pipe, 0o600) == 0)
    try scratch.write("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n", to: "safelight-test.cube")
    // The writer comes only when it is asked for.
    let files = FileSnapshot { _ in
      let writer = open(pipe, O_WRONLY | O_NONBLOCK)
      _ = Array(Self.tableRecipe.utf8).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
      close(writer)
    }
    let error = #expect(throws: SafelightError.self) { _ = try Recipe(contentsOf: pipe, in: files) }
    #expect(
      error?.problem.hasSuffix("Cannot read safelight-test.cube: there is no such file") == true,
      "\(error?.problem ?? "")")
  }

  @Test("A sheet shows the original and every look, captioned; at strength 0 all are alike")
  func sheet() throws {
    let photo = try makePhoto(makePicture(30, 20), orientation: .right)
    let upright = try CPURenderer().render(photo, through: Recipe()).buffer
    let captions = ["Original"] + (try PresetLibrary.byFamily().map(\.name))
    let expected = try ContactSheet(captions.map { ContactSheet.Cell(upright, caption: $0) }).render()
    #expect(areEqual(try PresetSheet.render(photo, strength: 0), expected))
    let full = try PresetSheet.render(photo)
    #expect(full.size == expected.size)
    #expect(!areEqual(full, expected))
    // The longer edge of each picture is at most what is asked for.
    #expect(try PresetSheet.render(photo, longEdge: 12).width < expected.width)
  }
}
