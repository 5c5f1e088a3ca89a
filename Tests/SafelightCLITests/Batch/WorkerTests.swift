import Foundation
import LibraryTestSupport
import Safelight
import TestSupport
import Testing

/// Runs `safelight worker` with requests and returns what it answered.
private func converse(_ requests: [UInt8], _ flags: String..., in scratch: Scratch) throws
  -> ChildProcess.Outcome
{
  var variables = ProcessInfo.processInfo.environment
  variables["TMPDIR"] = scratch("temporary")
  try scratch.makeFolder("temporary")
  let child = try ChildProcess(
    Program.path, ["worker"] + flags, folder: scratch.path, environment: variables, input: requests)
  let outcome = try child.wait(seconds: 120)
  #expect(try scratch.names(of: "temporary") == [], "something was left in TMPDIR")
  return outcome
}

extension Scratch {
  fileprivate func names(of folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: self(folder)).sorted()
  }
}

extension ChildProcess.Outcome {
  fileprivate var lines: [String] { text.split(separator: "\n").map(String.init) }
}

@Suite("Workers for other programs")
struct WorkerTests {
  /// What differs from run to run, replaced.
  private func normalized(_ line: String) -> String {
    line.replacing(/"seconds":[0-9.e-]+/, with: #""seconds":…"#)
      .replacing(/"hash":"[0-9a-f]{32}"/, with: #""hash":"…""#)
      .replacing(/"edit":"[^"]+"/, with: #""edit":"…""#)
      .replacing(/"engine":"[^"]+"/, with: #""engine":"…""#)
      .replacing(/"memory":\d+/, with: #""memory":…"#)
      .replacing(/"analyzed":\{.*\}(?=,"id")/, with: #""analyzed":{…}"#)
  }

  @Test("A conversation goes as it was recorded")
  func recorded() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2)
    try scratch.write("no picture", to: "in/broken.jpg")
    let requests = [
      #"{"id":1,"do":"edit","input":"in/photo-1.jpg","output":"one.jpg"}"#,
      #"{"id":2,"do":"edit","input":"in/photo-1.jpg","output":"one.jpg"}"#,
      #"{"id":3,"do":"edit","input":"in/photo-1.jpg","output":"one.jpg","overwrite":true,"later":1}"#,
      #"{"do":"examine","input":"in/photo-2.jpg"}"#,
      #"{"do":"edit","output":"two.jpg"}"#,
      #"{"do":"edit","output":"two.jpg"}"#,
      #"{"id":4,"do":"analyze","input":"in/photo-2.jpg"}"#,
      #"{"id":5,"do":"edit","input":"in/broken.jpg","output":"three.jpg"}"#,
      #"{"id":6,"do":"analyze"}"#,
      #"{"id":7,"do":"eat","input":"in/photo-1.jpg"}"#,
      "nonsense",
    ]
    let outcome = try converse(
      Array((requests.joined(separator: "\n") + "\n").utf8), "--exposure", "0.4", in: scratch)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let transcript =
      (["← " + outcome.lines[0]]
      + zip(requests, outcome.lines.dropFirst()).flatMap { ["→ " + $0, "← " + $1] }).map(normalized)
    let fixture = Program.package + "/Tests/SafelightCLITests/Fixtures/worker-conversation.txt"
    if ProcessInfo.processInfo.environment["SAFELIGHT_RECORD"] != nil {
      try (transcript.joined(separator: "\n") + "\n").write(
        toFile: fixture, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOfFile: fixture, encoding: .utf8).split(separator: "\n").map(
      String.init)
    #expect(transcript == expected)
    #expect(try scratch.names == ["in", "one.jpg", "temporary", "two.jpg"])
  }

  @Test("Photos that come and go as bytes have the bytes that files have")
  func bytes() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2)
    let photos = try (1...2).map { try scratch.read("in/photo-\($0).jpg") }
    var requests: [UInt8] = []
    for (number, photo) in photos.enumerated() {
      requests += Array("{\"id\":\(number),\"do\":\"edit\",\"bytes\":\(photo.count)}\n".utf8) + photo
    }
    requests += Array(#"{"do":"edit","bytes":5,"input":"wrong.jpg"}"#.utf8) + [10] + Array("wrong".utf8)
    requests += Array(#"{"do":"edit","input":"in/photo-1.jpg","output":"one.png"}"#.utf8) + [10]
    let outcome = try converse(requests, "--exposure", "0.4", "--format", "png", in: scratch)
    #expect(outcome.status == 0)
    var rest = outcome.output[...]
    func line() -> String {
      let end = rest.firstIndex(of: 10) ?? rest.endIndex
      defer { rest = rest[min(end + 1, rest.endIndex)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    #expect(line().contains(#""format":"png""#))
    var results: [[UInt8]] = []
    for _ in photos {
      let answer = line()
      let count = try #require(answer.firstMatch(of: /^\{"bytes":(\d+),"edited"/).flatMap { Int($0.1) })
      results.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    let refusal = line()
    #expect(
      refusal.contains(#""code":"unsupported","problem":"Cannot read wrong.jpg: it looks like text"#),
      "\(refusal)")
    #expect(line().contains(#""edited""#))
    #expect(rest.isEmpty)
    #expect(results[0] == (try scratch.read("one.png")))
    let batch = try scratch.batch("in", "-o", "out", "--exposure", "0.4", "--format", "png")
    #expect(batch.exitCode == 0)
    #expect(results[1] == (try scratch.read("out/photo-2.png")))
  }

  @Test("The bytes of what is no request are no requests either")
  func smuggled() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    let photo = "\n" + #"{"do":"edit","input":"in/photo-1.jpg","output":"smuggled.jpg"}"# + "\n"
    let requests =
      #"{"do":"eat","bytes":\#(photo.utf8.count)}"# + "\n" + photo + #"{"id":2,"do":"analyze"}"# + "\n"
    let outcome = try converse(Array(requests.utf8), "--exposure", "1", in: scratch)
    #expect(outcome.status == 0 && outcome.lines.count == 3, "\(outcome.text)")
    #expect(try !scratch.names.contains("smuggled.jpg"))
  }

  @Test("A name of another format than all results have is refused, and no photo is lost over it")
  func formats() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    let requests = """
      {"do":"edit","input":"in/photo-1.jpg","output":"one.png"}
      {"do":"edit","input":"in/photo-1.jpg","output":"one.jpeg"}

      """
    let outcome = try converse(Array(requests.utf8), "--exposure", "1", "--format", "jpeg", in: scratch)
    #expect(outcome.lines[1].contains(#""code":"invalidValue""#) && outcome.lines[2].contains("edited"))
    #expect(try scratch.names == ["in", "one.jpeg", "temporary"])
  }

  @Test(
    "Bytes that end too early, or cannot be, end or fail in order",
    arguments: [
      (#"{"do":"edit","bytes":100}"#, 1, false), (#"{"do":"edit","bytes":"many"}"#, 1, false),
      (#"{"do":"edit","bytes":-1}"#, 2, true), (#"{"do":"edit","bytes":0}"#, 2, true),
    ])
  func missingBytes(request: String, lines: Int, isFollowed: Bool) throws {
    let scratch = try Scratch()
    let outcome = try converse(Array((request + "\nabc").utf8), "--exposure", "1", in: scratch)
    #expect((outcome.status == 0) == isFollowed && outcome.lines.count == lines, "\(outcome.text)")
    #expect(isFollowed == outcome.errorText.isEmpty)
  }

  @Test("A photo that comes as bytes is measured as its file is")
  func measuredBytes() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    let photo = try scratch.read("in/photo-1.jpg")
    let requests =
      Array(#"{"do":"analyze","input":"in/photo-1.jpg"}"#.utf8) + [10]
      + Array("{\"do\":\"analyze\",\"bytes\":\(photo.count)}\n".utf8) + photo
    let lines = try converse(requests, "--exposure", "1", in: scratch).lines
    #expect(lines.count == 3 && lines[1].contains("clippingPercent") && lines[1] == lines[2])
  }

  @Test("A line that has no end is no request, and the worker says so")
  func overlong() throws {
    let scratch = try Scratch()
    let outcome = try converse([UInt8](repeating: 97, count: 17 << 20), "--exposure", "1", in: scratch)
    #expect(outcome.status == 1 && outcome.lines.count == 1)
    #expect(outcome.errorText.contains("longer than 16777216 bytes"), "\(outcome.errorText)")
  }

  @Test(
    "A recipe that is wrong is told instead of a hello",
    arguments: [["--preset", "nior"], ["--recipe", "no.json"], ["--recipe", "-"]])
  func mistakes(flags: [String]) throws {
    let scratch = try Scratch()
    let run = try Program.run(["worker"] + flags, in: scratch)
    #expect(run.exitCode != 0 && run.output.isEmpty && run.error != nil, "\(run.errors)")
  }

  @Test("300 times ten damaged requests are answered or end the worker, and nothing crashes")
  func damaged() throws {
    var random = SeededRandom(seed: 0x5AFE_2301)
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    let corpus = Program.package + "/Tests/Fuzz/worker"
    let names = try FileManager.default.contentsOfDirectory(atPath: corpus).sorted()
    let seeds = try names.map { try Array(Data(contentsOf: URL(filePath: corpus + "/" + $0))) }
    #expect(seeds.count > 5)
    for _ in 0..<300 {
      try converseWithDamaged(seeds, &random, in: scratch)
    }
  }

  private func converseWithDamaged(
    _ seeds: [[UInt8]], _ random: inout SeededRandom, in scratch: Scratch
  ) throws {
    var requests: [UInt8] = []
    for _ in 0..<10 {
      var line = seeds[Int(random.next() % UInt64(seeds.count))]
      for _ in 0...Int(random.next() % 3) {
        line[Int(random.next() % UInt64(line.count))] = UInt8(truncatingIfNeeded: 32 + random.next() % 95)
      }
      requests += line + [10]
    }
    let outcome = try converse(requests, "--exposure", "1", in: scratch)
    // 1: it could no longer be followed.
    #expect(outcome.status == 0 || outcome.status == 1, "\(outcome.errorText)")
    #expect(!outcome.lines.isEmpty)
  }
}
