import FoundationEssentials
import LibraryTestSupport
import Safelight
import Testing

@Suite("safelight capture --deferred, and safelight finish")
struct FinishCommandTests {
  private func capture(_ arguments: [String], in scratch: Scratch) throws -> Program.Outcome {
    try Program.run(
      ["capture", "--source", "synthetic", "--size", "160x90", "--deferred", "--json"] + arguments,
      in: scratch)
  }

  private func photos(_ outcome: Program.Outcome) throws -> [DeliveredPhoto] {
    try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(DeliveredPhoto.self, from: Data($0.utf8))
    }
  }

  @Test("tells the proxy and the final photo, which has the same name")
  func both() throws {
    let scratch = try Scratch()
    let outcome = try capture(["-o", "a.png", "--preset", "noir"], in: scratch)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let photos = try photos(outcome)
    #expect(photos.map(\.isProxy) == [true, false])
    #expect(photos.map(\.path) == ["a.png", "a.png"])
    #expect(photos.last?.merge?.frames.count == 8)
    #expect(photos[0].deferredID != nil && photos[0].deferredID == photos[1].deferredID)
    #expect(try scratch.names == ["a.png"])
  }

  @Test("leaves photos to finish, which lists them, finishes them, and says when nothing is left")
  func later() throws {
    let scratch = try Scratch()
    let outcome = try capture(
      ["-o", "p/{index}.png", "--interval", "50ms", "--count", "3", "--no-finish"], in: scratch)
    #expect(outcome.exitCode == 0 && outcome.errors.contains("safelight finish p"), "\(outcome.errors)")
    let proxies = try photos(outcome)
    #expect(proxies.map(\.path) == ["p/1.png", "p/2.png", "p/3.png"] && proxies.allSatisfy(\.isProxy))
    let list = try Program.run(["finish", "p", "--dry-run", "--json"], in: scratch)
    let unfinished = try list.output.split(separator: "\n").map {
      try JSONDecoder().decode(UnfinishedPhoto.self, from: Data($0.utf8))
    }
    #expect(unfinished.map(\.id) == proxies.map(\.deferredID))
    #expect(unfinished.allSatisfy { $0.frames == 8 && $0.qualityPrioritization == "quality" })

    let finished = try Program.run(["finish", "p", "--json"], in: scratch)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(try photos(finished).map(\.path) == proxies.map(\.path))
    #expect(try photos(finished).allSatisfy { !$0.isProxy && $0.merge?.frames.count == 8 })
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch("p"))
    #expect(names.sorted() == ["1.png", "2.png", "3.png"])
    let again = try Program.run(["finish", "p"], in: scratch)
    #expect(again.exitCode == 0 && again.output == "p: nothing is unfinished\n")
  }

  @Test("finishes what a killed run has told")
  func killed() throws {
    let scratch = try Scratch()
    let outcome = try Program.shell(
      """
      "$SAFELIGHT" capture --source synthetic --size 160x90 --deferred --json --interval 30ms -o p/ > told & p=$!
      until [ -s told ]; do sleep 0.02; done
      kill -9 $p; wait $p
      "$SAFELIGHT" finish p
      """, in: scratch)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let told = try String(decoding: scratch.read("told"), as: UTF8.self)
    let photo = try JSONDecoder().decode(
      DeliveredPhoto.self, from: Data(#require(told.split(separator: "\n").first).utf8))
    #expect(try scratch.photo(photo.path).buffer.size == PixelSize(width: 160, height: 90))
    #expect(try !FileManager.default.contentsOfDirectory(atPath: scratch("p")).contains { $0.hasPrefix(".") })
  }

  @Test("finishes the others if one is damaged, names that one, and ends with 1")
  func damaged() throws {
    let scratch = try Scratch()
    let proxies = try photos(
      capture(["-o", "p/{index}.png", "--interval", "50ms", "--count", "2", "--no-finish"], in: scratch))
    let id = try #require(proxies.first?.deferredID)
    try scratch.write("{}", to: "p/.safelight-unfinished/\(id)/manifest")
    let list = try Program.run(["finish", "p", "-n"], in: scratch)
    #expect(list.exitCode == 1 && list.output.contains("p/2.png"))
    let outcome = try Program.run(["finish", "p"], in: scratch)
    #expect(outcome.exitCode == 1 && outcome.output.contains("p/2.png"))
    #expect(outcome.error?.contains("p/.safelight-unfinished/\(id) is damaged") == true, "\(outcome.errors)")
    #expect(FileManager.default.fileExists(atPath: scratch("p/1.png")))
  }

  @Test("refuses what contradicts itself, and folders that are not there")
  func mistakes() throws {
    let scratch = try Scratch()
    for flags in [["--burst", "3"], ["--quality-priority", "speed"]] {
      #expect(try capture(["-o", "a/"] + flags, in: scratch).exitCode == 64)
    }
    let plain = try Program.run(["capture", "--source", "synthetic", "-o", "a/", "--no-finish"], in: scratch)
    #expect(plain.exitCode == 64)
    let missing = try Program.run(["finish", "none"], in: scratch)
    #expect(missing.exitCode == 1)
    #expect(missing.error == "There is no folder none; give the folder of the photos.")
    #expect(try Program.run(["finish"], in: scratch).exitCode == 64)
    #expect(try scratch.names.isEmpty)
  }
}
