import Foundation
import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("What the studio does to many photos")
struct StudioBatchTests {
  private func list(_ ids: some Sequence<String>) -> String { ids.map { "\"\($0)\"" }.joined(separator: ",") }
  private func ids(_ value: JSONValue?) -> [String] {
    guard case .array(let list)? = value else { return [] }
    return list.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  @Test("pastes parts of an edit as a step of each photo's history, and tells how far it is")
  func pasting() throws {
    let visit = try Visit(3)
    let all = visit.photos.entries.map(\.id)
    try RecipeSidecar.save(
      Recipe { Contrast(40) }, forPhoto: visit.photos.entries[1].path, .set)
    visit.open()
    _ = try #require(visit.peer.next("frame"))
    visit.say(
      #"{"type": "paste", "request": 4, "photos": [\#(list(all))], "edit": {"values": {"exposure": 1, "saturation": -20}}, "parts": ["color"]}"#
    )
    let end = try #require(visit.peer.next("pasted"))
    #expect(ids(end.fields["photos"]) == all && end.fields["failed"] == .array([]))
    let steps = visit.peer.all.filter { $0.type == "progress" }.compactMap { $0.number("fraction") }
    #expect(steps.first == 0 && steps.last == 1 && steps.count == 4)
    // The page that shows one of them is told.
    #expect(
      visit.peer.next("edited")?.object("edit")["values"] == .object(["saturation": .number(-20)]))
    let second = try #require(try RecipeSidecar.read(forPhoto: visit.photos.entries[1].path))
    #expect(second.recipe?.filters.count == 2 && second.history.count == 2)
    let seen = visit.peer.all.count
    visit.say(#"{"type": "undo", "photo": "\#(visit.id)"}"#)
    #expect(visit.peer.next("edited", after: seen)?.object("edit")["values"] == .object([:]))
  }

  @Test("takes back what was pasted, and gives it again, but not of a photo that was edited since")
  func takingBack() throws {
    let visit = try Visit(3)
    let all = visit.photos.entries.map(\.id)
    let path = visit.photos.entries.map(\.path)
    try RecipeSidecar.save(Recipe { Contrast(40) }, forPhoto: path[1], .set)
    // The third has it already: it is pasted onto, and nothing changes.
    try RecipeSidecar.save(Recipe { Saturation(-20) }, forPhoto: path[2], .set)
    visit.say(
      #"{"type": "paste", "request": 4, "photos": [\#(list(all))], "edit": {"values": {"saturation": -20}}, "parts": ["color"]}"#
    )
    let pasted = try #require(visit.peer.next("pasted"))
    #expect(ids(pasted.fields["photos"]) == all)
    let steps: JSONValue = .object([all[0]: .number(1), all[1]: .number(2)])
    #expect(pasted.fields["steps"] == steps)
    func filters(_ index: Int) throws -> Int {
      try RecipeSidecar.read(forPhoto: path[index])?.recipe?.filters.count ?? 0
    }
    #expect(try [filters(0), filters(1), filters(2)] == [1, 2, 1])

    func step(_ type: String, _ request: Int) throws -> RecordedPeer.Message {
      let seen = visit.peer.all.count
      visit.say(
        #"{"type": "\#(type)", "request": \#(request), "photos": [\#(list(all[0...1]))], "steps": {"\#(all[0])": 1, "\#(all[1])": 2}}"#
      )
      return try #require(visit.peer.next("pasted", after: seen))
    }
    #expect(try ids(step("undo-paste", 5).fields["photos"]) == Array(all[0...1]))
    #expect(try [filters(0), filters(1)] == [0, 1])
    // What is back already stays.
    #expect(try ids(step("undo-paste", 6).fields["photos"]).isEmpty)
    #expect(try ids(step("redo-paste", 7).fields["photos"]) == Array(all[0...1]))
    #expect(try [filters(0), filters(1)] == [1, 2])

    try RecipeSidecar.save(Recipe { Exposure(stops: 1) }, forPhoto: path[1], .set)
    let end = try step("undo-paste", 8)
    #expect(ids(end.fields["photos"]) == [all[0]])
    guard case .array(let failed)? = end.fields["failed"], case .object(let first)? = failed.first else {
      throw Problem.missing
    }
    #expect(failed.count == 1 && first["photo"] == .string(all[1]))
    #expect(first["message"] == .string("The edit of \(visit.photos.entries[1].name) has changed since"))
    #expect(try RecipeSidecar.read(forPhoto: path[1])?.recipe?.filters.count == 1)
  }

  @Test("pastes only the parts that are named")
  func parts() throws {
    func edit(_ json: String) throws -> StudioEdit {
      try StudioEdit(JSONValue(parsing: Array(json.utf8), file: "edit"))
    }
    let from = try edit(
      #"{"look": {"preset": "noir"}, "values": {"exposure": 1, "temperature": 5200, "clarity": 10, "grain": 20, "crop": "1:1", "straighten": 2, "rotate": "90"}, "groups": [{"filter": "group", "mask": "linear 0,0 0,1", "filters": [{"filter": "exposure", "stops": -1}]}]}"#
    )
    let flags: [EditPart: [String]] = [
      .light: ["exposure"], .color: ["temperature"], .detail: ["clarity"], .effects: ["grain"],
      .crop: ["crop", "straighten"], .rotation: ["rotate"], .look: [], .masks: [],
    ]
    for part in EditPart.allCases {
      let pasted = StudioEdit().taking([part], from: from)
      #expect(pasted.values.values.keys.sorted() == flags[part], "\(part)")
      #expect((pasted.look != nil) == (part == .look) && pasted.groups.isEmpty == (part != .masks))
    }
    #expect(try StudioEdit().taking(Set(EditPart.allCases), from: from).json == from.json)
    // What the other leaves neutral becomes so.
    #expect(try from.taking(Set(EditPart.allCases), from: StudioEdit()).json == StudioEdit().json)
  }

  @Test("says which photos an edit does not fit, and pastes into the others")
  func misfits() throws {
    let visit = try Visit(2)
    let other = try Scratch()
    try other.save(gradient(20, 20), as: "1.png")
    try visit.scratch.write(other.read("1.png"), to: "1.png")
    visit.say(
      #"{"type": "paste", "request": 4, "photos": [\#(list(visit.photos.entries.map(\.id)))], "edit": {"values": {"crop": "100,50,200,100"}}, "parts": ["crop"]}"#
    )
    let end = try #require(visit.peer.next("pasted"))
    #expect(ids(end.fields["photos"]) == [visit.photos.entries[1].id])
    guard case .array(let failed)? = end.fields["failed"], case .object(let first)? = failed.first else {
      throw Problem.missing
    }
    #expect(failed.count == 1 && first["photo"] == .string(visit.id))
  }

  @Test("exports many photos with their edits, each told when it is there")
  func exporting() throws {
    let visit = try Visit(2)
    let all = visit.photos.entries
    try RecipeSidecar.save(Recipe { Exposure(stops: 0.5) }, forPhoto: all[0].path, .set)
    visit.say(
      #"{"type": "export-all", "request": 5, "photos": [\#(list(all.map(\.id)))], "options": {"format": "jpeg", "quality": 90}}"#
    )
    let end = try #require(visit.peer.next("exported-all"))
    #expect(ids(end.fields["done"]) == all.map(\.id) && end.fields["cancelled"] == .bool(false))
    #expect(end.text("folder") == visit.scratch("edited") && (end.number("bytes") ?? 0) > 1000)
    #expect(
      visit.peer.all.filter { $0.type == "progress" }.compactMap { $0.text("name") } == ["1.jpg", "2.jpg"])
    // The same bytes as the command line.
    for (name, recipe) in [("1", Recipe { Exposure(stops: 0.5) }), ("2", Recipe())] {
      var export = PhotoExport()
      export.quality = 90
      _ = try export.runBlocking(
        visit.scratch("\(name).png"), through: recipe, to: visit.scratch("cli-\(name).jpg"))
      #expect(
        try visit.scratch.read("edited/\(name).jpg") == visit.scratch.read("cli-\(name).jpg"), "\(name)")
    }
    let command = try #require(end.text("command"))
    #expect(
      command.hasPrefix("safelight export \(visit.scratch("1.png")) -o")
        && command.contains(" && safelight batch "))
  }

  @Test("ends after the photo in work, with nothing half-written")
  func cancelling() throws {
    let visit = try Visit(20, size: (900, 600))
    let all = visit.photos.entries.map(\.id)
    visit.say(
      #"{"type": "export-all", "request": 6, "photos": [\#(list(all))], "options": {"format": "png"}}"#)
    _ = try #require(visit.peer.next("progress") { $0.number("done") == 1 })
    visit.say(#"{"type": "cancel", "request": 6}"#)
    let end = try #require(visit.peer.next("exported-all"))
    let done = ids(end.fields["done"])
    #expect(end.fields["cancelled"] == .bool(true) && !done.isEmpty && done.count < 20)
    let names = try FileManager.default.contentsOfDirectory(atPath: visit.scratch("edited"))
    #expect(names.count == done.count && names.allSatisfy { $0.hasSuffix(".png") })
    for name in names { _ = try Photo(contentsOf: visit.scratch("edited/\(name)")) }
  }

  @Test("goes on with frames while many photos are exported")
  func frames() throws {
    let visit = try Visit(10, size: (900, 600))
    visit.say(
      #"{"type": "export-all", "request": 7, "photos": [\#(list(visit.photos.entries.map(\.id)))], "options": {"format": "png"}}"#
    )
    _ = try #require(visit.peer.next("progress"))
    visit.open()
    #expect(visit.peer.next("frame") != nil)
    visit.say(#"{"type": "cancel", "request": 7}"#)
    #expect(visit.peer.next("exported-all") != nil)
  }

  private enum Problem: Error { case missing }
}
