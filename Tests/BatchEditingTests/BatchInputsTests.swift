import LibraryTestSupport
import Safelight
import Testing
import Libc

@Suite struct BatchInputsTests {
  private func paths(_ inputs: BatchInputs, below scratch: Scratch) -> [String] {
    inputs.photos.map { String($0.path.dropFirst(scratch.path.count + 1)) }
  }

  @Test("A folder gives its pictures in natural order, told by their endings")
  func folder() throws {
    let scratch = try Scratch()
    for name in ["b10.jpg", "b2.JPG", "a.txt", ".hidden.jpg", "c.tiff", "noending"] {
      try scratch.write("x", to: name)
    }
    try scratch.makeFolder("sub.jpg")
    let inputs = BatchInputs([scratch.path], recursive: false)
    #expect(paths(inputs, below: scratch) == ["b2.JPG", "b10.jpg", "c.tiff"])
    #expect(inputs.problems.isEmpty)
  }

  @Test("Folders in folders are looked into when asked, and say where they lay")
  func recursion() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("in/2024/may")
    try scratch.makeFolder("in/.trash")
    for name in ["in/a.jpg", "in/2024/b.jpg", "in/2024/may/c.jpg", "in/.trash/d.jpg"] {
      try scratch.write("x", to: name)
    }
    let inputs = BatchInputs([scratch("in")], recursive: true)
    #expect(inputs.photos.map(\.folder) == ["", "2024", "2024/may"])
    #expect(paths(inputs, below: scratch) == ["in/a.jpg", "in/2024/b.jpg", "in/2024/may/c.jpg"])
    #expect(paths(BatchInputs([scratch("in")], recursive: false), below: scratch) == ["in/a.jpg"])
  }

  @Test("Symbolic links in a circle end, and a link to nothing is told")
  func links() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("in/sub")
    try scratch.write("x", to: "in/a.jpg")
    #expect(symlink("..", scratch("in/sub/up")) == 0)
    #expect(symlink("nowhere", scratch("in/dangling.jpg")) == 0)
    #expect(symlink("loop.jpg", scratch("in/loop.jpg")) == 0)
    let inputs = BatchInputs([scratch("in")], recursive: true)
    #expect(paths(inputs, below: scratch) == ["in/a.jpg"])
    #expect(inputs.problems.count == 2)
  }

  @Test("The output folder is no input, and nothing is edited twice")
  func output() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("in/out")
    for name in ["in/a.jpg", "in/out/a.jpg"] { try scratch.write("x", to: name) }
    let inputs = BatchInputs(
      [scratch("in"), scratch("in/a.jpg"), scratch("in/./a.jpg")], recursive: true, output: scratch("in/out"))
    #expect(paths(inputs, below: scratch) == ["in/a.jpg"])
    #expect(inputs.notes.count == 2)
  }

  @Test("A pattern that the shell did not expand is expanded; a file of that very name comes first")
  func patterns() throws {
    let scratch = try Scratch()
    for name in ["a1.jpg", "a2.jpg", "b.jpg"] { try scratch.write("x", to: name) }
    #expect(
      paths(BatchInputs([scratch("a*.jpg")], recursive: false), below: scratch) == ["a1.jpg", "a2.jpg"])
    try scratch.write("x", to: "a[12].jpg")
    #expect(paths(BatchInputs([scratch("a[12].jpg")], recursive: false), below: scratch) == ["a[12].jpg"])
  }

  @Test("Names that lead nowhere are told, and the rest is kept")
  func missing() throws {
    let scratch = try Scratch()
    try scratch.write("x", to: "a.jpg")
    let inputs = BatchInputs(
      [scratch("none.jpg"), "", scratch("a.jpg/b.jpg"), scratch("a.jpg")], recursive: false)
    #expect(inputs.photos.count == 1)
    #expect(inputs.problems.count == 3)
    #expect(
      inputs.problems.first?.description
        == "Cannot read \(scratch("none.jpg")): there is no such file; check the spelling.")
  }

  @Test("Lists hold a name a line, or names with NUL between, which may hold line feeds")
  func lists() {
    #expect(BatchInputs.names(inList: Array("a.jpg\r\nb c.jpg\n\n".utf8)) == ["a.jpg", "b c.jpg"])
    #expect(BatchInputs.names(inList: Array("a\nb.jpg\0🙂.jpg\0".utf8)) == ["a\nb.jpg", "🙂.jpg"])
    #expect(BatchInputs.names(inList: []).isEmpty)
  }
}
