@testable import Files
import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO
import Libc

@Suite("Files that are replaced")
struct OutputFileTests {
  private static func refusal(_ path: String) -> String {
    "Cannot write \(path): the link may not be followed; give the name of the file that it leads to."
  }

  /// Whether the kernel keeps everybody, root too, from following links of others in folders like /tmp.
  private static let protectsLinks: Bool = {
    let descriptor = open("/proc/sys/fs/protected_symlinks", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1 && byte == UInt8(ascii: "1")
  }()

  @Test(
    "Another user's link in a sticky folder is not followed by hand where the kernel does not follow it",
    .enabled(if: geteuid() == 0 && protectsLinks, "links of others take root, and fs.protected_symlinks"))
  func protectedLink() throws {
    let scratch = try Scratch()
    #expect(mkdir(scratch("shared"), 0o700) == 0 && chmod(scratch("shared"), 0o1777) == 0)
    try scratch.write([1], to: "mine.jpg")
    for target in ["mine.jpg", "new.jpg"] {
      let path = scratch("shared/" + target)
      #expect(symlink(scratch(target), path) == 0 && lchown(path, 65_534, 65_534) == 0)
      #expect(message { _ = try OutputFile(path: path, overwrite: true) } == Self.refusal(path))
    }
    #expect(try scratch.read("mine.jpg") == [1])
    #expect(try scratch.names == ["mine.jpg", "shared"])
  }

  @Test(
    "A link into a folder that may not be searched is an error",
    .enabled(if: geteuid() != 0, "root may search every folder"))
  func unsearchableFolder() throws {
    let scratch = try Scratch()
    #expect(mkdir(scratch("locked"), 0) == 0)
    #expect(symlink("locked/a.jpg", scratch("link.jpg")) == 0)
    #expect(
      message { _ = try OutputFile(path: scratch("link.jpg"), overwrite: true) }
        == Self.refusal(scratch("link.jpg")))
    #expect(chmod(scratch("locked"), 0o700) == 0)
  }

  @Test("A file that is to be replaced as it was stays where it is another one by then", arguments: 0...3)
  func changedMeanwhile(change: Int) throws {
    let scratch = try Scratch()
    let path = try scratch.write([1, 2, 3], to: "a")
    let file = try OutputFile(path: path, overwrite: true)
    file.replaced = FileVersion(path)
    try file.write([9])
    switch change {
    case 0:
      try file.commit()
      #expect(try scratch.read("a") == [9])
      return
    case 1:
      // Written to in its place.
      try scratch.write([1, 2, 3, 4], to: "a")
    case 2:
      // As programs save: another file takes the name.
      try scratch.write([1, 2, 3], to: "b")
      #expect(rename(scratch("b"), path) == 0)
    default:
      #expect(unlink(path) == 0)
    }
    let there = try scratch.names.filter { !$0.hasSuffix(OutputFile.temporarySuffix) }
    let bytes = try there.map(scratch.read)
    #expect(
      message { try file.commit() }
        == "Cannot replace \(path): another program has changed it in the meantime; edit it again.")
    #expect(try scratch.names == there)
    #expect(try there.map(scratch.read) == bytes)
  }
}
