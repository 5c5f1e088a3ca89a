import LibraryTestSupport
import Safelight
import Testing

@testable import Sidecars

@Suite("Importing looks as presets")
struct PresetImportTests {
  private let scratch: Scratch
  private let folder: PresetFolder

  init() throws {
    scratch = try Scratch()
    folder = PresetFolder(path: scratch("config/presets"))
  }

  private func xmp(_ name: String, _ group: String, stops: Double) -> [UInt8] {
    func alt(_ tag: String, _ text: String) -> String {
      "<crs:\(tag)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(text)</rdf:li></rdf:Alt></crs:\(tag)>"
    }
    return AdobeSettingsTests.packet("crs:Exposure2012=\"\(stops)\"", alt("Name", name) + alt("Group", group))
  }

  @Test("A folder gives all in it, named as in their files, and nothing twice")
  func all() throws {
    try scratch.makeFolder("in/deep")
    try scratch.write(xmp("Soft", "Film A", stops: 0.5), to: "in/a.xmp")
    try scratch.write(xmp("Soft", "Film B", stops: 1), to: "in/deep/b.xmp")
    try scratch.write(xmp("B/W", "", stops: -1), to: "in/deep/c.XMP")
    try scratch.write(LookSeeds.bytes("good-all.dtstyle"), to: "in/d.dtstyle")
    try scratch.write("x", to: "in/readme.txt")
    try scratch.write(#"{"name": "another program's"}"#, to: "in/package.json")
    var importing = PresetImport(into: folder)
    let files = try PresetImport.files(of: [scratch("in")])
    #expect(files.count == 4)
    let reports = try files.map { try importing.add($0) }
    #expect(reports.map(\.preset).sorted() == ["b-w", "dusk-dawn", "film-b-soft", "soft"])
    #expect(reports.allSatisfy { $0.keeping == .new })
    #expect(folder.ids == ["b-w", "dusk-dawn", "film-b-soft", "soft"])
    let grey = try #require(reports.first { $0.preset == "b-w" })
    #expect(grey.notes == ["“B/W” is kept as “B-W”: names have no “/” and at most 64 characters"])
    #expect(try folder.preset("soft").labels == RecipeLabels(family: "film-a", tags: ["lightroom"]))
    // Once more: what is there is the same.
    #expect(try files.map { try importing.add($0).keeping } == Array(repeating: .unchanged, count: 4))
  }

  @Test("A different preset is replaced only where that is asked for")
  func replaced() throws {
    try folder.save(Recipe { Contrast(30) }, as: "Soft")
    try scratch.write(xmp("Soft", "", stops: 1), to: "a.xmp")
    var importing = PresetImport(into: folder)
    let error = #expect(throws: SafelightError.self) { try importing.add(scratch("a.xmp")) }
    #expect(error?.code == .exists)
    #expect(error?.problem.hasSuffix("a.xmp: There is another preset of your own named soft") == true)
    #expect(try folder.preset("soft").recipe.filters.first is Contrast)
    importing.overwrite = true
    #expect(try importing.add(scratch("a.xmp")).keeping == .replaced)
    #expect(try folder.preset("soft").recipe.filters.first is Exposure)
    // The name of a shipped preset stays its own.
    try scratch.write(xmp("Noir", "", stops: 1), to: "b.xmp")
    let shipped = #expect(throws: SafelightError.self) { try importing.add(scratch("b.xmp")) }
    #expect(shipped?.problem.hasSuffix("noir is a preset that ships with Safelight") == true)
    #expect(try importing.add(scratch("b.xmp"), as: "My Noir").preset == "my-noir")
  }

  @Test(
    "A recipe comes with copies of its tables, and one that names a missing table is refused by both names")
  func tables() throws {
    try scratch.makeFolder("in")
    try scratch.write("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n", to: "in/half.cube")
    let json =
      #"{"safelight": 1, "name": "Half", "filters": [{"filter": "crop", "region": "1:1"}, {"filter": "lut", "file": "half.cube"}]}"#
    try scratch.write(json, to: "in/half.json")
    var importing = PresetImport(into: folder)
    let report = try importing.add(scratch("in/half.json"))
    #expect(report.preset == "half" && report.program == .safelight)
    let lut = try #require(folder.preset("half").recipe.filters.first as? LUT)
    // In the folder, not where it came from.
    #expect(lut.file.hasPrefix(folder.path + "/half-") && lut.table != nil)
    try scratch.write(json.replacing("half.cube", with: "gone.cube"), to: "in/gone.json")
    let error = #expect(throws: SafelightError.self) { try importing.add(scratch("in/gone.json")) }
    #expect(
      error?.description.contains("gone.json") == true && error?.description.contains("gone.cube") == true)
    #expect(folder.ids == ["half"])
  }

