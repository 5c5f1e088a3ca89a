import LibraryTestSupport
import FoundationEssentials
import Safelight
import Testing

@testable import Sidecars

/// The JSON of edits beside photos is an interface: it is compared with a recorded example.
@Suite("Reports of edits beside photos")
struct SidecarReportTests {
  private func sample() -> RecipeSidecar {
    var sidecar = RecipeSidecarTests.sample()
    sidecar.engine = "1.2.3"
    return sidecar
  }

  @Test("An edit, one that was imported, one that was removed, and none are those recorded")
  func recorded() throws {
    var imported = SidecarReport("b.jpg", sample(), flags: nil, isPhotoChanged: true)
    var settings = ImportedSettings()
    settings.exact = [ImportedSettings.Setting(name: "Exposure2012", value: "+0.35")]
    settings.approximate = [ImportedSettings.Setting(name: "Contrast2012", value: "+10")]
    settings.ignored = [
      ImportedSettings.Setting(name: "Temperature", value: "5200", reason: "relative to the camera's own")
    ]
    imported.imported = settings
    var removed = sample()
    removed.recipe = nil
    removed.history = [
      RecipeSidecar.Change(
        time: "2026-11-21T12:22:00Z", action: .cleared, replaced: Recipe { Exposure(stops: 0.3) },
        photo: FileFingerprint(bytes: 34, hash: String(repeating: "1e", count: 16)))
    ]
    try expectRecorded(
      [
        SidecarReport("a.jpg", sample(), flags: "--crop 4:5 --saturation -20"), imported,
        SidecarReport("c.jpg", removed, flags: nil), SidecarReport("d.jpg", nil, flags: nil),
      ], as: "sidecars")
  }

  @Test("Marks are those recorded, and are read back")
  func marks() throws {
    let reports = [
      MarkReport("a.jpg", PhotoMark(rating: 4, flag: .pick, color: .green)), MarkReport("b.jpg", .neutral),
    ]
    try expectRecorded(reports, as: "marks")
    #expect(try JSONDecoder().decode([MarkReport].self, from: Data(reports.json().utf8)) == reports)
  }

  @Test("A program reads the edit back as a recipe")
  func decoding() throws {
    let sidecar = sample()
    let report = SidecarReport("a.jpg", sidecar, flags: "--exposure 1", isPhotoChanged: true)
    let read = try JSONDecoder().decode(SidecarReport.self, from: Data(report.jsonLine().utf8))
    #expect(read.contents?.recipe?.json() == sidecar.recipe?.json())
    #expect(try read.contents?.json() == sidecar.json())
    #expect(read.file == "a.jpg" && read.flags == "--exposure 1" && read.isPhotoChanged)
    #expect(read.imported == nil)
  }

  @Test("A recipe with an unknown filter is refused by its place")
  func unknownFilter() throws {
    let text = try SidecarReport("a.jpg", sample(), flags: nil).jsonLine()
    let wrong = text.replacing("\"filter\":\"crop\"", with: "\"filter\":\"crip\"")
    #expect(wrong != text)
    #expect {
      try JSONDecoder().decode(SidecarReport.self, from: Data(wrong.utf8))
    } throws: { error in
      "\(error)".hasPrefix(
        "the edit of a.jpg: recipe: filters[0]: Unknown filter “crip”; did you mean “crop”?")
    }
  }
}
