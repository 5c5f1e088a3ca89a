import LibraryTestSupport
import Safelight
import FoundationEssentials
import Testing

@testable import Backends

@Suite("What was measured of backends")
struct BackendCacheTests {
  private static let now = 1_700_000_000

  private func cache(_ scratch: Scratch, now: Int = Self.now) -> BackendCache {
    BackendCache(path: scratch("deep/er/backends.json"), now: { now })
  }

  private static func file(version: Int = 2, cpuMilliseconds: String, time: String) -> String {
    "{\"version\":\(version),"
      + #""entries":[{"question":{"machine":"M","threads":1,"share":1,"shape":"S"},"gpu":"A","#
      + "\"cpuMilliseconds\":\(cpuMilliseconds),\"gpuMilliseconds\":1,\"time\":\(time)}]}"
  }

  private func shape(_ width: Int = 64) throws -> PlanShape {
    PlanShape(
      try Plan(
        Recipe(filters: [Exposure(stops: 1)]), input: PlanInput(size: PixelSize(width: width, height: 64)),
        output: PlanOutput()), use: .live)
  }

  private func entry(
    _ shape: PlanShape, gpu: String = "A", cpu: Double = 10, gpuTakes: Double = 2, time: Int = Self.now
  ) -> BackendCache.Entry {
    BackendCache.Entry(
      question: question(shape), gpu: gpu, cpuMilliseconds: cpu, gpuMilliseconds: gpuTakes, time: time)
  }

  private func question(_ shape: PlanShape, machine: String = "M", threads: Int = 16, share: Int = 1)
    -> BackendCache.Question
  {
    BackendCache.Question(machine: machine, threads: threads, share: share, shape: shape.description)
  }

  @Test("is kept from one run to the next, the newest measurement of a kind alone")
  func kept() throws {
    let scratch = try Scratch()
    let shape = try shape()
    let asked = question(shape)
    #expect(cache(scratch).entry(asked) == nil)
    cache(scratch).add(entry(shape))
    cache(scratch).add(entry(shape, gpu: "B", gpuTakes: 20))
    cache(scratch).add(entry(shape, gpuTakes: 30))
    #expect(cache(scratch).entries().count == 2)
    #expect(cache(scratch).entry(asked, gpu: "A")?.gpuMilliseconds == 30)
    #expect(cache(scratch).entry(asked, gpu: "B")?.gpuMilliseconds == 20)
    let others = [
      question(shape, machine: "other"), question(try self.shape(4096)), question(shape, threads: 1),
      question(shape, share: 8),
    ]
    for other in others { #expect(cache(scratch).entry(other) == nil) }
  }

  @Test("prefers the GPU only where it is faster by more than a tenth")
  func preference() throws {
    let shape = try shape()
    #expect(entry(shape, cpu: 10, gpuTakes: 8.9).prefersGPU)
    #expect(!entry(shape, cpu: 10, gpuTakes: 9.1).prefersGPU)
  }

  @Test("is measured again after sixty days, and where the clock was turned back")
  func age() throws {
    let scratch = try Scratch()
    let shape = try shape()
    cache(scratch).add(entry(shape))
    let lifetime = 60 * 86_400
    #expect(cache(scratch, now: Self.now + lifetime).entries().count == 1)
    #expect(cache(scratch, now: Self.now + lifetime + 1).entries().isEmpty)
    #expect(cache(scratch, now: Self.now - 1).entries().isEmpty)
  }

  @Test(
    "counts as empty where the file is damaged, foreign or too large, and is replaced by the next measurement"
  )
  func damage() throws {
    let shape = try shape()
    let damaged = [
      "", "{", "[]", "null", #"{"version":2,"entries":[{}]}"#,
      #"{"version":2,"entries":7}"#, String(repeating: " ", count: 2 << 20),
      Self.file(version: 1, cpuMilliseconds: "1", time: "\(Self.now)"),
      Self.file(version: 3, cpuMilliseconds: "1", time: "\(Self.now)"),
      Self.file(cpuMilliseconds: "-1", time: "\(Self.now)"),
      Self.file(cpuMilliseconds: "1", time: "\(Int.min)"),
      Self.file(cpuMilliseconds: "1", time: "\(Int.max)"),
    ]
    for text in damaged {
      let scratch = try Scratch()
      try scratch.makeFolder("deep/er")
      try scratch.write(text, to: "deep/er/backends.json")
      #expect(cache(scratch).entries().isEmpty, "\(text.prefix(80))")
      cache(scratch).add(entry(shape))
      #expect(cache(scratch).entries() == [entry(shape)], "\(text.prefix(80))")
      #expect(try scratch.names == ["deep"])
    }
  }

  @Test("reads what is written in this form, or the cases of damage would show nothing")
  func form() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("deep/er")
    try scratch.write(Self.file(cpuMilliseconds: "1", time: "\(Self.now)"), to: "deep/er/backends.json")
    #expect(cache(scratch).entries().count == 1)
  }

  @Test("goes on without a file where none can be written")
  func unwritable() throws {
    let scratch = try Scratch()
    try scratch.write("a file", to: "deep")
    cache(scratch).add(entry(try shape()))
    #expect(cache(scratch).entries().isEmpty)
    #expect(try scratch.read("deep") == Array("a file".utf8))
    BackendCache(path: nil).add(entry(try shape()))
  }

  @Test("keeps what several programs store at once")
  func together() throws {
    let scratch = try Scratch()
    let cache = cache(scratch)
    let entries = try (0..<4).map { try entry(shape(), gpu: "GPU \($0)") }
    ThreadTeam(name: "stores", threads: 4).run(4) { cache.add(entries[$0]) }
    #expect(Set(cache.entries().map(\.gpu)) == ["GPU 0", "GPU 1", "GPU 2", "GPU 3"])
    #expect(try scratch.names == ["deep"])
  }

  @Test("holds a bounded number of measurements, of which the oldest go first")
  func bound() throws {
    let scratch = try Scratch()
    let shape = try shape()
    let cache = cache(scratch)
    // As another release with a larger bound might have left them.
    let many = try (0..<BackendCache.capacity + 2).map { number in
      String(decoding: try JSONEncoder().encode(entry(shape, gpu: "\(number)")), as: UTF8.self)
    }
    try scratch.makeFolder("deep/er")
    try scratch.write(
      #"{"version":2,"entries":["# + many.joined(separator: ",") + "]}", to: "deep/er/backends.json")
    cache.add(entry(shape, gpu: "\(BackendCache.capacity + 2)"))
    let kept = cache.entries()
    #expect(kept.count == BackendCache.capacity)
    #expect(kept.first?.gpu == "3" && kept.last?.gpu == "\(BackendCache.capacity + 2)")
  }
}
