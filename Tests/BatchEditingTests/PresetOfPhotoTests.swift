import LibraryTestSupport
import Safelight
import Testing

@testable import BatchEditing

/// Names that tell the preset of each photo, whose edit may get another one between two runs.
@Suite("Results named by the presets of photos")
struct PresetOfPhotoTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.makeFolder("in")
    try scratch.put("photo", to: "in/x.jpg")
  }

  /// What became of x.jpg under a preset, planned and run.
  private func entry(_ preset: String?, _ conflict: BatchConflict = .fail) throws -> BatchReport.Entry {
    var naming = BatchNaming(template: try NameTemplate("{stem}-{preset}{ext}"), conflict: conflict)
    naming.presetOfPhoto = { _ in preset }
    let options = BatchRun.Options(
      naming: naming, edit: { _ in preset ?? "no preset" }, jobs: 1, resumes: true)
    let run = BatchRun(to: scratch("out"), options) { CopyingEditor() }
    let photos = [BatchInputs.Photo(path: scratch("in/x.jpg"))]
    let planned = try run.plan(photos)
    let entry = try #require(try run.run(photos).entries.first)
    #expect(planned.map(\.output) == [entry.output])
    return entry
  }

  private func exists(_ name: String) -> Bool { FileContents.isRegular(scratch("out/\(name)")) }

  @Test("Under another preset a photo gets another name, and keeps the result of the one before")
  func otherPreset() throws {
    let names: [(String?, String)] = [
      ("noir", "x-noir.jpg"), ("faded", "x-faded.jpg"), (nil, "x-edited.jpg"),
    ]
    for (preset, name) in names {
      let first = try entry(preset)
      #expect(first.status == .done && first.output == name, "\(first)")
      let second = try entry(preset)
      #expect(second.status == .skipped && second.reason == "done before" && second.output == name)
    }
    #expect(exists("x-noir.jpg") && exists("x-faded.jpg") && exists("x-edited.jpg"))
    let again = try entry("noir")
    #expect(again.status == .skipped && again.output == "x-noir.jpg", "\(again)")
  }

  @Test("A number that a name was given is kept for its preset")
  func numbered() throws {
    try scratch.makeFolder("out")
    try scratch.put("mine", to: "out/x-faded.jpg")
    #expect(try entry("noir", .rename).output == "x-noir.jpg")
    for status in [BatchReport.Status.done, .skipped] {
      let faded = try entry("faded", .rename)
      #expect(faded.status == status && faded.output == "x-faded-2.jpg", "\(faded)")
      let noir = try entry("noir", .rename)
      #expect(noir.status == .skipped && noir.output == "x-noir.jpg", "\(noir)")
    }
    #expect(!exists("x-faded-3.jpg") && !exists("x-noir-2.jpg"))
    #expect(try scratch.read("out/x-faded.jpg") == Array("mine".utf8))
  }

  @Test("A journal of an earlier version, which did not tell presets apart, keeps no name")
  func earlierJournal() throws {
    try scratch.makeFolder("out")
    do {
      let journal = try BatchJournal(in: scratch("out"))
      try journal.write(
        .named(
          output: "x-noir.jpg", input: scratch("in/x.jpg"), naming: "{stem}-{preset}{ext}\u{1F}keep\u{1F}"))
    }
    #expect(try entry(nil).output == "x-edited.jpg")
    #expect(try entry("faded").output == "x-faded.jpg")
  }

  @Test("Names without the preset stay, whatever it is")
  func namesWithoutPreset() throws {
    for preset in ["noir", "faded"] {
      var naming = BatchNaming(template: try NameTemplate("{stem}{ext}"))
      naming.presetOfPhoto = { _ in preset }
      #expect(naming.rules(of: "x.jpg") == "{stem}{ext}\u{1F}keep\u{1F}")
      #expect(naming.identifies(naming.rules(of: "x.jpg")) && !naming.identifies("{stem}"))
    }
  }
}
