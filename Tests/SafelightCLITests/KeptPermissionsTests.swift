import LibraryTestSupport
import Safelight
import Testing
import Libc

@Suite(
  "Files of another user that are replaced",
  .enabled(if: geteuid() == 0 && Unprivileged.isPossible, "files of another user take root and setpriv"))
struct KeptPermissionsTests {
  private static let lost = "belonged to another user; only root can keep that, so it is yours now."

  /// A folder that everybody may write to.
  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch()
    for name in ["a.png", "b.png"] { try scratch.save(gradient(64, 48), as: name) }
    #expect(chmod(scratch.path, 0o777) == 0)
    return scratch
  }

  /// Makes a file root's again, which everybody may write to.
  private func giveBack(_ path: String) { #expect(chown(path, 0, 0) == 0 && chmod(path, 0o666) == 0) }

  @Test("Every command that changes an edit says that its file has another owner now")
  func recipes() throws {
    let scratch = try makeFolder()
    let sidecar = "a.png.safelight.json"
    for photo in ["a.png", "b.png"] {
      let set = try Program.run(["recipe", "set", photo, "--exposure", "0.5"], in: scratch)
      #expect(set.exitCode == 0 && set.errors == "", "\(set.errors)")
    }
    for arguments in [
      "set a.png --exposure 1", "set a.png --add --saturation 10 --json", "copy b.png a.png", "undo a.png",
      "clear a.png",
    ] {
      giveBack(scratch(sidecar))
      let run = try Unprivileged.run("recipe \(arguments)", in: scratch)
      #expect(run.exitCode == 0, "\(arguments): \(run.errors)")
      #expect(run.errors.contains("Warning: \(sidecar) \(Self.lost)\n"), "\(arguments): \(run.errors)")
    }
  }

  @Test(
    "So does every command that replaces a named file",
    arguments: [
      ("edit a.png -o out.jpg --exposure 1", "out.jpg"),
      ("edit a.png -o new.jpg --exposure 1 --write-recipe out.json", "out.json"),
      ("presets sheet a.png -o out.jpg --size 64", "out.jpg"), ("horizon a.png --draw out.jpg", "out.jpg"),
      ("analyze a.png --scopes out.png", "out.png"),
      ("batch a.png -o f --no-isolate --json out.json", "out.json"),
      ("batch a.png -o f --no-isolate --contact-sheet out.jpg", "out.jpg"),
      ("profile --size 64x48 --seconds 0.05 --exposure 1 --html out.html", "out.html"),
    ])
  func files(arguments: String, name: String) throws {
    let scratch = try makeFolder()
    try scratch.write("mine", to: name)
    giveBack(scratch(name))
    let run = try Unprivileged.run(arguments + " --overwrite", in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.errors.contains("Warning: \(name) \(Self.lost)\n"), "\(run.errors)")
  }

  /// What `setfacl -m u:65534:rw,g::rw,m::rw,o::-` writes: acl(5), linux/posix_acl_xattr.h.
  private static let setList = #"""
    python3 -c 'import os, struct
    entries = [(1, 6, -1), (2, 6, 65534), (4, 6, -1), (16, 6, -1), (32, 0, -1)]
    value = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
    os.setxattr("a.png", "system.posix_acl_access", value)'
    """#

  @Test(
    "An access list that speaks of a group that cannot be kept is not kept for another one",
    .enabled(
      if: Program.succeeds("touch a.png && " + setList),
      "python3 or a file system with such lists is missing"))
  func accessList() throws {
    let scratch = try makeFolder()
    #expect(chown(scratch("a.png"), 0, 65_533) == 0)
    #expect(try Program.shell(Self.setList, in: scratch).exitCode == 0)
    let run = try Unprivileged.run("edit a.png --in-place --exposure 1", in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.errors.contains("a.png had a group that you are not in"), "\(run.errors)")
    let sentence = "a.png had permissions or extended attributes that could not be kept"
    #expect(run.errors.contains(sentence), "\(run.errors)")
    var status = stat()
    #expect(stat(scratch("a.png"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    let names = try Program.shell("python3 -c 'import os; print(os.listxattr(\"a.png\"))'", in: scratch)
    #expect(names.exitCode == 0 && !names.output.contains("posix_acl"), "\(names.output)")
  }
}