  @Test("Looks of a series that differ by + and - stay apart, and a name that is written twice is read")
  func series() throws {
    try scratch.makeFolder("in")
    for (index, name) in ["Film", "Film +", "Film ++", "Film -", "Film - -", "Film - Soft"].enumerated() {
      try scratch.write(xmp(name, "", stops: Double(index) / 4), to: "in/\(index).xmp")
    }
    let twice = String(decoding: xmp("Twice", "", stops: 2), as: UTF8.self)
      .replacing("crs:Exposure2012", with: "crs:Name=\"Once\" crs:Exposure2012")
    try scratch.write(twice, to: "in/9.xmp")
    try scratch.write(xmp("Film", "", stops: 0.5), to: "in/0.xmp")
    var importing = PresetImport(into: folder, overwrite: true)
    for file in try PresetImport.files(of: [scratch("in")]) { try importing.add(file) }
    #expect(
      folder.ids == [
        "film", "film-minus", "film-minus-minus", "film-plus", "film-plus-plus", "film-soft", "twice",
      ])
    #expect(try folder.preset("film-plus-plus").name == "Film ++")
    // What was imported by the same run is not replaced by another of its name.
    try scratch.write(xmp("Film", "", stops: 3), to: "6.xmp")
    #expect(throws: SafelightError.self) { try importing.add(scratch("6.xmp")) }
  }

  @Test("Renaming keeps the look, its tables and its labels, and takes no name that is taken")
  func renamed() throws {
    try folder.save(table: Array("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n".utf8), as: "Old Slide")
    try folder.save(Recipe { Exposure(stops: 1) }, as: "Other")
    let before = try #require(folder.preset("old-slide").recipe.filters.first as? LUT)
    let renamed = try folder.rename("old-slide", to: "New Slide")
    #expect(renamed.id == "new-slide" && renamed.name == "New Slide" && folder.ids == ["new-slide", "other"])
    #expect((renamed.recipe.filters.first as? LUT)?.fileContents == before.fileContents)
    #expect(try folder.rename("new-slide", to: "NEW slide!").name == "NEW slide!")
    for name in ["Other", "Noir", "a/b", ""] {
      #expect(throws: SafelightError.self, "\(name)") { try folder.rename("new-slide", to: name) }
    }
    let unknown = #expect(throws: SafelightError.self) { try folder.rename("old-slide", to: "X") }
    #expect(unknown?.problem.contains("old-slide") == true)
    #expect(folder.ids == ["new-slide", "other"])
  }

  @Test("Ten megabytes of history are read in bounded time, and far more are refused with what to do")
  func history() throws {
    let step =
      #"<rdf:li stEvt:action="saved" stEvt:instanceID="xmp.iid:0123456789abcdef" stEvt:when="2026-11-27T12:00:00+01:00" "#
      + #"stEvt:changed="/metadata">\#(String(repeating: "history ", count: 40))</rdf:li>"#
    func packet(_ steps: Int) -> [UInt8] {
      Array(
        #"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" "#
          .utf8)
        + Array(
          #"xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#">"#
            .utf8)
        + Array(#"<rdf:Description crs:Exposure2012="1"><xmpMM:History><rdf:Seq>"#.utf8)
        + Array(repeating: Array(step.utf8), count: steps).flatMap { $0 }
        + Array("</rdf:Seq></xmpMM:History></rdf:Description></rdf:RDF>".utf8)
    }
    let large = packet(22_000)
    #expect(large.count > 10_000_000)
    var look: ImportedLook?
    let time = try ContinuousClock().measure { look = try ImportedLook(large, file: "a.xmp") }
    #expect(look?.recipe.filters.count == 1)
    #expect(time < .seconds(10), "\(time)")
    let error = #expect(throws: SafelightError.self) { try ImportedLook(packet(60_000), file: "a.xmp") }
    #expect(error?.code == .tooLarge && error?.remedy.contains("history") == true)
  }
}
