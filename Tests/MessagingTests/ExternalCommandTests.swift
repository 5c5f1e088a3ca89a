import FrameCore
import TestSupport
import Testing

@testable import Messaging

@Suite("Commands without a shell") struct ExternalCommandTests {
  @Test(
    "Words are split at blanks; quotes and backslashes keep them, and nothing else means anything",
    arguments: [
      ("notify door", ["notify", "door"]), ("  a\t b \n", ["a", "b"]), ("a 'b c' d", ["a", "b c", "d"]),
      (#"a "b 'c'" 'd "e"'"#, ["a", "b 'c'", #"d "e""#]), (#"a\ b c\\"#, ["a b", #"c\"#]),
      (#"a "\"b\\c\d""#, ["a", #""b\c\d"#]), (#"a '\"# + "'", ["a", #"\"#]), ("a '' \"\"", ["a", "", ""]),
      ("a'b'\"c\"d", ["abcd"]),
      (
        "a $HOME * | b > c; d && `e` $(f) ~",
        [
          "a", "$HOME", "*", "|", "b", ">", "c;", "d", "&&", "`e`", "$(f)", "~",
        ]
      ),
    ])
  func words(_ line: String, _ words: [String]) throws {
    #expect(try ExternalCommand.words(of: line) == words)
  }

  @Test(
    "What is no command is refused",
    arguments: ["", "   ", "'' a", "a 'b", "a \"b", #"a \"#, "a b\u{0}c"])
  func refused(_ line: String) {
    let error = #expect(throws: SafelightError.self) { try ExternalCommand(line) }
    #expect(error?.code == .invalidValue && error?.remedy.isEmpty == false)
  }

  @Test("A program is found in PATH or by its path; one that is missing or may not run is named")
  func programs() throws {
    #expect(try ExternalCommand("sh -c true").path.hasSuffix("/sh"))
    #expect(try ExternalCommand("/bin/sh").path == "/bin/sh")
    let scratch = try Scratch()
    try scratch.write("#!/bin/sh\n", to: "plain")
    for (path, problem) in [
      ("safelight-no-such-program", "There is no program safelight-no-such-program"),
      (scratch("missing"), "There is no program "), (scratch("plain"), "\(scratch("plain")) may not be run"),
      (scratch.path, "There is no program "), (scratch.path + "/", "There is no program "),
    ] {
      let error = #expect(throws: SafelightError.self) { try ExternalCommand("'\(path)' word") }
      #expect(error?.code == .file && error?.problem.hasPrefix(problem) == true, "\(error as Any)")
    }
  }
}
