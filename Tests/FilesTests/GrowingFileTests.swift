import FrameCore
import Libc
import TestSupport
import Testing

@testable import Files

@Suite("A file that grows under its name")
struct GrowingFileTests {
  private let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func write(_ text: String, _ file: GrowingFile, at offset: Int64) throws {
    try Array(text.utf8).withUnsafeBytes { try file.write($0, at: offset) }
  }

  @Test("is there while it is written, and complete when it is let go")
  func grows() throws {
    do {
      let file = try GrowingFile(creating: scratch("a"))
      try write("abc", file, at: 0)
      #expect(try scratch.read("a") == Array("abc".utf8))
      try file.truncate(to: 5)
      try write("x", file, at: 1)
      try file.synchronize()
    }
    #expect(try scratch.read("a") == Array("axc\0\0".utf8))
  }

  @Test("is refused where something has its name, which stays")
  func exists() throws {
    try scratch.write("old", to: "a")
    try scratch.makeFolder("folder")
    symlink("circle", scratch("circle"))
    #expect(message { _ = try GrowingFile(creating: scratch("a")) }?.contains("already exists") == true)
    for name in ["folder", "missing/a", "circle", ""] {
      #expect(throws: SafelightError.self) { try GrowingFile(creating: name.isEmpty ? "" : scratch(name)) }
    }
    #expect(try scratch.read("a") == Array("old".utf8))
  }

  @Test("is created where a dangling link leads")
  func link() throws {
    symlink("target", scratch("link"))
    let file = try GrowingFile(creating: scratch("link"))
    try write("new", file, at: 0)
    try file.finish()
    #expect(try scratch.read("target") == Array("new".utf8))
  }

  @Test("replaces a file at its end, and not before")
  func replaces() throws {
    try scratch.write("old", to: "a")
    let file = try GrowingFile(creating: scratch("a"), overwrite: true)
    try write("new", file, at: 0)
    try file.synchronize()
    #expect(try scratch.read("a") == Array("old".utf8) && scratch.names.count == 2)
    try file.finish()
    #expect(try scratch.read("a") == Array("new".utf8) && scratch.names == ["a"])
  }
}
