import Foundation
import LibraryTestSupport
import Safelight
import TestSupport
import Testing

/// The library as `.ci/link-library` makes it, and C programs that use it.
private enum Built {
  /// Beside the program that runs these tests; see `Tests/build`.
  static let folder =
    CommandLine.arguments[0].components(separatedBy: "/").dropLast().joined(separator: "/") + "/library"
  static let library = folder + "/libsafelight.so.1"
  static let sources =
    #filePath.components(separatedBy: "/").dropLast().joined(separator: "/") + "/Programs"

  static let compiler = ExternalProgram("cc", debianPackage: "gcc")
  static let nm = ExternalProgram("nm", debianPackage: "binutils")
  static let readelf = ExternalProgram("readelf", debianPackage: "binutils")
  static let valgrind = ExternalProgram("valgrind", debianPackage: "valgrind")

  /// Compiles a program, and makes a folder for its files, with a photo.
  static func program(_ name: String, in scratch: Scratch, _ flags: [String] = []) throws -> String {
    let flags =
      ["-std=c11", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-g"] + flags
      + [
        "-I\(folder)", "\(sources)/\(name).c", "-L\(folder)", "-lsafelight", "-Wl,-rpath,\(folder)",
        "-lpthread",
      ]
    try compiler.run(flags + ["-o", scratch(name)])
    try scratch.save(try gradient(90, 60), as: "photo.jpg")
    return scratch(name)
  }

  /// The names that a header declares.
  static func declared() throws -> Set<String> {
    let header = try String(contentsOfFile: folder + "/safelight.h", encoding: .utf8)
    return Set(header.matches(of: /(safelight_[a-z_]+)\(./).filter { $0.0.last != ")" }.map { String($0.1) })
      .union(["safelight_version", "safelight_filters", "safelight_spaces"])
  }
}

@Suite("The C library", .serialized)
struct ProgramTests {
  @Test("is used by a C program as the header says", .installed(Built.compiler))
  func tour() throws {
    let scratch = try Scratch()
    let program = try Built.program("tour", in: scratch)
    let outcome = try ChildProcess(program, [scratch.path]).wait(seconds: 100)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(outcome.text == "all as the header says\n")
  }

  @Test("is what it was when it got its name", .installed(Built.compiler))
  func version1() throws {
    let scratch = try Scratch()
    let outcome = try ChildProcess(Built.program("version1", in: scratch), []).wait(seconds: 60)
    let count = try Built.declared().count
    #expect(outcome.status == 0 && outcome.text == "\(count) functions\n")
  }

  @Test("is used without an error that AddressSanitizer finds", .installed(Built.compiler))
  func sanitized() throws {
    let scratch = try Scratch()
    let program = try Built.program("tour", in: scratch, ["-fsanitize=address,undefined"])
    let outcome = try ChildProcess(program, [scratch.path]).wait(seconds: 200)
    #expect(outcome.status == 0, "\(outcome.errorText)")
  }

  // Not for values that are not set: Swift's own runtime reads some when it lays out types.
  @Test(
    "reads and writes no memory that is not its own, and loses none",
    .installed(Built.compiler, Built.valgrind))
  func checked() throws {
    let scratch = try Scratch()
    let program = try Built.program("tour", in: scratch)
    let outcome = try Built.valgrind.attempt([
      "-q", "--undef-value-errors=no", "--error-exitcode=9", "--leak-check=full",
      "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite", program, scratch.path, "no-child",
    ])
    #expect(outcome.status == 0, "\(outcome.errorText)")
  }

  @Test("The example of docs/c.md compiles without a warning and runs", .installed(Built.compiler))
  func documentation() throws {
    let scratch = try Scratch()
    let article = try String(contentsOfFile: Built.sources + "/../../../docs/c.md", encoding: .utf8)
    let code = try #require(article.firstMatch(of: /```c\n((?s:.*?))```/)).1
    try scratch.write(String(code), to: "example.c")
    try Built.compiler.run([
      "-Wall", "-Wextra", "-Werror", "-I\(Built.folder)", scratch("example.c"), "-L\(Built.folder)",
      "-lsafelight",
      "-Wl,-rpath,\(Built.folder)", "-o", scratch("example"),
    ])
    let outcome = try ChildProcess(scratch("example"), []).wait(seconds: 60)
    #expect(outcome.status == 0, "\(outcome.errorText)")
  }

  @Test("exports what the header declares and nothing else", .installed(Built.nm))
  func symbols() throws {
    let listed = try Built.nm.run(["-D", "--defined-only", "--format=just-symbols", Built.library]).text
    #expect(Set(listed.split(separator: "\n").map(String.init)) == (try Built.declared()))
  }

  @Test("names itself, and needs nothing newer than glibc 2.34", .installed(Built.readelf))
  func dependencies() throws {
    let header = try Built.readelf.run(["-d", Built.library]).text
    #expect(header.contains("Library soname: [libsafelight.so.1]"))
    #expect(!header.contains("libswift"), "Swift's runtime is part of the library")
    let versions = try Built.readelf.run(["-V", "-W", Built.library]).text
      .matches(of: /GLIBC_2\.(\d+)/).compactMap { Int($0.1) }
    #expect(try #require(versions.max()) <= 34)
  }
}
