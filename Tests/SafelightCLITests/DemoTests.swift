import LibraryTestSupport
import Safelight
import Testing
import Libc

@Suite("What a demo replaces")
struct DemoTests {
  private func demo(_ flags: String..., in scratch: Scratch) throws -> Program.Outcome {
    try Program.run(["demo", "--photo", "a.png"] + flags, in: scratch)
  }

  private func refusal(_ name: String) -> String {
    "\(name) already exists; give --overwrite to replace it, or another name."
  }

  @Test("Pictures of an earlier demo are replaced, and what somebody has put in their place is not")
  func ownPictures() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(64, 48), as: "a.png")
    for _ in 1...2 {
      let run = try demo(in: scratch)
      #expect(run.exitCode == 0, "\(run.errors)")
    }
    // Made of a demo's picture, and a picture of the user's all the same.
    let edit = try Program.run(
      ["edit", "out/looks.jpg", "-o", "out/edited.jpg", "--exposure", "1", "--overwrite"], in: scratch)
    #expect(edit.exitCode == 0, "\(edit.errors)")
    let edited = try scratch.read("out/edited.jpg")
    #expect(try demo(in: scratch).error == refusal("out/edited.jpg"))
    #expect(try scratch.read("out/edited.jpg") == edited)
    #expect(try demo("--overwrite", in: scratch).exitCode == 0)
    #expect(try scratch.read("out/edited.jpg") != edited)
    // --overwrite holds for one run.
    try scratch.write("mine", to: "out/scopes.jpg")
    #expect(try demo(in: scratch).error == refusal("out/scopes.jpg"))
    #expect(try scratch.read("out/scopes.jpg") == Array("mine".utf8))
  }

  @Test("A folder is never a demo's as a whole, whatever is in it")
  func folder() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(64, 48), as: "a.png")
    #expect(mkdir(scratch("out"), 0o777) == 0)
    // Earlier versions put it there before their first picture.
    try scratch.write("", to: "out/.safelight-demo")
    try scratch.write("mine", to: "out/looks.jpg")
    #expect(try demo(in: scratch).error == refusal("out/looks.jpg"))
    #expect(try scratch.read("out/looks.jpg") == Array("mine".utf8))
  }
}
