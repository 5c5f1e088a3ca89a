import Foundation
import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("Scripts beside pages")
struct StudioScriptDeskTests {
  private func ask(
    _ visit: Visit, _ request: @escaping @Sendable (ScriptCondition) -> ScriptRequest
  ) async -> (status: Int, text: String) {
    let answer = await visit.room.answer(request(ScriptCondition([:])))
    return (answer.status, String(decoding: answer.body ?? [], as: UTF8.self))
  }

  private func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8), file: "x")
  }

  @Test("change an edit that open pages see at once, and can undo")
  func seen() async throws {
    let visit = try Visit()
    visit.open()
    _ = try #require(visit.peer.next("frame"))
    let id = visit.id
    let patch = ScriptEdit.patch(try json(#"{"values": {"contrast": 20}}"#))
    #expect(await ask(visit) { .change(id, patch, $0) }.status == 200)
    let news = try #require(visit.peer.next("edited"))
    #expect(news.object("edit")["values"] == .object(["contrast": .number(20)]))
    #expect(news.fields["input"] == .null && news.number("undo") == 1 && news.text("label") == "Contrast")
    let seen = visit.peer.all.count
    visit.say(#"{"type": "undo", "photo": "\#(id)"}"#)
    #expect(visit.peer.next("edited", after: seen)?.object("edit")["values"] == .object([:]))
    // Marks, too.
    #expect(await ask(visit) { _ in .mark(id, PhotoMark.Change(rating: 5)) }.status == 200)
    #expect(visit.peer.next("marks")?.object("marks")[id] == PhotoMark(rating: 5).json)
  }

  @Test("let a drag go on while twenty pictures are asked for, which are made after it")
  func drag() async throws {
    let visit = try Visit(1, size: (1800, 1200))
    visit.open()
    _ = try #require(visit.peer.next("frame") { $0.isFinal })
    let (id, room) = (visit.id, visit.room)
    let picture = try ScriptPicture([])
    visit.edit(#"{"values": {"exposure": 0.01}}"#, input: 1, dragging: true)
    _ = try #require(visit.peer.next("frame") { $0.number("input") == 1 })
    let made = Monitor(0)
    let answers = (0..<20).map { _ in
      Task {
        let answer = await room.answer(.picture(id, picture, ScriptCondition([:])))
        made.update { $0 += 1 }
        return answer.status
      }
    }
    var (seen, longest) = (Set<Double>(), 0.0)
    var last = Timestamp.now
    for input in 2...60 {
      visit.edit(#"{"values": {"exposure": \#(Double(input) / 100)}}"#, input: input, dragging: true)
      try await Task.sleep(for: .milliseconds(16))
      for frame in visit.peer.all.dropFirst(visit.peer.drawnCount) where frame.type == "frame" {
        visit.say(#"{"type": "drawn", "frame": \#(Int(frame.number("frame") ?? 0))}"#)
        guard let number = frame.number("input"), seen.insert(number).inserted else { continue }
        longest = max(longest, Timestamp.now.seconds(since: last))
        last = .now
      }
      visit.peer.drawnCount = visit.peer.all.count
    }
    // None was begun while something was dragged.
    #expect(made.read { $0 } == 0)
    #expect(seen.count >= 10, "\(seen.count) frames, longest gap \(longest) s")
    visit.edit(#"{"values": {"exposure": 0.6}}"#, input: 61, dragging: false)
    for answer in answers { #expect(await answer.value == 200) }
  }

  @Test("are told when too much waits already, and what can be done about it")
  func bounds() async throws {
    let visit = try Visit()
    visit.open()
    _ = try #require(visit.peer.next("frame"))
    visit.edit(#"{"values": {"exposure": 0.1}}"#, input: 1, dragging: true)
    _ = try #require(visit.peer.next("frame") { $0.number("input") == 1 })
    let (id, room) = (visit.id, visit.room)
    let picture = try ScriptPicture([])
    let statuses = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<(ScriptWork.mostPictures + 10) {
        group.addTask { await room.answer(.picture(id, picture, ScriptCondition([:]))).status }
      }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses.filter { $0 == 429 }.count == 10)
    #expect(statuses.filter { $0 == 200 }.count == ScriptWork.mostPictures)
    let options = try StudioExport(nil)
    visit.edit(#"{"values": {"exposure": 0.2}}"#, input: 2, dragging: true)
    for _ in 0..<ScriptWork.mostExports {
      #expect(await ask(visit) { _ in .export([id], options) }.status == 202)
    }
    let last = await ask(visit) { _ in .export([id], options) }
    #expect(last.status == 429 && last.text.contains("ask again"))
  }

  @Test("export photos, see how far it is, and end it")
  func exports() async throws {
    let client = try ScriptClient(3)
    _ = try await client.ask("PATCH", of: 1, "edit", #"{"values": {"exposure": 1}}"#)
    let ids = client.photos.map { "\"\($0)\"" }.joined(separator: ",")
    let begun = try await client.ask(
      "POST", "exports", #"{"photos": [\#(ids)], "format": "jpeg", "quality": 80, "maxSize": 100}"#)
    #expect(begun.status == 202 && begun.json["count"] == .number(3))
    let place = try #require(begun.fields["location"]?.dropFirst("/api/v1/".count))
    var told = begun
    for _ in 0..<500 where told.json["state"] != .string("done") {
      try await Task.sleep(for: .milliseconds(20))
      told = try await client.ask("GET", String(place))
    }
    #expect(told.json["fraction"] == .number(1) && told.json["failed"] == .array([]))
    guard case .array(let files)? = told.json["files"], files.count == 3,
      case .object(let second) = files[1], case .string(let path)? = second["path"]
    else {
      Issue.record("\(told.text)")
      return
    }
    var export = PhotoExport()
    (export.quality, export.maximumSize) = (80, PixelSize(width: 100, height: 100))
    _ = try export.runBlocking(
      client.path(1), through: Recipe { Exposure(stops: 1) }, to: client.scratch("wanted.jpg"))
    #expect(try FileContents.read(path) == client.scratch.read("wanted.jpg"))
    let ended = try await client.ask("DELETE", String(place))
    #expect(ended.status == 200 && ended.json["state"] == .string("done"))
    #expect(try await client.ask("GET", String(place)).status == 404)
    let wrong = try await client.ask("POST", "exports", #"{"photos": ["nobody"]}"#)
    #expect(wrong.status == 422 && wrong.detail.contains("nobody"))
    for body in [
      #"{"photos": []}"#, "{}", #"{"photos": ["a"], "maxSize": "1"}"#, #"{"photos": ["a"], "size": 1}"#,
    ] {
      #expect(try await client.ask("POST", "exports", body).status == 422, "\(body)")
    }
  }

  @Test("end an export that has not begun, and are told what it wrote")
  func ending() async throws {
    let visit = try Visit(2)
    visit.open()
    _ = try #require(visit.peer.next("frame"))
    visit.edit(#"{"values": {"exposure": 0.1}}"#, input: 1, dragging: true)
    let (all, options) = (visit.photos.entries.map(\.id), try StudioExport(nil))
    #expect(await ask(visit) { _ in .export(all, options) }.status == 202)
    let ended = await ask(visit) { _ in .end("1") }
    #expect(ended.status == 200 && ended.text.contains("cancelled"))
    #expect(await ask(visit) { _ in .progress("1") }.status == 404)
    #expect(FileContents.kind(of: visit.scratch("edited")) == .missing)
    // Work for scripts goes on after it.
    let picture = try ScriptPicture([])
    let id = visit.id
    #expect(await ask(visit) { .picture(id, picture, $0) }.status == 200)
  }

  @Test("are answered when the studio ends before their turn")
  func closing() async throws {
    let visit = try Visit()
    visit.open()
    _ = try #require(visit.peer.next("frame"))
    visit.edit(#"{"values": {"exposure": 0.1}}"#, input: 1, dragging: true)
    let (id, room) = (visit.id, visit.room)
    let picture = try ScriptPicture([])
    let answer = Task { await room.answer(.picture(id, picture, ScriptCondition([:]))).status }
    try await Task.sleep(for: .milliseconds(50))
    room.close()
    #expect(await answer.value == 503)
  }

  @Test("find what the description says, and nothing else")
  func description() async throws {
    let client = try ScriptClient()
    guard case .object(let all) = try json(StudioAPI.description), case .object(let paths)? = all["paths"]
    else {
      Issue.record("no paths")
      return
    }
    for (path, value) in paths {
      guard case .object(let fields) = value else { continue }
      let methods = Set(fields.keys).subtracting(["parameters"]).map { $0.uppercased() }
      let place = path.replacing("{photo}", with: client.photos[0]).replacing("{export}", with: "1")
        .replacing("{name}", with: "x").dropFirst("/api/v1/".count)
      let wrong = try await client.ask("OPTIONS", String(place))
      let allowed = (wrong.fields["allow"] ?? "").split(separator: ", ").map(String.init)
      #expect(wrong.status == 405 && Set(allowed).subtracting(["HEAD"]) == Set(methods), "\(path)")
    }
  }
}
