import TestSupport
import Testing

/// What other tests find out from programs is worth no more than this.
@Suite("Programs of others")
struct ExternalProgramTests {
  private let shell = ExternalProgram("sh", debianPackage: "dash")

  @Test("read their input, and what they print comes back, their errors apart or in its order")
  func printing() throws {
    let line = "printf 1; printf 2 >&2; cat; printf \"$NAME\""
    let outcome = try shell.run(["-c", line], input: [65, 66], environment: ["NAME": "here"])
    #expect(outcome.text == "1ABhere" && outcome.errorText == "2" && outcome.status == 0)
    #expect(try shell.transcript(["-c", "printf 1; printf 2 >&2; printf 3; exit 4"]) == "123")
    // More than a pipe holds, in both.
    let much = try shell.run(["-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"])
    #expect(much.output.count == 300_000 && much.errors.count == 300_000)
    #expect(try shell.run(["-c", "cat"]).output.isEmpty)
  }

  @Test("that fail are an error with what they complain about, unless their status is asked for")
  func failure() throws {
    let line = "echo no such thing >&2; exit 3"
    #expect(message { try shell.run(["-c", line]) } == "sh -c \(line): status 3: no such thing\n")
    #expect(try shell.attempt(["-c", line]).status == 3)
    #expect(try shell.attempt(["-c", "kill -TERM $$"]).status == 128 + 15)
  }

  @Test("that do not end are ended, with the children that they have")
  func deadline() throws {
    let line = "sleep 60 & echo $! >&2; wait"
    let text = try #require(message { try shell.run(["-c", line], seconds: 1) })
    #expect(text.hasPrefix("sh -c \(line): still running after 1 s; it printed: "))
    let child = text.split(separator: " ").last.map { $0.filter(\.isNumber) } ?? ""
    try #require(!child.isEmpty)
    // It may still be there as a zombie that nobody has waited for.
    let state = try shell.transcript(["-c", "sleep 0.2; cut -d ' ' -f 3 /proc/\(child)/stat 2>/dev/null"])
    #expect(state == "" || state == "Z\n")
    #expect(try shell.transcript(["-c", "echo ready; sleep 60"], until: "ready") == "ready\n")
    #expect(try shell.transcript(["-c", "echo early"], until: "ready") == "early\n")
  }

  @Test("that are missing are said to be, with the package that has them")
  func missing() {
    let program = ExternalProgram("no-such-program", debianPackage: "no-package")
    #expect(!program.isAvailable && shell.isAvailable)
    #expect(
      message { try program.run([]) }
        == "no-such-program is not installed; it is in Debian's package no-package")
  }
}
