import LibraryTestSupport
import Safelight
import Testing

@Suite("Presets as files")
struct PresetExportTests {
  @Test("A recipe is beside copies of its tables, and importing it gives the same look")
  func recipe() throws {
    let scratch = try Scratch()
    let folder = PresetFolder(path: scratch("presets"))
    let own = try folder.save(table: Array("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n".utf8), as: "Half")
    let report = try PresetExport().write(own, to: scratch("out.json"))
    let table = try #require(report.tables.first)
    #expect(report.tables.count == 1 && table.hasPrefix(scratch("out-half-")))
    #expect(!String(decoding: try scratch.read("out.json"), as: UTF8.self).contains(scratch.path))
    var importing = PresetImport(into: PresetFolder(path: scratch("other")))
    let back = try importing.add(scratch("out.json"))
    let look = try PresetFolder(path: scratch("other")).preset(back.preset)
    #expect(look.recipe.filters.count == 1)
    #expect((look.recipe.filters[0] as? LUT)?.fileContents == (own.recipe.filters[0] as? LUT)?.fileContents)
    // Written again, the table is the same; another file is not replaced, and then nothing is written.
    #expect(throws: SafelightError.self) { try PresetExport().write(own, to: scratch("out.json")) }
    #expect(try PresetExport(overwrite: true).write(own, to: scratch("out.json")).tables == report.tables)
    try scratch.write("{}", to: "taken.json")
    #expect(throws: SafelightError.self) { try PresetExport().write(own, to: scratch("taken.json")) }
    #expect(try scratch.names.allSatisfy { !$0.hasPrefix("taken-") && !$0.hasSuffix(".tmp") })
  }

  @Test("The reports of imports and exports are those recorded")
  func recorded() throws {
    let scratch = try Scratch()
    var export = PresetExportReport(preset: "noir", file: "noir.xmp", format: .xmp)
    var settings = ImportedSettings()
    settings.exact = [ImportedSettings.Setting(name: "exposure.stops", value: "0.5")]
    settings.ignored = [ImportedSettings.Setting(name: "fade.amount", value: "20", reason: "none")]
    export.settings = settings
    var table = PresetExportReport(preset: "noir", file: "noir.json", format: .json)
    table.tables = ["noir.cube"]
    try expectRecorded([export, table], as: "preset-exports")
    try scratch.write(
      #"<SL Engine="1300"><E K="Exposure" V="1" /><E K="Contrast" V="5" /><E K="Midtone" V="0;0;0;1" /></SL>"#,
      to: "a.copreset")
    var importing = PresetImport(into: PresetFolder(path: scratch("presets")))
    var report = try importing.add(scratch("a.copreset"))
    (report.file, report.path) = ("a.copreset", "a.json")
    try expectRecorded([report], as: "preset-imports")
  }
}
