import LibraryTestSupport
import Testing

@Suite("A batch opens each photo once")
struct BatchOnePassTests {
  @Test(
    "whatever is found in it",
    arguments: [
      [], ["--auto", "all"], ["--straighten", "auto"],
      ["--auto", "all", "--straighten", "auto", "--no-isolate"],
    ])
  func batch(flags: [String]) throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    let opened = try OpenCounter(scratch("in/photo-1.jpg"))
    let run = try Program.run(
      ["batch", "in/photo-1.jpg", "-o", "out", "--preset", "noir", "--backend", "cpu"] + flags, in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(opened.take() == 1)
  }

  @Test("with the edit beside it")
  func export() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    let set = try Program.run(["recipe", "set", "in/photo-1.jpg", "--exposure", "0.4"], in: scratch)
    #expect(set.exitCode == 0, "\(set.errors)")
    let opened = try OpenCounter(scratch("in/photo-1.jpg"))
    let run = try Program.run(["export", "in", "-o", "out", "--backend", "cpu"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(opened.take() == 1)
  }
}
